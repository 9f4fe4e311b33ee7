// Wires what the worktrees of a repository need: git, the verify command, and files.
import type { Changes } from '../../core/ports/changes.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import type { Merging } from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import type { Verifier } from '../../core/ports/verifier.ts';
import type { AdhocWorktrees, RunFiles, RunWorktrees } from '../../core/ports/worktrees.ts';
import { changes } from '../git/changes.ts';
import { openGit } from '../git/git.ts';
import { pullRequests } from '../git/pull-requests.ts';
import type { Repo } from '../repo/repo.ts';
import { commandRunner } from '../system/command.ts';
import { stepThatFails } from '../system/failpoints.ts';
import { adhocWorktrees } from './adhoc-worktrees.ts';
import { merging } from './merging.ts';
import { runFiles } from './run-files.ts';
import { runWorktrees } from './run-worktrees.ts';
import { treeContext } from './tree-context.ts';
import { verifier } from './verifier.ts';

export interface Runs {
  readonly trees: RunWorktrees;
  readonly adhoc: AdhocWorktrees;
  readonly merging: Merging;
  readonly pulls: PullRequests;
  readonly verifier: Verifier;
  readonly files: RunFiles;
  readonly changes: Changes;
}

export function openRuns(repo: Repo, env: NodeJS.ProcessEnv, disk: Disk, locks: Locks): Runs {
  const git = openGit({ ...repo, env });
  const runCommand = commandRunner();
  const armed = env.CADRE_FAILPOINT ? { reached: stepThatFails(env.CADRE_FAILPOINT) } : {};
  const { root, gitFolder, worktrees, runs } = repo;
  const context = treeContext({ ...repo, env, disk, locks, git, runCommand, ...armed });
  const trees = runWorktrees(context);
  const pulls = pullRequests({ root, env, git });
  const merges = merging({ root, gitFolder, git, pulls, ...armed });
  return {
    trees,
    adhoc: adhocWorktrees(context),
    merging: merges,
    pulls,
    verifier: verifier({ root, worktrees, runs, env, runCommand }),
    files: runFiles(runs),
    changes: changes({ env, root, git, trees }),
  };
}
