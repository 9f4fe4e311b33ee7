// Merges on real git without a checkout: a tree, a commit, and a ref that moves from where it was or not at all.
import { MERGE_TRAILER, mergeMark, mergeMessage } from '../../core/files/merge-message.ts';
import { type Commit, short } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type {
  BaseRequest,
  LandingTrial,
  MergeAnswer,
  MergeRequest,
  Merging,
  VerifyMerged,
} from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import { baseRef } from '../git/cadre-refs.ts';
import { commitWith, type Git, type GitRepo, gitFailure, NO_LOCKS, openGit, resolveRefs, treesOf } from '../git/git.ts';
import { branchTip, findBase, isAncestor, mergeBase, missingBranch } from '../git/history.ts';
import { pullRequests } from '../git/pull-requests.ts';
import type { Reached } from '../system/failpoints.ts';
import { moveBranch, movedTo } from './move-branch.ts';
import { mergeOnRemote, syncWithRemote } from './remote-merge.ts';

export interface MergingOptions {
  readonly root: string;
  readonly gitFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly git?: Git;
  readonly pulls?: PullRequests;
  readonly reached?: Reached;
}

interface MergeContext extends Required<Omit<MergingOptions, 'env'>> {
  /** Commits with another commit that is known to be merged into them. */
  readonly holds: Map<Commit, Commit>;
  /** Merged trees that have passed verification: a waiting merge is tried often, but verified once. */
  readonly passed: Set<string>;
}

export function merging({
  root,
  gitFolder,
  env,
  git = openGit({ env }),
  pulls = pullRequests({ root, env, git }),
  reached = () => {},
}: MergingOptions): Merging {
  const context: MergeContext = { root, gitFolder, git, pulls, reached, holds: new Map(), passed: new Set() };
  return {
    async merge(request, verify) {
      const squashed = await squash(context, request, verify);
      return squashed.kind === 'ready' ? advance(context, squashed) : squashed;
    },
    async offer(request, verify) {
      const problem = await syncWithRemote(context, request.planBranch);
      if (problem !== undefined) return problem;
      const squashed = await squash(context, request, verify);
      return squashed.kind === 'ready' ? mergeOnRemote(context, { ...squashed, request }) : squashed;
    },
    takeIn: async (planBranch) => void (await syncWithRemote(context, planBranch)),
    async merged(run, planBranch, pin) {
      return findMerged(context, { run, pin, ...(await planBranchOf(context, run, planBranch)) });
    },
    async syncBase({ planBranch, base, message }, verify) {
      const [ours, theirs] = await Promise.all([branchTip(context, planBranch), baseTip(context, base)]);
      return mergeBranch(context, { branch: planBranch, ours, theirs, message }, verify);
    },
    canLand: (request) => tryLanding(context, request),
    async land({ planBranch, base, message }, verify) {
      const [ours, theirs] = [await branchTip(context, base), await branchTip(context, planBranch)];
      return mergeBranch(context, { branch: base, ours, theirs, message }, verify);
    },
  };
}

async function squash(
  context: MergeContext,
  request: MergeRequest,
  verify: VerifyMerged,
): Promise<ReadyMerge | MergeAnswer> {
  const { run, planBranch, base, pin, tip, message } = request;
  const { now, start } = await planBranchOf(context, run, planBranch);
  const before = await findMerged(context, { run, pin, now, start });
  if (before !== undefined) return { kind: 'already', commit: before };
  if (now !== tip) return movedTo(context, tip, now);
  const parents = [tip, ...(await mergedFromBase(context, base, pin, tip))];
  const join = { branch: planBranch, ours: tip, theirs: pin, parents, verified: pin };
  return commitMerge(context, { ...join, message: mergeMessage(message, run, pin) }, verify);
}

async function baseTip(repo: GitRepo, base: string): Promise<Commit> {
  return ((await findBase(repo, base)) ?? missingBranch(base)).commit;
}

interface PlanBranchRange {
  readonly now: Commit;
  /** Where the plan's branch was when the run started. */
  readonly start: Commit | undefined;
}

async function planBranchOf({ git, root }: GitRepo, run: Tree, planBranch: string): Promise<PlanBranchRange> {
  const ref = `refs/heads/${planBranch}`;
  const found = await resolveRefs(git, root, [ref, baseRef(run)]);
  return { now: found.get(ref) ?? missingBranch(planBranch), start: found.get(baseRef(run)) };
}

interface MergedSearch extends PlanBranchRange {
  readonly run: Tree;
  readonly pin: Commit;
}

/** Looks for the merge of this commit among the commits on the branch since the run started. */
async function findMerged({ git, root }: GitRepo, { run, pin, now, start }: MergedSearch): Promise<Commit | undefined> {
  if (start === now) return undefined;
  const format = `--format=%H%x00%(trailers:key=${MERGE_TRAILER},valueonly)%x00`;
  const range = start === undefined ? [now, '--max-count=1000'] : [`${start}..${now}`];
  const fields = (await git.must(root, ['log', '--first-parent', format, ...range], { env: NO_LOCKS })).split('\0');
  for (let index = 0; index + 1 < fields.length; index += 2)
    if (fields[index + 1]?.split('\n').includes(mergeMark(run, pin))) return fields[index]?.trim();
  return undefined;
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

interface BranchMerge {
  readonly branch: string;
  readonly ours: Commit;
  readonly theirs: Commit;
  readonly message: string;
}

/** Merges one branch into another: a fast-forward where that is enough, otherwise a commit with two parents. */
async function mergeBranch(context: MergeContext, merge: BranchMerge, verify: VerifyMerged): Promise<MergeAnswer> {
  const { branch, ours, theirs } = merge;
  if (context.holds.get(ours) === theirs) return { kind: 'already', commit: ours };
  const common = ours === theirs ? ours : await mergeBase(context, ours, theirs);
  if (common === theirs) {
    context.holds.set(ours, theirs);
    return { kind: 'already', commit: ours };
  }
  if (common === ours) return moveBranch(context, { branch, from: ours, to: theirs });
  const merged = await commitMerge(context, { ...merge, parents: [ours, theirs], verified: undefined }, verify);
  return merged.kind === 'ready' ? advance(context, merged) : merged;
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

function advance(context: MergeContext, { branch, ours, commit }: ReadyMerge): Promise<MergeAnswer> {
  return moveBranch(context, { branch, from: ours, to: commit });
}

async function tryLanding(repo: GitRepo, { planBranch, base }: BaseRequest): Promise<LandingTrial> {
  const { commit: ours, name } = (await findBase(repo, base)) ?? missingBranch(base);
  const theirs = await branchTip(repo, planBranch);
  const common = await mergeBase(repo, ours, theirs);
  if (common === theirs) return { kind: 'lands', how: 'nothing-to-do' };
  if (common === ours) return { kind: 'lands', how: 'fast-forward' };
  const joined = await mergeTree(repo, ours, theirs);
  if (joined.kind === 'turned-down') throw new Failure('person', 'unrelated', joined.why);
  return joined.kind === 'conflict' ? { ...joined, base: name } : { kind: 'lands', how: 'merge' };
}
