// Commits everything in a worktree.
import { commitWith, type Git } from './git.ts';
import { statusOf } from './tree-status.ts';

/**
 * Commits every change except nested repositories, of which a commit would only hold the name of their own last commit.
 */
export async function commitAll(git: Git, path: string, message: string): Promise<'committed' | 'nothing-to-commit'> {
  const { untracked } = await statusOf(git, path, 'all');
  const nested = untracked.filter((file) => file.endsWith('/'));
  const without = nested.map((file) => `:(top,exclude,literal)${file.slice(0, -1)}`);
  await git.must(path, ['add', '--all', '--', ':/', ...without]);
  if ((await git.ask(path, ['diff-index', '--cached', '--quiet', 'HEAD'])).exitCode === 0) return 'nothing-to-commit';
  const commit = ['commit', '--quiet', '--no-verify', '--cleanup=whitespace', '-F', '-'];
  await commitWith(git, path, commit, { input: message });
  return 'committed';
}
