// Puts together what the runs of a repository need: git, the verify command, and files.
import type { Disk, Locks } from '../core/ports.ts';
import type { Merging, RunFiles, RunTrees, Verifier } from '../core/run-ports.ts';
import { stepThatFails } from './failpoints.ts';
import { openGit } from './git.ts';
import { merging } from './merging.ts';
import type { Repo } from './repo.ts';
import { runFiles } from './run-files.ts';
import { runTrees } from './run-trees.ts';
import { verifier } from './verifier.ts';

export interface Runs {
  readonly trees: RunTrees;
  readonly merging: Merging;
  readonly verifier: Verifier;
  readonly files: RunFiles;
}

export function openRuns(repo: Repo, env: NodeJS.ProcessEnv, disk: Disk, locks: Locks): Runs {
  const git = openGit({ env });
  const armed = env.CADRE_FAILPOINT ? { reached: stepThatFails(env.CADRE_FAILPOINT) } : {};
  const { root, gitFolder, worktrees, home, runs } = repo;
  return {
    trees: runTrees({ root, gitFolder, worktrees, runs, home, env, disk, locks, git, ...armed }),
    merging: merging({ root, gitFolder, env, git, ...armed }),
    verifier: verifier({ root, worktrees, runs, env }),
    files: runFiles(runs),
  };
}
