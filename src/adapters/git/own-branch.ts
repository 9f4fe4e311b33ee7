// A branch of cadre's own that an agent made symbolic: a commit or a reset there would move the branch that it leads to.
import { type GitRepo, NO_LOCKS } from './git.ts';

/** Makes it a separate branch again, at the same commit. */
export async function separateBranch({ git, root }: Pick<GitRepo, 'git' | 'root'>, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  if ((await git.ask(root, ['symbolic-ref', '--quiet', ref], { env: NO_LOCKS })).exitCode !== 0) return;
  const [commit] = await git.resolve(root, [ref]);
  const words = commit === undefined ? ['-d', ref] : [ref, commit];
  await git.must(root, ['update-ref', '--no-deref', ...words]);
}
