// What happened to the tasks when a plan file changed. Tasks are matched by name and text, not by number alone.
import type { TaskState } from '../machines/task.ts';

/** What identifies a task across versions of the file. */
export interface Identity {
  readonly address: string;
  readonly name: string;
  /** Its text below the heading, or a digest of it; empty if there is none. */
  readonly body: string;
}

export interface TaskPair<Before extends Identity = Identity, After extends Identity = Identity> {
  readonly before: Before | null;
  readonly after: After | null;
}

export type ChangeKind = 'added' | 'removed' | 'renumbered' | 'renamed' | 'changed';

export interface TaskChange<Before extends Identity = Identity, After extends Identity = Identity>
  extends TaskPair<Before, After> {
  readonly kinds: readonly ChangeKind[];
}

/** The tasks that changed, in the order of the new plan, removed tasks last. */
export function difference<Before extends Identity, After extends Identity>(
  before: readonly Before[],
  after: readonly After[],
): readonly TaskChange<Before, After>[] {
  return pairUp(before, after)
    .map((pair) => ({ ...pair, kinds: kindsOf(pair) }))
    .filter((change) => change.kinds.length > 0);
}

/** Contains every task of both versions exactly once. */
export function pairUp<Before extends Identity, After extends Identity>(
  before: readonly Before[],
  after: readonly After[],
): readonly TaskPair<Before, After>[] {
  const partners = new Map<After, Before>();
  const taken = new Set<Before>();
  const match = (after: After, before: Before): void => {
    partners.set(after, before);
    taken.add(before);
  };
  for (const keyOf of IDENTITY_KEYS) {
    const olds = uniqueTasks(
      before.filter((task) => !taken.has(task)),
      keyOf,
    );
    const news = uniqueTasks(
      after.filter((task) => !partners.has(task)),
      keyOf,
    );
    for (const [key, task] of news) {
      const old = olds.get(key);
      if (old !== undefined && (keyOf !== addressOf || haveSimilarNames(old.name, task.name))) match(task, old);
    }
  }
  return [
    ...after.map((task) => ({ before: partners.get(task) ?? null, after: task })),
    ...before.filter((task) => !taken.has(task)).map((task) => ({ before: task, after: null })),
  ];
}

type IdentityKey = (task: Identity) => string | undefined;

const addressOf: IdentityKey = (task) => task.address;

/**
 * What to match tasks by, most reliable first. A number alone is weak evidence: the plan may have been renumbered, and a
 * new task mistaken for a finished one would never be built.
 */
const IDENTITY_KEYS: readonly IdentityKey[] = [
  (task) => JSON.stringify([task.address, normalized(task.name), task.body]),
  (task) => JSON.stringify([normalized(task.name), task.body]),
  (task) => normalized(task.name) || undefined,
  (task) => (normalized(task.name) === '' ? undefined : JSON.stringify([task.address, normalized(task.name)])),
  (task) => task.body || undefined,
  addressOf,
];

/** The tasks whose key no other task has. */
function uniqueTasks<T extends Identity>(tasks: readonly T[], keyOf: IdentityKey): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  const shared = new Set<string>();
  for (const task of tasks) {
    const key = keyOf(task);
    if (key === undefined) continue;
    if (found.has(key)) shared.add(key);
    found.set(key, task);
  }
  for (const key of shared) found.delete(key);
  return found;
}

function kindsOf({ before, after }: TaskPair): readonly ChangeKind[] {
  if (before === null) return ['added'];
  if (after === null) return ['removed'];
  const kinds: ChangeKind[] = [];
  if (before.address !== after.address) kinds.push('renumbered');
  if (before.name !== after.name) kinds.push('renamed');
  if (before.body !== after.body) kinds.push('changed');
  return kinds;
}

/** More than two thirds of the words of the longer name are in both: "Write the printer" is not "Write the parser". */
function haveSimilarNames(one: string, other: string): boolean {
  const [words, others] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  const common = [...words].filter((word) => others.has(word)).length;
  return common * 3 > Math.max(words.size, others.size) * 2;
}

function normalized(name: string): string {
  return wordsOf(name).join(' ');
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

type Stage = 'planned' | 'running' | 'done';

/** What a change means for a task, depending on its progress. */
const MEANINGS: { readonly [kind in ChangeKind]: { readonly [stage in Stage]: string } } = {
  added: {
    planned: 'it is planned, and starts in its turn',
    running: 'it is planned, and starts in its turn',
    done: 'it is planned, and starts in its turn',
  },
  removed: {
    planned: 'it is no longer launched; if it comes back, it is planned again',
    running: 'its run continues, but is merged only when a person decides to',
    done: 'what it built is kept',
  },
  renumbered: {
    planned: 'it keeps its state under the new number',
    running: 'its run continues under the new number',
    done: 'it stays done under the new number',
  },
  renamed: {
    planned: 'it keeps its state under the new name',
    running: 'its run continues under the new name',
    done: 'it stays done under the new name',
  },
  changed: {
    planned: 'the new text will be built',
    running: 'its run continues with the old text; the next run uses the new text',
    done: 'it stays done; it was built from the old text',
  },
};

export function meaningOf(kind: ChangeKind, state: TaskState): string {
  return MEANINGS[kind][stageOf(state)];
}

const STAGES: { readonly [state in TaskState]: Stage } = {
  planned: 'planned',
  implementing: 'running',
  verifying: 'running',
  spec_review: 'running',
  quality_review: 'running',
  done: 'done',
};

function stageOf(state: TaskState): Stage {
  return STAGES[state];
}
