// What the scripted model does: a list of steps for each script, and where in it a conversation stands.

export type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** `outside`: where the program has a sandbox, the model asks to run it without. */
  | { readonly do: 'run'; readonly command: string; readonly outside?: boolean }
  /** Lines from one number to another, counted from 1. */
  | { readonly do: 'read'; readonly path: string; readonly from: number; readonly to: number }
  /** The answer is kept back until somebody lets it go: meanwhile the program is busy for certain. */
  | { readonly do: 'hold' }
  | { readonly do: 'say'; readonly text: string };

/** What the program has sent: what was said to the model, and what came of the tools that it called. */
export interface Turn {
  readonly from: 'user' | 'tool';
  readonly text: string;
}

/** The steps that a prompt asks for; nothing where the text is no prompt. */
export type Playbook = (text: string) => readonly Step[] | undefined;

export type Scripts = Readonly<Record<string, readonly Step[]>>;

/** Stands in a prompt and says which script is wanted. The last one that was said counts. */
export function mark(script: string): string {
  return `[script: ${script}]`;
}

const MARK = /\[script: (\w+)\]/;
const IN_FILE = /\bRead (\S+)(?: in full, in parts if it gets cut off,)? and do what it says\./;

/** Less than any program cuts off. */
const PART = 100;
const MOST_PARTS = 6;

export function byMark(scripts: Scripts): Playbook {
  return (text) => {
    const [, script] = MARK.exec(text) ?? [];
    return script === undefined ? undefined : (scripts[script] ?? []);
  };
}

/** Programs put numbers before the lines that they read. */
export function withoutNumbers(text: string): string {
  return text.replace(/^\s*\d+[→:|\t] ?/gm, '');
}

/** A conversation says itself how far it is, so a request that is sent again gets the same answer. */
export function nextStep(playbook: Playbook, turns: readonly Turn[]): Step {
  const promptIn = ({ from, text }: Turn): string => (from === 'tool' ? withoutNumbers(text) : text);
  const isPrompt = (turn: Turn): boolean => playbook(promptIn(turn)) !== undefined;
  const told = turns.findLastIndex((turn) => turn.from === 'user' && (isPrompt(turn) || IN_FILE.test(turn.text)));
  const [, file] = IN_FILE.exec(turns[told]?.text ?? '') ?? [];
  const at = turns.findLastIndex(isPrompt);
  const parts = resultsAfter(turns, told);
  if (file !== undefined && at < told && parts < MOST_PARTS)
    return { do: 'read', path: file, from: parts * PART + 1, to: (parts + 1) * PART };
  const prompt = turns[at];
  const steps = prompt === undefined ? undefined : playbook(promptIn(prompt));
  return steps?.[resultsAfter(turns, at)] ?? { do: 'say', text: 'That is all.' };
}

function resultsAfter(turns: readonly Turn[], at: number): number {
  return turns.slice(at + 1).filter(({ from }) => from === 'tool').length;
}
