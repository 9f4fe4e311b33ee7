// Moves a branch forward, together with a clean checkout of it. A checkout with changes in it is left alone.
import type { Commit } from '../../core/model/commit.ts';
import type { MergeAnswer } from '../../core/ports/merging.ts';
import { showText } from '../../text/show.ts';
import { type BranchCheckout, checkoutOf } from '../git/checked-out.ts';
import { type GitRepo, gitFailure } from '../git/git.ts';
import { gitFolderOf, unfinishedOperation } from '../git/git-worktrees.ts';
import { branchTip, isAncestor } from '../git/history.ts';
import { statusOf } from '../git/tree-status.ts';
import type { Reached } from '../system/failpoints.ts';

export interface BranchMove {
  readonly branch: string;
  readonly from: Commit;
  readonly to: Commit;
}

export type BranchMover = GitRepo & { readonly reached: Reached };

/** The branch stays where it is if it is no longer at `from`. */
export async function moveBranch(repo: BranchMover, move: BranchMove): Promise<MergeAnswer> {
  const { git, root, reached } = repo;
  const { branch, from, to } = move;
  const checkout = await checkoutOf(repo, branch);
  if (checkout !== undefined) return moveCheckout(repo, move, checkout);
  const words = ['update-ref', '-m', 'cadre: merge', `refs/heads/${branch}`, to, from];
  const answer = await git.ask(root, words);
  reached('merge.ref');
  if (answer.exitCode === 0) return { kind: 'merged', commit: to };
  const now = await branchTip(repo, branch);
  if (now === from) throw gitFailure(root, words, answer);
  return movedTo(repo, from, now);
}

export async function movedTo(repo: GitRepo, from: Commit, tip: Commit): Promise<MergeAnswer> {
  return { kind: 'moved', tip, isAhead: await isAncestor(repo, from, tip) };
}

/** Fast-forwards a clean checkout of the branch, as a pull does. If the checkout has changes, the merge waits. */
async function moveCheckout(
  repo: BranchMover,
  move: BranchMove,
  { path, isRebasing }: BranchCheckout,
): Promise<MergeAnswer> {
  const { git, gitFolder, reached } = repo;
  const { branch, from, to } = move;
  const occupied = (what: string): MergeAnswer => ({
    kind: 'occupied',
    path,
    why: `${branch} is checked out in ${showText(path)}, ${what}, or check out another branch there.`,
  });
  const { head, changed } = await statusOf(git, path, 'normal');
  const unfinished = isRebasing ? 'a rebase' : unfinishedOperation(gitFolderOf(path, gitFolder) ?? gitFolder);
  if (unfinished !== undefined) return occupied(`where ${unfinished} is in progress. Finish or abort it`);
  if (changed.length > 0) return occupied('which has uncommitted changes. Commit or stash them');
  if (head !== from) return movedTo(repo, from, head ?? (await branchTip(repo, branch)));
  const answer = await git.ask(path, ['merge', '--ff-only', '--no-edit', '--quiet', '--no-autostash', to]);
  reached('merge.ref');
  if (answer.exitCode === 0) return { kind: 'merged', commit: to };
  const now = await branchTip(repo, branch);
  return now === from
    ? occupied(`which git cannot fast-forward: ${showText(answer.stderr.trim())} Fix that`)
    : movedTo(repo, from, now);
}
