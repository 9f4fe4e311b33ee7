// What the scripted model does: a list of steps for each script, and how far a conversation has got.

export type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** `outside`: if the program has a sandbox, the model asks to run the command without it. */
  | { readonly do: 'run'; readonly command: string; readonly outside?: boolean }
  /** Lines `from` to `to`, counted from 1. */
  | { readonly do: 'read'; readonly path: string; readonly from: number; readonly to: number }
  /** Holds the response back until the test releases it, so that the program is certainly busy. */
  | { readonly do: 'hold' }
  | { readonly do: 'say'; readonly text: string };

/** What the program has sent: a message to the model, or the result of a tool call. */
export interface Turn {
  readonly from: 'user' | 'tool';
  readonly text: string;
}

/** The steps for a prompt; undefined if the text is not a prompt. */
export type Playbook = (text: string) => readonly Step[] | undefined;

export type Scripts = Readonly<Record<string, readonly Step[]>>;

/** Selects a script from within a prompt. The last one counts. */
export function mark(script: string): string {
  return `[script: ${script}]`;
}

const MARK = /\[script: (\w+)\]/;
const IN_FILE = /\bRead (\S+)(?: in full, in parts if it gets cut off,)? and do what it says\./;

/** In lines; less than any program truncates. */
const PART = 100;
const MOST_PARTS = 6;

export function byMark(scripts: Scripts): Playbook {
  return (text) => {
    const [, script] = MARK.exec(text) ?? [];
    return script === undefined ? undefined : (scripts[script] ?? []);
  };
}

/** Programs number the lines that they read. */
export function withoutNumbers(text: string): string {
  return text.replace(/^\s*\d+[→:|\t] ?/gm, '');
}

/** Derived from the conversation alone, so a repeated request gets the same response. */
export function nextStep(playbook: Playbook, turns: readonly Turn[]): Step {
  const isAsked = ({ from, text }: Turn): boolean =>
    from === 'user' && (playbook(text) !== undefined || IN_FILE.test(text));
  const asked = turns.findLastIndex(isAsked);
  const prompt = turns[asked]?.text ?? '';
  const [, file] = IN_FILE.exec(prompt) ?? [];
  const results = turns.slice(asked + 1).flatMap(({ from, text }) => (from === 'tool' ? [withoutNumbers(text)] : []));
  if (file === undefined) return stepAt(playbook(prompt), results.length);
  const last = results.findIndex(isLastPart);
  const parts = last === -1 ? results : results.slice(0, last + 1);
  if (last === -1 && parts.length < MOST_PARTS)
    return { do: 'read', path: file, from: parts.length * PART + 1, to: (parts.length + 1) * PART };
  return stepAt(playbook(parts.join('\n')), results.length - parts.length);
}

function stepAt(steps: readonly Step[] | undefined, index: number): Step {
  return steps?.[index] ?? { do: 'say', text: 'That is all.' };
}

/** A program that is asked for more lines than there are returns fewer, or says that there are none. */
function isLastPart(text: string): boolean {
  return text.trimEnd().split('\n').length < PART;
}
