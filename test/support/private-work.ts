// Git as an agent behind a wall runs it in the worktree of a run, without the wall: in the private folder of its session.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makePrivateGit, privateFolderFor, privateGitIn } from '../../src/adapters/walls/private-git.ts';
import { treeContext } from '../../src/adapters/worktrees/tree-context.ts';
import { sessionIdFor } from '../../src/core/model/ids.ts';
import type { RunBench } from './run-bench.ts';

export type InsideGit = (...argv: readonly string[]) => string;

export const WALLED_SESSION = sessionIdFor(3);

export async function privateWork(bench: RunBench, session = WALLED_SESSION): Promise<InsideGit> {
  const repo = treeContext(bench.places);
  const request = { worktree: bench.path, session, author: { name: 'agent', email: 'agent@localhost' } };
  await makePrivateGit(repo, request);
  const git = privateGitIn(privateFolderFor(repo, request));
  const env = {
    ...bench.env,
    GIT_DIR: join(git, 'worktrees', 't1-a1'),
    GIT_WORK_TREE: bench.path,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(bench.root, '.git', 'objects'),
  };
  return (...argv) =>
    execFileSync('git', argv, { cwd: bench.path, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
