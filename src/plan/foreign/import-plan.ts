// Reads a file of another tool and makes a plan of it, or says why that is not possible.
import { parse } from '../parse.ts';
import type { DialectName } from './dialect.ts';
import { DIALECTS, dialectOf } from './dialects.ts';
import { foreignFile } from './entries.ts';
import { asOneLine } from './one-line.ts';
import { type LeftOut, planOfList } from './plan-of-list.ts';

export interface ImportRequest {
  readonly text: string;
  /** Where the text comes from, as it is to be written into the plan. */
  readonly path: string;
  /** Undefined to find out. */
  readonly dialect?: DialectName | undefined;
  /** Which list of the file, for a dialect with several. */
  readonly tag?: string | undefined;
  /** Also tasks that are done, cancelled or deferred. */
  readonly all: boolean;
  /** Files beside it that exist, of those that the dialect names. */
  readonly companions: readonly string[];
}

export type Import =
  | {
      readonly kind: 'imported';
      readonly dialect: DialectName;
      readonly title: string;
      readonly text: string;
      readonly tasks: number;
      readonly phases: number;
      readonly leftOut: LeftOut;
      /** Other lists of tasks in the same file, by their tag. */
      readonly otherTags: readonly string[];
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'refused'; readonly code: NoImport; readonly why: string };

/** `all-done`: nothing is left to do. */
export type NoImport = 'already-a-plan' | 'unknown-format' | 'unreadable' | 'no-tasks' | 'all-done';

export function importPlan({ text, path, dialect: asked, tag, all, companions }: ImportRequest): Import {
  const { plan: asPlan, problems } = parse(text);
  if (asked === undefined && asPlan.phases.some(({ tasks }) => tasks.length > 0))
    return refused('already-a-plan', 'It is already a plan: it has task headings.');
  const conflict = problems.find(({ code }) => code === 'conflict-marker');
  if (conflict !== undefined) return refused('unreadable', `Line ${conflict.line}: ${conflict.message}`);
  const file = foreignFile(text);
  const dialect = asked ?? dialectOf(file);
  if (dialect === undefined)
    return refused('unknown-format', 'It contains no checkboxes and no list of tasks that cadre can read.');
  const { title: tool, read } = DIALECTS[dialect];
  const result = read(file, tag);
  if (result.kind === 'unreadable') return refused('unreadable', `It cannot be read as ${tool}: ${result.why}.`);
  const made = planOfList(result.list, { title: titleFrom(path), header: headerFor(path, tool, companions), all });
  if (made.kind === 'none') {
    const { done, cancelled, deferred } = made.leftOut;
    return refused(done + cancelled + deferred > 0 ? 'all-done' : 'no-tasks', made.why);
  }
  const { plan, leftOut, remarks } = made;
  return {
    kind: 'imported',
    dialect,
    title: plan.title ?? '',
    text: made.text,
    tasks: plan.phases.reduce((sum, phase) => sum + phase.tasks.length, 0),
    phases: plan.phases.length,
    leftOut,
    otherTags: result.otherTags ?? [],
    remarks,
  };
}

function refused(code: NoImport, why: string): Import {
  return { kind: 'refused', code, why };
}

function headerFor(path: string, tool: string, companions: readonly string[]): readonly string[] {
  const read = companions.map(inCode).join(', ');
  return [`Imported from ${inCode(path)} (${tool}).`, ...(companions.length === 0 ? [] : [`Read first: ${read}`])];
}

function inCode(path: string): string {
  return `\`${asOneLine(path).replaceAll('`', '')}\``;
}

/** What a plan from this path is called, as a file name without its ending. */
export function planNameFrom(path: string): string {
  const segments = path.split(/[/\\]/).map((segment) => segment.replace(/\.(?:md|markdown|json|txt)$/i, ''));
  const [named = 'tasks'] = segments.reverse().filter((segment) => segment !== '' && !GENERIC.test(segment));
  const name = named
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}_+-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+|-+$/gu, '');
  return [...name].slice(0, LONGEST_NAME).join('') || 'tasks';
}

const LONGEST_NAME = 60;
/** Every file of a tool is called that, so it names nothing. */
const GENERIC =
  /^(?:\.{1,2}|tasks?|plans?|specs?|changes|archive|openspec|docs|\.kiro|\.taskmaster|\.specify|[a-z]:)$/i;

/** "001-user-login" is "User login". */
function titleFrom(path: string): string {
  const words = planNameFrom(path)
    .replace(/^\d{1,4}[-_](?=.)/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? 'Plan' : words.charAt(0).toUpperCase() + words.slice(1);
}
