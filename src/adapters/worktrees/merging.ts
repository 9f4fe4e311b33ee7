// Merges on real git without a checkout: a tree, a commit, and a ref that moves from where it was or not at all.
import { mergeMessage } from '../../core/files/merge-message.ts';
import { type Commit, short } from '../../core/model/commit.ts';
import type {
  FinishAnswer,
  Intend,
  LandingTrial,
  MergeAnswer,
  MergeRequest,
  Merging,
  RecordedMove,
  VerifyMerged,
} from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import type { FoundBase } from '../../core/ports/worktrees.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import { tipPin } from '../git/cadre-refs.ts';
import { commitWith, type Git, type GitRepo, gitFailure, NO_LOCKS, treesOf } from '../git/git.ts';
import { branchTip, findBranch, hasCommit, isAncestor, mergeBase } from '../git/history.ts';
import { findBase } from '../git/plan-branches.ts';
import type { Reached } from '../system/failpoints.ts';
import { moveBranch, repeatMove } from './move-branch.ts';
import { acceptMerge, mergeOnRemote, prepareRemote } from './remote-merge.ts';
import { setPlanBranch } from './set-branch.ts';

export interface MergingOptions {
  readonly root: string;
  readonly gitFolder: string;
  readonly git: Git;
  readonly pulls: PullRequests;
  readonly reached?: Reached;
}

interface MergeContext extends Required<MergingOptions> {
  /** Commits with another commit that is known to be merged into them. */
  readonly holds: Map<Commit, Commit>;
  /** Merged trees that have passed verification: a waiting merge is tried often, but verified once. */
  readonly passed: Set<string>;
  /** Pairs of commits, with whether the history of the first has the second. */
  readonly contained: Map<string, boolean>;
}

export function merging({ root, gitFolder, git, pulls, reached = () => {} }: MergingOptions): Merging {
  const context: MergeContext = {
    root,
    gitFolder,
    git,
    pulls,
    reached,
    holds: new Map(),
    passed: new Set(),
    contained: new Map(),
  };
  return {
    merge: (request, verify, intend) => mergeRun(context, request, verify, intend),
    offer: (request, verify, intend) => offer(context, request, verify, intend),
    finish: (move) => finish(context, move),
    syncBase({ plan, tip, base, message }, verify, intend) {
      const merge = { ...planBranch(plan), ours: tip, theirs: base.commit, message };
      return mergeBranch(context, merge, verify, intend);
    },
    setBranch: (request) => setPlanBranch(context, request),
    contains: (head, commit) => contains(context, head, commit),
    hasChangesOf: async (head, commit) =>
      (await contains(context, head, commit)) || (await hasSamePatch(context, head, commit)),
    canLand: (tip, base) => tryLanding(context, tip, base),
    async land({ tip, base, message }, intend) {
      const merge = { branch: base, ours: await branchTip(context, base), theirs: tip, message };
      return mergeBranch(context, merge, async () => ({ kind: 'passed' }), intend);
    },
  };
}

function planBranch(plan: PlanFile): { readonly branch: string; readonly pin: string } {
  return { branch: branchOf(plan), pin: tipPin(plan) };
}

async function mergeRun(
  context: MergeContext,
  request: MergeRequest,
  verify: VerifyMerged,
  intend: Intend,
): Promise<MergeAnswer> {
  const squashed = await squash(context, request, verify);
  return squashed.kind === 'ready' ? advance(context, squashed, intend) : squashed;
}

async function offer(
  context: MergeContext,
  request: MergeRequest,
  verify: VerifyMerged,
  intend: Intend,
): Promise<MergeAnswer> {
  const remote = await prepareRemote(context, request);
  if (remote.kind === 'merged') return acceptMerge(context, request, remote.commit, intend);
  if (remote.kind !== 'same') return remote;
  const squashed = await squash(context, request, verify);
  return squashed.kind === 'ready' ? mergeOnRemote(context, request, squashed, intend) : squashed;
}

async function squash(
  context: MergeContext,
  request: MergeRequest,
  verify: VerifyMerged,
): Promise<ReadyMerge | MergeAnswer> {
  const { run, base, pin, tip, message } = request;
  const place = planBranch(run.plan);
  // Not only when the branch moves: a merged tree may have to be verified first, which takes time.
  const now = await findBranch(context, place.branch);
  if (now !== tip) return { kind: 'moved', tip: now };
  const parents = [tip, ...(await mergedFromBase(context, base, pin, tip))];
  const join = { ...place, ours: tip, theirs: pin, parents, verified: pin };
  return commitMerge(context, { ...join, message: mergeMessage(message, run, pin) }, verify);
}

/**
 * The commit of the base that the run has merged and the plan's branch has not. It becomes a parent of the squashed commit;
 * otherwise all conflicts that the run has resolved would come back with the next merge.
 */
async function mergedFromBase(
  context: MergeContext,
  base: string,
  pin: Commit,
  tip: Commit,
): Promise<readonly Commit[]> {
  const onto = (await findBase(context, base))?.commit;
  if (onto === undefined || context.holds.get(tip) === onto) return [];
  const [ofRun, ofPlan] = await Promise.all([mergeBase(context, onto, pin), mergeBase(context, onto, tip)]);
  if (ofRun === undefined || ofRun === ofPlan) return [];
  return (await isAncestor(context, ofRun, tip)) ? [] : [ofRun];
}

/** A move that was cut off is made again with the same commit, because the git that made it may still be running. */
async function finish(context: MergeContext, { plan, ...move }: RecordedMove): Promise<FinishAnswer> {
  const now = await findBranch(context, move.branch);
  if (now === move.to) return { kind: 'merged', commit: move.to };
  if (now !== (move.from ?? undefined)) return { kind: 'moved', tip: now };
  if (!(await hasCommit(context, move.to))) return { kind: 'lost' };
  return repeatMove(context, plan === undefined ? move : { ...move, pin: tipPin(plan) });
}

/** Asked about the same commits again and again, and the answer never changes. */
async function contains(context: MergeContext, head: Commit, commit: Commit): Promise<boolean> {
  const key = `${head} ${commit}`;
  const known = context.contained.get(key) ?? (await isAncestor(context, commit, head));
  context.contained.set(key, known);
  return known;
}

/** After a rebase the commit has another name. Git marks a commit whose patch the other side has with a minus sign. */
async function hasSamePatch({ git, root }: GitRepo, head: Commit, commit: Commit): Promise<boolean> {
  const answer = await git.ask(root, ['cherry', head, commit, `${commit}^`], { env: NO_LOCKS });
  return answer.exitCode === 0 && answer.stdout.startsWith('- ');
}

interface BranchMerge {
  readonly branch: string;
  /** The ref that moves along. */
  readonly pin?: string;
  readonly ours: Commit;
  readonly theirs: Commit;
  readonly message: string;
}

/** Merges one branch into another: a fast-forward where that is enough, otherwise a commit with two parents. */
async function mergeBranch(
  context: MergeContext,
  merge: BranchMerge,
  verify: VerifyMerged,
  intend: Intend,
): Promise<MergeAnswer> {
  const { branch, pin, ours, theirs } = merge;
  if (context.holds.get(ours) === theirs) return { kind: 'already', commit: ours };
  const common = ours === theirs ? ours : await mergeBase(context, ours, theirs);
  if (common === theirs) {
    context.holds.set(ours, theirs);
    return { kind: 'already', commit: ours };
  }
  if (common === ours)
    return moveBranch(context, { branch, from: ours, to: theirs, ...(pin === undefined ? {} : { pin }) }, intend);
  const merged = await commitMerge(context, { ...merge, parents: [ours, theirs], verified: undefined }, verify);
  return merged.kind === 'ready' ? advance(context, merged, intend) : merged;
}

interface Join extends BranchMerge {
  readonly parents: readonly Commit[];
  /** The commit that was verified: if the merged tree is the same, it is not verified again. */
  readonly verified: Commit | undefined;
}

/** A merge whose commit no branch has yet. */
interface ReadyMerge extends Join {
  readonly kind: 'ready';
  readonly commit: Commit;
}

async function commitMerge(context: MergeContext, join: Join, verify: VerifyMerged): Promise<ReadyMerge | MergeAnswer> {
  const { git, root, reached } = context;
  const { ours, theirs, parents, verified, message } = join;
  const [joined, [present, known]] = await Promise.all([
    mergeTree(context, ours, theirs),
    treesOf(git, root, [ours, verified ?? ours]),
  ]);
  reached('merge.tree');
  if (joined.kind !== 'tree') return joined;
  // The branch already has all of its content, from another task or by hand.
  if (joined.tree === present && parents.length === 1) return { kind: 'already', commit: ours };
  const above = parents.flatMap((parent) => ['-p', parent]);
  const words = ['commit-tree', joined.tree, ...above, '-F', '-'];
  const commit = (await commitWith(git, root, words, { input: message })).trim();
  reached('merge.commit');
  if (verified === undefined || (joined.tree !== known && !context.passed.has(joined.tree))) {
    const result = await verify(commit);
    if (result.kind !== 'passed') return { kind: 'unverified', result };
    if (verified !== undefined) context.passed.add(joined.tree);
  }
  reached('merge.check');
  inherit(context, ours, commit);
  return { kind: 'ready', ...join, commit };
}

/** What was merged into a commit is also in its descendants. */
function inherit({ holds }: MergeContext, before: Commit, after: Commit): void {
  const held = holds.get(before);
  if (held !== undefined) holds.set(after, held);
  holds.delete(before);
}

type MergedTree =
  | { readonly kind: 'tree'; readonly tree: string }
  | Extract<MergeAnswer, { kind: 'conflict' | 'turned-down' }>;

async function mergeTree(repo: GitRepo, ours: Commit, theirs: Commit): Promise<MergedTree> {
  const { git, root } = repo;
  const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const answer = await git.ask(root, words);
  const [tree = '', ...files] = answer.stdout.split('\0').filter((field) => field !== '');
  if (answer.exitCode === 0) return { kind: 'tree', tree: tree.trim() };
  if (answer.exitCode === 1 && files.length > 0) return { kind: 'conflict', files: [...new Set(files)] };
  if ((await mergeBase(repo, ours, theirs)) === undefined) return { kind: 'turned-down', why: unrelated(ours, theirs) };
  throw gitFailure(root, words, answer);
}

function unrelated(ours: Commit, theirs: Commit): string {
  return `${short(theirs)} cannot be merged onto ${short(ours)}: the two have no common history. Rebase the work onto ${short(ours)}.`;
}

function advance(context: MergeContext, ready: ReadyMerge, intend: Intend): Promise<MergeAnswer> {
  const { branch, pin, ours: from, commit: to } = ready;
  return moveBranch(context, { branch, from, to, ...(pin === undefined ? {} : { pin }) }, intend);
}

async function tryLanding(repo: GitRepo, theirs: Commit, { commit: ours, name }: FoundBase): Promise<LandingTrial> {
  const common = await mergeBase(repo, ours, theirs);
  if (common === theirs) return { kind: 'lands', how: 'nothing-to-do' };
  if (common === ours) return { kind: 'lands', how: 'fast-forward' };
  const joined = await mergeTree(repo, ours, theirs);
  if (joined.kind === 'turned-down') return { kind: 'unrelated', base: name };
  return joined.kind === 'conflict' ? { ...joined, base: name } : { kind: 'lands', how: 'merge' };
}
