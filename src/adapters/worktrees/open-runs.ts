// Wires what the worktrees of a repository need: git, the verify command, and files.
import type { Changes } from '../../core/ports/changes.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import type { Merging } from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import type { Verifier } from '../../core/ports/verifier.ts';
import type { AdhocWorktrees, RunFiles, RunWorktrees } from '../../core/ports/worktrees.ts';
import { SANDBOX, type SandboxSettings } from '../../core/settings/sandbox.ts';
import { changes } from '../git/changes.ts';
import { openGit } from '../git/git.ts';
import { pullRequests } from '../git/pull-requests.ts';
import type { Repo } from '../repo/repo.ts';
import { commandRunner } from '../system/command.ts';
import { stepThatFails } from '../system/failpoints.ts';
import { wallsAround } from '../system/wall.ts';
import type { CommitImports } from '../walls/import-commits.ts';
import type { WalledRepo } from '../walls/private-git.ts';
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
  /** What sessions behind walls need. */
  readonly walled: { readonly repo: WalledRepo; readonly imports: CommitImports };
}

interface RunsBase {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly disk: Disk;
  readonly locks: Locks;
}

/** `sandbox`: how the commands of the project run; without it, as they are. */
export function openRuns({ repo, env, disk, locks }: RunsBase, sandbox: () => SandboxSettings = () => SANDBOX): Runs {
  const git = openGit({ ...repo, env });
  const runCommand = commandRunner(wallsAround({ gitFolder: repo.gitFolder, env, settings: sandbox }));
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
    walled: { repo: context, imports: context.imports },
  };
}
