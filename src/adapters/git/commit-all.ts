// Commits everything in a worktree.
import { commitWith, type Git } from './git.ts';
import { statusOf } from './tree-status.ts';

/**
 * Commits every change that git can hold. Repositories inside are left out: a commit would only hold the name of the
 * commit that they are at.
 */
export async function commitAll(git: Git, path: string, message: string): Promise<'committed' | 'nothing-to-commit'> {
  const { untracked } = await statusOf(git, path, 'all');
  const inside = untracked.filter((file) => file.endsWith('/'));
  const without = inside.map((file) => `:(top,exclude,literal)${file.slice(0, -1)}`);
  await git.must(path, ['add', '--all', '--', ':/', ...without]);
  if ((await git.ask(path, ['diff-index', '--cached', '--quiet', 'HEAD'])).exitCode === 0) return 'nothing-to-commit';
  const commit = ['commit', '--quiet', '--no-verify', '--cleanup=whitespace', '-F', '-'];
  await commitWith(git, path, commit, { input: message });
  return 'committed';
}
