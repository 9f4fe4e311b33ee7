// Opens the settings that apply in the current folder, in a repository or outside of one.
import { join } from 'node:path';
import { knownSettings, readConfig, setConfig } from '../adapters/config/config-file.ts';
import { findRepo, homeFolder } from '../adapters/repo/repo.ts';
import { callerOf, enclosingSession, type SessionEnvironment } from '../adapters/signals/speaker.ts';
import { disk } from '../adapters/system/disk.ts';
import { fileLocks } from '../adapters/system/lock.ts';
import { Failure } from '../core/model/failure.ts';
import type { ConfigFiles } from '../core/ports/config-files.ts';
import type { Locks } from '../core/ports/locks.ts';

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
  const locks = fileLocks({ command, ...(progress === undefined ? {} : { waiting: progress }) });
  const session = enclosingSession(env, pid);
  return configIn({ home: homeFolder(env), root: rootAround(cwd, env), session, locks });
}

interface ConfigPlace {
  readonly home: string;
  /** The main checkout; undefined outside a repository. */
  readonly root: string | undefined;
  readonly session: SessionEnvironment | undefined;
  readonly locks: Locks;
}

export function configIn({ home, root, session, locks }: ConfigPlace): ConfigFiles {
  const project = root === undefined ? undefined : join(root, 'cadre.json');
  const places = { disk, global: join(home, 'config.json'), project };
  return {
    by: callerOf(session),
    paths: places,
    read: () => readConfig(places),
    known: knownSettings,
    set: (place, key, value) => setConfig(places, { locks, path: join(home, 'config.lock') }, { place, key, value }),
  };
}

/** The main checkout, also from inside a worktree: agents write to worktrees, and must not change settings. */
export function rootAround(cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    return findRepo(cwd, env).root;
  } catch (error) {
    if (error instanceof Failure && (error.code === 'no-repo' || error.code === 'bare-repo')) return undefined;
    throw error;
  }
}
