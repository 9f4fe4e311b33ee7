// What a merge does on the remote: keeps the plan's branch the same on both sides, and merges by pull request.
import type { Commit } from '../../core/model/commit.ts';
import { runBranch } from '../../core/model/run-name.ts';
import type { MergeAnswer, MergeRequest } from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import { branchTip, isAncestor, missingBranch } from '../git/history.ts';
import { fetchBranch, push, REMOTE } from '../git/remote.ts';
import { type BranchMover, moveBranch } from './move-branch.ts';

/** Pushes or fast-forwards, so that the branch is the same here and on the remote. Answers only if that is not possible. */
export async function syncWithRemote(repo: BranchMover, branch: string): Promise<MergeAnswer | undefined> {
  const [here, there] = [await branchTip(repo, branch), await fetchBranch(repo, branch)];
  if (here === there) return undefined;
  if (there === undefined || (await isAncestor(repo, there, here))) {
    await push(repo, here, branch);
    return undefined;
  }
  if (!(await isAncestor(repo, here, there)))
    return {
      kind: 'waits',
      why: `${branch} and ${REMOTE}/${branch} have diverged. Merge or rebase one of them.`,
      needsPerson: true,
    };
  const answer = await moveBranch(repo, { branch, from: here, to: there });
  return answer.kind === 'merged' ? undefined : answer;
}

export interface RemoteMerge {
  readonly request: MergeRequest;
  readonly message: string;
  readonly parents: readonly Commit[];
}

/** Merges on the remote, then fast-forwards the branch here. */
export async function mergeOnRemote(
  repo: BranchMover & { readonly pulls: PullRequests },
  { request, message, parents }: RemoteMerge,
): Promise<MergeAnswer> {
  const { run, planBranch, pin, tip } = request;
  // Only the history says what the run has merged from the base.
  const keepsHistory = parents.length > 1;
  const pulled = await repo.pulls.merge({ head: runBranch(run), commit: pin, into: planBranch, message, keepsHistory });
  if (pulled.kind === 'turned-down') return { kind: 'turned-down', why: pulled.why };
  if (pulled.kind === 'waits') return { kind: 'waits', why: pulled.why, needsPerson: pulled.needsPerson };
  const there = await fetchBranch(repo, planBranch);
  return there === undefined
    ? missingBranch(planBranch)
    : moveBranch(repo, { branch: planBranch, from: tip, to: there });
}
