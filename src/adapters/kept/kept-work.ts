// What cadre kept before something removed it: listed, and brought back without touching anything that exists.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Kept, KeptCommit, KeptWork } from '../../core/ports/kept.ts';
import type { Locks } from '../../core/ports/locks.ts';
import type { RunWorktrees } from '../../core/ports/worktrees.ts';
import { type GitRepo, gitFailure, NO_LOCKS, resolveRefs } from '../git/git.ts';
import { keptCommits } from './kept-commits.ts';
import { copyFiles, keptFiles } from './kept-files.ts';

export interface KeptOptions extends GitRepo {
  /** Contains a folder for each run. */
  readonly runs: string;
  readonly trees: Pick<RunWorktrees, 'restore' | 'exists'>;
  readonly locks: Locks;
  /** Held while something is brought back or cleaned up. */
  readonly cleanupLock: string;
}

/** How long to wait for a cleanup to finish, in milliseconds. */
const LOCK_PATIENCE = 60_000;

export function keptWork(options: KeptOptions): KeptWork {
  const { runs, trees, locks, cleanupLock } = options;
  const undisturbed = async <T>(work: () => Promise<T>): Promise<T> => {
    mkdirSync(dirname(cleanupLock), { recursive: true, mode: 0o700 });
    const lock = await locks.take(cleanupLock, LOCK_PATIENCE);
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  return {
    list: async () => [...(await keptCommits(options)), ...keptFiles(runs)].toSorted(newestFirst),
    toBranch: (kept, branch) => undisturbed(() => createBranch(options, kept, branch)),
    toWorktree: ({ ref }, tree) => undisturbed(() => trees.restore(tree, ref)),
    hasWorktree: (tree) => trees.exists(tree),
    toFolder: (kept, folder) => undisturbed(async () => copyFiles(kept, folder)),
  };
}

function newestFirst(one: Kept, other: Kept): number {
  return (other.at ?? '').localeCompare(one.at ?? '') || other.id.localeCompare(one.id, 'en', { numeric: true });
}

async function createBranch({ git, root }: GitRepo, { commit }: KeptCommit, branch: string) {
  const ref = `refs/heads/${branch}`;
  const isName = (await git.ask(root, ['check-ref-format', '--branch', branch], { env: NO_LOCKS })).exitCode === 0;
  if (!isName) return 'not-a-name';
  const at = (await resolveRefs(git, root, [ref])).get(ref);
  if (at !== undefined) return at === commit ? 'existing' : 'taken';
  const words = ['update-ref', '--no-deref', '--create-reflog', '-m', 'cadre: restored', ref, commit, ''];
  const answer = await git.ask(root, words);
  if (answer.exitCode !== 0) throw gitFailure(root, words, answer);
  return 'created';
}
