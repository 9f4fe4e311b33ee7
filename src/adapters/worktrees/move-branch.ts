// Moves a branch from one commit to another, together with a clean checkout of it. A checkout with changes in it is left alone.
import { PLAN_STATE_FILE } from '../../core/files/plan-state.ts';
import { listed } from '../../core/model/tasks.ts';
import type { BranchStep, Intend, MergeAnswer } from '../../core/ports/merging.ts';
import { oneLine } from '../../text/one-line.ts';
import { showText } from '../../text/show.ts';
import { type BranchCheckout, checkoutOf } from '../git/checked-out.ts';
import { type GitRepo, gitFailure } from '../git/git.ts';
import { registeredFolder } from '../git/git-folders.ts';
import { unfinishedOperation } from '../git/git-worktrees.ts';
import { findBranch } from '../git/history.ts';
import { statusOf } from '../git/tree-status.ts';
import type { Reached } from '../system/failpoints.ts';

export interface BranchMove extends BranchStep {
  readonly branch: string;
  /** A ref that moves along, so that what is on the branch is kept even if somebody deletes the branch. */
  readonly pin?: string;
}

export type BranchMover = GitRepo & { readonly reached: Reached };

type Moved = Extract<MergeAnswer, { kind: 'merged' | 'moved' | 'occupied' }>;

/** The branch stays where it is if it is not at `from`, or if `intend` does not agree. */
export async function moveBranch(
  repo: BranchMover,
  move: BranchMove,
  intend: Intend,
): Promise<Moved | Extract<MergeAnswer, { kind: 'withheld' }>> {
  const way = await wayTo(repo, move);
  if (way.kind !== 'free') return way;
  if (!(await intend({ from: move.from, to: move.to }))) return { kind: 'withheld' };
  repo.reached('merge.intent');
  return makeMove(repo, move, way.checkout);
}

/** The same for a move that was intended before. */
export async function repeatMove(repo: BranchMover, move: BranchMove): Promise<Moved> {
  const way = await wayTo(repo, move);
  return way.kind === 'free' ? makeMove(repo, move, way.checkout) : way;
}

type Way = { readonly kind: 'free'; readonly checkout: string | undefined } | Exclude<Moved, { kind: 'merged' }>;

/** A clean checkout of the branch moves along, as with a pull. If the checkout has changes, the move waits. */
async function wayTo(repo: BranchMover, { branch, from }: BranchMove): Promise<Way> {
  const checkout = await checkoutOf(repo, branch);
  if (checkout === undefined) return { kind: 'free', checkout: undefined };
  const { head, changed } = await statusOf(repo.git, checkout.path, 'normal');
  const unfinished = unfinishedIn(repo, checkout);
  if (unfinished !== undefined)
    return occupied(branch, checkout.path, `where ${unfinished} is in progress. Finish or abort it`);
  // Cadre changes it all the time; git does not overwrite it.
  const theirs = changed.filter((file) => file !== PLAN_STATE_FILE).map(showText);
  if (theirs.length > 0)
    return occupied(branch, checkout.path, `which has uncommitted changes in ${listed(theirs)}. Commit or stash them`);
  return head === (from ?? undefined) ? { kind: 'free', checkout: checkout.path } : { kind: 'moved', tip: head };
}

function unfinishedIn({ gitFolder }: GitRepo, { path, isRebasing }: BranchCheckout): string | undefined {
  return isRebasing ? 'a rebase' : unfinishedOperation(registeredFolder(gitFolder, path) ?? gitFolder);
}

function occupied(branch: string, path: string, what: string): Extract<Moved, { kind: 'occupied' }> {
  const why = `${branch} is checked out in ${showText(path)}, ${what}, or check out another branch there.`;
  return { kind: 'occupied', path, why };
}

async function makeMove(repo: BranchMover, move: BranchMove, checkout: string | undefined): Promise<Moved> {
  const { branch, from, to, pin } = move;
  if (checkout !== undefined && pin !== undefined)
    await repo.git.must(repo.root, ['update-ref', '--no-deref', pin, to]);
  const answer = await (checkout === undefined
    ? repo.git.ask(repo.root, ['update-ref', '-m', 'cadre: merge', '--stdin'], { input: transaction(move) })
    : repo.git.ask(checkout, ['merge', '--ff-only', '--no-edit', '--quiet', '--no-autostash', to]));
  repo.reached('merge.ref');
  if (answer.exitCode === 0) return { kind: 'merged', commit: to };
  const now = await findBranch(repo, branch);
  // A git that outlived its cadre may have made the same move.
  if (now === to) return { kind: 'merged', commit: to };
  if (now !== (from ?? undefined)) return { kind: 'moved', tip: now };
  if (checkout === undefined) throw gitFailure(repo.root, ['update-ref', branch], answer);
  return occupied(branch, checkout, whatKeeps(answer.stderr));
}

/** Git lists the files that it would have to overwrite, one on each line. */
function whatKeeps(stderr: string): string {
  const files = [...stderr.matchAll(/^\t(.+)$/gm)].map(([, file = '']) => showText(file));
  if (files.length > 0)
    return `which has untracked files that the merge would overwrite: ${listed(files)}. Move them away`;
  return `which git cannot fast-forward (${oneLine(stderr)}). Fix that`;
}

/**
 * A ref of cadre's own is replaced if somebody made it a symbolic one, which would move another branch. A base branch may be
 * one: a person's `master` that leads to `main`.
 */
function transaction({ branch, from, to, pin }: BranchMove): string {
  const ref = `refs/heads/${branch}`;
  const move = from === null ? `create ${ref} ${to}` : `update ${ref} ${to} ${from}`;
  return pin === undefined ? `${move}\n` : `option no-deref\nupdate ${pin} ${to}\noption no-deref\n${move}\n`;
}
