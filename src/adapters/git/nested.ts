// Repositories inside of a commit: of these it has a commit's name and none of their files.
import type { Commit } from '../../core/model/commit.ts';
import { type GitRepo, NO_LOCKS } from './git.ts';

/** The mode with which git records another repository. */
const REPOSITORY = '160000';

/** Those that `from` does not have. A submodule says in .gitmodules where its commits are, and is left out. */
export async function nestedIn({ git, root }: GitRepo, from: Commit, to: Commit): Promise<readonly string[]> {
  const listed = await git.must(root, ['diff-tree', '-r', '-z', '--no-renames', from, to], { env: NO_LOCKS });
  // One field with both modes, then one with the path.
  const fields = listed.split('\0');
  const added = fields.flatMap((field, at) => {
    const [before, after] = field.startsWith(':') ? field.slice(1).split(' ') : [];
    return after === REPOSITORY && before !== REPOSITORY ? (fields[at + 1] ?? []) : [];
  });
  if (added.length === 0) return [];
  const words = ['config', '--null', '--blob', `${to}:.gitmodules`, '--get-regexp', '^submodule\\..*\\.path$'];
  const known = (await git.ask(root, words, { env: NO_LOCKS })).stdout.split('\0').map((entry) => entry.split('\n')[1]);
  return added.filter((path) => !known.includes(path));
}
