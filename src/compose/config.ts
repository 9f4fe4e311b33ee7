// Opens the settings that apply in the current folder, in a repository or outside of one.
import { join } from 'node:path';
import { readConfig, setConfig } from '../adapters/config/config-file.ts';
import { findRepo, homeFolder } from '../adapters/repo/repo.ts';
import { callerOf, enclosingSession } from '../adapters/signals/speaker.ts';
import { disk } from '../adapters/system/disk.ts';
import { fileLocks } from '../adapters/system/lock.ts';
import { Failure } from '../core/model/failure.ts';
import type { ConfigFiles } from '../core/ports/config-files.ts';

export interface ConfigOpening {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  /** How this process signs the lock it takes. */
  readonly command: string;
  /** Called with a sentence when something takes long. */
  readonly progress?: (sentence: string) => void;
}

export function openConfig({ cwd, env, pid, command, progress }: ConfigOpening): ConfigFiles {
  const home = homeFolder(env);
  const root = rootAround(cwd, env);
  const project = root === undefined ? undefined : join(root, 'cadre.json');
  const places = { disk, global: join(home, 'config.json'), project };
  const locks = fileLocks({ command, ...(progress === undefined ? {} : { waiting: progress }) });
  return {
    by: callerOf(enclosingSession(env, pid)),
    paths: places,
    read: () => readConfig(places),
    set: (place, key, value) => setConfig(places, { locks, path: join(home, 'config.lock') }, { place, key, value }),
  };
}

/** The main checkout, also from inside a worktree: agents write to worktrees, and must not change settings. */
function rootAround(cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    return findRepo(cwd, env).root;
  } catch (error) {
    if (error instanceof Failure && (error.code === 'no-repo' || error.code === 'bare-repo')) return undefined;
    throw error;
  }
}
