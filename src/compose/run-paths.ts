// Where the worktrees of runs are, and what their commands printed.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repo } from '../adapters/repo/repo.ts';
import type { RunPaths } from '../app/ports.ts';
import { systemCode } from '../core/model/failure.ts';
import { slugOf } from '../plan/name.ts';

const SETUP = 'setup.log';

export function runPaths({ worktrees, runs }: Repo): RunPaths {
  return {
    worktreeOf({ plan, name }) {
      const path = join(worktrees, slugOf(plan), name);
      return existsSync(path) ? path : undefined;
    },
    lastOutput({ plan, name }, kind) {
      const folder = join(runs, slugOf(plan), name);
      const isWanted = (file: string): boolean =>
        kind === 'setup' ? file === SETUP : file.endsWith('.log') && file !== SETUP;
      const [last] = namesIn(folder)
        .filter(isWanted)
        .map((file) => ({ path: join(folder, file), time: statSync(join(folder, file)).mtimeMs }))
        .toSorted((one, other) => other.time - one.time);
      return last === undefined ? undefined : { path: last.path, at: new Date(last.time).toISOString() };
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
