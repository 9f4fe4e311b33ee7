// A plan for scripted agents: each task gets a script that touches the files that the task names.
import { parse } from '../../../plan/parse.ts';
import type { FileReference, Task } from '../../../plan/plan.ts';

/** Only text is added, below the headings of tasks. */
export function rehearsalPlan(text: string): string {
  const lines = text.split('\n');
  const tasks = parse(text).plan.phases.flatMap((phase) => phase.tasks);
  for (const task of tasks.toSorted((one, other) => other.line - one.line))
    lines.splice(task.line, 0, '', ...scriptFor(task));
  return lines.join('\n');
}

/** A task that is sent back has met a conflict or a failing test; a script can do nothing about either. */
function scriptFor(task: Task): readonly string[] {
  const touched = task.files.flatMap((file) => touching(file, task.address));
  const note = `rehearsal-${task.address.replace(/[^\w.-]/g, '_')}.txt`;
  return [
    '````script',
    'role implementer',
    ...(touched.length === 0
      ? [`  append ${note} Task ${task.address} names no file that a script can touch.`]
      : touched),
    `  commit Rehearsal of task ${task.address}`,
    '  signal implement-finished',
    'turn 2',
    '  ask In a rehearsal nobody can fix this.',
    '````',
  ];
}

/** A comment at the end of the file: two tasks that touch the same file then conflict as two agents might. */
function touching({ path, action }: FileReference, address: string): readonly string[] {
  const [open, close] = COMMENTS.find(([pattern]) => pattern.test(path))?.[1] ?? [undefined, ''];
  // A new test file without a test would fail, and a comment in JSON would break it.
  if (open === undefined || /\s/.test(path) || (action !== 'modify' && isTest(path))) return [];
  if (action === 'delete' || action === 'reference') return [];
  return [`  append ${path} ${open} Rehearsal of task ${address}${close}`];
}

function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.|(?:^|\/)test_/i.test(path);
}

const COMMENTS: readonly (readonly [RegExp, readonly [string, string]])[] = [
  [/\.(?:[cm]?[jt]sx?|go|rs|java|kt|c|h|cc|cpp|hpp|cs|swift|scala|php|dart)$/, ['//', '']],
  [/\.(?:py|rb|sh|ya?ml|toml|pl|r|ex|exs)$|(?:^|\/)(?:Makefile|Dockerfile|\.gitignore)$/, ['#', '']],
  [/\.(?:md|html?|xml|svg|vue)$/, ['<!--', ' -->']],
  [/\.(?:css|scss|less)$/, ['/*', ' */']],
  [/\.(?:sql|lua|hs)$/, ['--', '']],
  [/\.txt$/, ['', '']],
];

export interface SharedFile {
  readonly path: string;
  readonly tasks: readonly string[];
}

/** Files that several tasks of the same group name: what they build at the same time may conflict there. */
export function sharedFiles(text: string, groups: readonly (readonly string[])[]): readonly SharedFile[] {
  const tasks = parse(text).plan.phases.flatMap((phase) => phase.tasks);
  return groups.flatMap((group) => {
    const named = new Map<string, string[]>();
    for (const { address, files } of tasks.filter((task) => group.includes(task.address)))
      for (const path of new Set(files.map((file) => file.path)))
        named.set(path, [...(named.get(path) ?? []), address]);
    return [...named].flatMap(([path, by]) => (by.length > 1 ? [{ path, tasks: by }] : []));
  });
}
