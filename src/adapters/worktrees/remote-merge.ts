// What a merge does on the remote: pushes the plan's branch, merges by pull request, and fetches the merge.
import { type Commit, short } from '../../core/model/commit.ts';
import { runBranch } from '../../core/model/run-name.ts';
import type { Intend, MergeAnswer, MergeRequest } from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import { branchOf } from '../../plan/name.ts';
import { tipPin } from '../git/cadre-refs.ts';
import { isAncestor, missingBranch } from '../git/history.ts';
import { fetchBranch, push, REMOTE } from '../git/remote.ts';
import { type BranchMover, moveBranch } from './move-branch.ts';

type RemoteMover = BranchMover & { readonly pulls: PullRequests };

export type RemoteState =
  /** The remote has the plan's branch as it is here. */
  | { readonly kind: 'same' }
  /** The pull request was merged before, perhaps for a call that was cut off. */
  | { readonly kind: 'merged'; readonly commit: Commit }
  | Extract<MergeAnswer, { kind: 'waits' }>;

/** Pushes what only the local branch has. Commits that only the remote has must be the merge of this pull request. */
export async function prepareRemote(repo: RemoteMover, { run, pin, tip }: MergeRequest): Promise<RemoteState> {
  const branch = branchOf(run.plan);
  const there = await fetchBranch(repo, branch);
  if (there === tip) return { kind: 'same' };
  if (there === undefined || (await isAncestor(repo, there, tip))) {
    await push(repo, tip, branch);
    return { kind: 'same' };
  }
  const commit = await repo.pulls.mergedAs(runBranch(run), pin);
  return commit === undefined ? foreign(branch, there) : { kind: 'merged', commit };
}

function foreign(branch: string, there: Commit): Extract<MergeAnswer, { kind: 'waits' }> {
  return {
    kind: 'waits',
    why: `${REMOTE}/${branch} is at ${short(there)}, which cadre did not make. Remove it there, or fetch it ("git fetch ${REMOTE} ${branch}:${branch}") and decide about it here.`,
    needsPerson: true,
  };
}

/** Merges on the remote, then moves the branch here. */
export async function mergeOnRemote(
  repo: RemoteMover,
  request: MergeRequest,
  { message, parents }: { readonly message: string; readonly parents: readonly Commit[] },
  intend: Intend,
): Promise<MergeAnswer> {
  const { run, pin } = request;
  // Only the history says what the run has merged from the base.
  const keepsHistory = parents.length > 1;
  const into = branchOf(run.plan);
  const pulled = await repo.pulls.merge({ head: runBranch(run), commit: pin, into, message, keepsHistory });
  if (pulled.kind === 'turned-down') return { kind: 'turned-down', why: pulled.why };
  if (pulled.kind === 'waits') return { kind: 'waits', why: pulled.why, needsPerson: pulled.needsPerson };
  return acceptMerge(repo, request, pulled.commit, intend);
}

/** What the remote reports as the merge counts, if it was made on top of what is on the plan's branch here. */
export async function acceptMerge(
  repo: RemoteMover,
  { run, tip }: MergeRequest,
  commit: Commit,
  intend: Intend,
): Promise<MergeAnswer> {
  const branch = branchOf(run.plan);
  const there = (await fetchBranch(repo, branch)) ?? missingBranch(branch);
  const [below] = await repo.git.resolve(repo.root, [`${commit}^1`]);
  if (below !== tip) return foreign(branch, there);
  return moveBranch(repo, { branch, pin: tipPin(run.plan), from: tip, to: commit }, intend);
}
