// One entry of a task's list of files: "Modify: `src/parser.ts:10-20` — the loop".
import type { FileAction, FileReference } from './plan.ts';

/** A file reference without its line. */
export type NamedFile = Omit<FileReference, 'line'>;

export interface FileEntry {
  readonly action: FileAction;
  /** Empty if the files follow below, each in its own entry. */
  readonly files: readonly NamedFile[];
}

/** `inherited` is the action of the entry that this one is nested in. */
export function readFileEntry(line: string, inherited: FileAction | undefined): FileEntry | undefined {
  const head = HEAD.exec(line);
  const named = ACTIONS.get(head?.[1]?.toLowerCase() ?? '');
  if (head !== null && named !== undefined) return { action: named, files: filesIn(line.slice(head[0].length), named) };
  if (inherited === undefined) return undefined;
  return { action: inherited, files: filesIn(line, inherited) };
}

const HEAD = /^[*_]{0,3}([A-Za-z]{2,12})[*_]{0,3}[ \t]*(?::[*_]{0,3}|(?=`))/;

/** Plans use many words for the five actions. */
const ACTIONS: ReadonlyMap<string, FileAction> = new Map<string, FileAction>(
  Object.entries({
    create: 'create',
    add: 'create',
    new: 'create',
    modify: 'modify',
    update: 'modify',
    edit: 'modify',
    change: 'modify',
    test: 'test',
    tests: 'test',
    delete: 'delete',
    remove: 'delete',
    reference: 'reference',
    ref: 'reference',
    read: 'reference',
    see: 'reference',
  } satisfies Record<string, FileAction>),
);

function filesIn(text: string, action: FileAction): readonly NamedFile[] {
  const files: NamedFile[] = [];
  QUOTED.lastIndex = 0;
  for (let found = QUOTED.exec(text); found !== null; found = QUOTED.exec(text))
    files.push(reference(action, `${found[1]}${found[2] ?? ''}`));
  if (files.length > 0) return files;
  const bare = text.slice(0, endOfPath(text)).trim();
  return bare === '' ? [] : [reference(action, bare)];
}

/** One path in backticks with optional line numbers, and the separator before it. */
const QUOTED = /[ \t]{0,8}(?:,|and|&|\+)?[ \t]{0,8}`([^`]*)`(:\d[\d,–-]{0,60})?/y;

/** A comment may follow the path. */
function endOfPath(text: string): number {
  const ends = COMMENTS.map((mark) => text.indexOf(mark)).filter((at) => at !== -1);
  return Math.min(text.length, ...ends);
}

const COMMENTS = [' — ', ' – ', ' - ', ' (', ', '];

function reference(action: FileAction, written: string): NamedFile {
  const colon = written.lastIndexOf(':');
  const lines = written.slice(colon + 1).trim();
  if (colon <= 0 || !LINES.test(lines)) return { action, path: written.trim(), lines: null };
  return { action, path: written.slice(0, colon).trim(), lines };
}

const LINES = /^\d[\d,–-]{0,60}$/;
