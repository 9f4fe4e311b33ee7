// The repositories of this machine, from state.json: it lists the plans and tasks of all of them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readStateFile } from '../../core/files/state-file.ts';
import type { KnownRepository, MachineFacts } from '../../core/views/known-repository.ts';
import { taskMachine } from '../../machines/task.ts';
import { repoName } from './repo.ts';

export function knownRepositories(home: string): MachineFacts {
  const file = join(home, 'state.json');
  let [seen, roots]: [number, ReadonlyMap<string, readonly unknown[]>] = [-1, new Map()];
  return {
    repositories() {
      const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (changed !== seen) [seen, roots] = [changed, tasksByRoot(textIn(file) ?? '')];
      return [...roots]
        .filter(([root]) => existsSync(root))
        .map(([root, states]) => ({ root, ...counted(states), needs: needsIn(home, root) }))
        .toSorted((one, other) => basename(one.root).localeCompare(basename(other.root)));
    },
  };
}

/** The states of the tasks of every repository, by its main checkout. */
function tasksByRoot(text: string): ReadonlyMap<string, readonly unknown[]> {
  const read = readStateFile(text);
  const plans = read.kind === 'good' ? read.document.plans : undefined;
  const found = new Map<string, readonly unknown[]>();
  for (const [path, plan] of Object.entries(fieldsOf(plans))) {
    const [, root] = /^(\/.+)\/docs\/plans\/[^/]+$/.exec(path) ?? [];
    if (root === undefined) continue;
    const states = Object.values(fieldsOf(fieldsOf(plan).tasks)).map((task) => fieldsOf(task).phase);
    found.set(root, [...(found.get(root) ?? []), ...states]);
  }
  return found;
}

function counted(states: readonly unknown[]): Pick<KnownRepository, 'tasks' | 'active'> {
  const done = states.filter((state) => taskMachine.final.some((final) => final === state)).length;
  const planned = states.filter((state) => state === taskMachine.initial).length;
  return { tasks: { done, of: states.length }, active: states.length - done - planned };
}

function needsIn(home: string, root: string): number {
  try {
    const ids: unknown = JSON.parse(textIn(join(home, 'repos', repoName(root), 'announced.json')) ?? '[]');
    // A plan that is done waits for nobody.
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && !/ done\b/.test(id)).length : 0;
  } catch {
    return 0;
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
