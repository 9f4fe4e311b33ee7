// Which commands of cadre an agent behind a wall may run, by its role, and about what: its own plan.
import { findPlan, type PlanFile } from '../plan/name.ts';
import { showName } from '../text/show.ts';
import type { Role } from './registry.ts';

/** Whose socket the command came through. */
export interface Speaker {
  readonly session: string;
  readonly role: Role;
  readonly plan?: string;
  /** The address of the task in the plan. */
  readonly task?: string;
}

export type SessionCommand =
  /** `input`: what the command reads from its standard input. */
  | { readonly kind: 'run'; readonly argv: readonly string[]; readonly input: 'none' | 'text' | 'stream' }
  | { readonly kind: 'refused'; readonly why: string };

interface Row {
  readonly flags: readonly string[];
  /** Options with a value. */
  readonly values: readonly string[];
  readonly most: number;
  /** What the arguments are: a plan, a plan or a task, anything, or the session and a report of its program. */
  readonly takes: 'plan' | 'subject' | 'words' | 'report';
}

const LOOK: Row = { flags: [], values: [], most: 2, takes: 'subject' };

const ROWS = {
  signal: { flags: [], values: ['--plan', '--task', '--body-file'], most: 1, takes: 'words' },
  hook: { flags: [], values: [], most: 2, takes: 'report' },
  mcp: { flags: [], values: [], most: 0, takes: 'words' },
  status: { flags: ['--explain'], values: [], most: 1, takes: 'plan' },
  why: LOOK,
  diff: { ...LOOK, flags: ['--stat'] },
  output: { ...LOOK, flags: ['--setup'] },
} as const satisfies Readonly<Record<string, Row>>;

type CommandName = keyof typeof ROWS;

const SPEAKING: readonly CommandName[] = ['signal', 'hook', 'mcp', 'status', 'why'];
const WORKING: readonly CommandName[] = [...SPEAKING, 'diff', 'output'];

/** The same that the tools of the role show (see docs/mcp.md). */
const BY_ROLE: { readonly [role in Role]: readonly CommandName[] } = {
  planner: SPEAKING,
  architect: WORKING,
  implementer: WORKING,
  'spec-reviewer': WORKING,
  'quality-reviewer': WORKING,
  reviewer: WORKING,
  outside: [],
  unknown: [],
};

const ALWAYS: readonly string[] = ['--json', '--help', '-h'];

/** `argv`: without the words that call cadre. Its files are not those of the agent, so none can be named. */
export function sessionCommand(speaker: Speaker, argv: readonly string[]): SessionCommand {
  const [word = '', ...rest] = argv;
  const name = BY_ROLE[speaker.role].find((one) => one === word);
  if (name === undefined)
    return refuse(`"cadre ${showName(word)}" cannot be run by the agent of a session behind a wall.`);
  const row: Row = ROWS[name];
  const parts = split(row, rest);
  if ('why' in parts) return refuse(`cadre ${name}: ${parts.why}`);
  const { options, words } = parts;
  if (words.length > row.most) return refuse(`cadre ${name} takes at most ${row.most} arguments.`);
  const body = bodyOf(options);
  if (body !== undefined && body !== '-') return refuse('Behind a wall, the body of a signal comes on standard input.');
  if (row.takes === 'report') return hook(speaker, options, words);
  const subject = SUBJECTS[row.takes](speaker, words);
  if (subject === undefined) return refuse(`This session works on ${showName(speaker.plan ?? '')} only.`);
  const input = name === 'mcp' ? 'stream' : body === '-' ? 'text' : 'none';
  return { kind: 'run', argv: [name, ...options, '--', ...subject], input };
}

function refuse(why: string): SessionCommand {
  return { kind: 'refused', why };
}

type Split = { readonly options: readonly string[]; readonly words: readonly string[] } | { readonly why: string };

function split({ flags, values }: Row, argv: readonly string[]): Split {
  const [options, words]: [string[], string[]] = [[], []];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return { options, words: [...words, ...argv.slice(at + 1)] };
    const [, name = '', value] = /^(--[a-z-]+)=([\s\S]*)$/.exec(word) ?? [];
    if ([...ALWAYS, ...flags].includes(word)) options.push(word);
    else if (values.includes(name)) options.push(`${name}=${value}`);
    else if (values.includes(word)) {
      const next = argv[++at];
      if (next === undefined) return { why: `${word} needs a value.` };
      options.push(`${word}=${next}`);
    } else if (word.startsWith('-') && word !== '-')
      return { why: `the option "${showName(word)}" is not possible here.` };
    else words.push(word);
  }
  return { options, words };
}

function bodyOf(options: readonly string[]): string | undefined {
  return options.findLast((option) => option.startsWith('--body-file='))?.slice('--body-file='.length);
}

/** A report is always about the session itself. */
function hook({ session }: Speaker, options: readonly string[], words: readonly string[]): SessionCommand {
  if (words[0] !== session) return refuse('The program of a session can report for this session only.');
  const [, report] = words;
  const argv = ['hook', ...options, '--', session, ...(report === undefined ? [] : [report])];
  return { kind: 'run', argv, input: report === undefined ? 'text' : 'none' };
}

/** Undefined if it is another plan. */
function planOf({ plan }: Speaker, [name]: readonly string[]): readonly string[] | undefined {
  if (plan === undefined) return name === undefined ? [] : [name];
  return name === undefined || findPlan(name, [plan as PlanFile]).kind === 'found' ? [plan] : undefined;
}

const SUBJECTS = {
  plan: planOf,
  subject: subjectOf,
  words: (_speaker: Speaker, words: readonly string[]) => words,
} as const;

/** The same. Without arguments it is what the session works on. */
function subjectOf({ plan, task }: Speaker, words: readonly string[]): readonly string[] | undefined {
  if (plan === undefined) return words;
  const [first, ...rest] = words;
  if (first === undefined) return [task === undefined ? plan : `${plan}#${task}`];
  if (first.startsWith('#')) return [`${plan}${first}`, ...rest];
  const [name = ''] = first.split('#', 1);
  const isOwn = findPlan(name, [plan as PlanFile]).kind === 'found';
  return isOwn ? [`${plan}${first.slice(name.length)}`, ...rest] : undefined;
}
