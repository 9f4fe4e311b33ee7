// Merges on real git without a checkout: a tree, a commit, and a ref that moves from where it was or not at all.

import { MERGE_TRAILER, mergeMark, mergeMessage } from '../../core/files/merge-message.ts';
import { type Commit, short } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import { runBranch, type Tree } from '../../core/model/run-name.ts';
import type { BaseRequest, Check, LandingTrial, MergeAnswer, MergeRequest, Merging } from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import { showName, showText } from '../../text/show.ts';
import { occupantOf } from '../git/checked-out.ts';
import { commitWith, type Git, gitFailure, LOOKING, openGit, refsIn, treesOf } from '../git/git.ts';
import { ownFolder, unfinishedIn } from '../git/git-worktrees.ts';
import { refsOf } from '../git/plan-branches.ts';
import { fetched, pullRequests, push, REMOTE } from '../git/pull-requests.ts';
import { statusOf } from '../git/tree-status.ts';
import type { Reached } from '../system/failpoints.ts';
import { baseRef } from './trees.ts';

export interface MergingPlaces {
  readonly root: string;
  readonly gitFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly git?: Git;
  readonly pulls?: PullRequests;
  readonly reached?: Reached;
}

interface Places extends Required<Omit<MergingPlaces, 'env'>> {
  /** For a commit another that was found to be in it. */
  readonly holds: Map<Commit, Commit>;
  /** Trees of tasks that were merged and checked: a merge that waits is tried often, and need not be checked as often. */
  readonly passed: Set<string>;
}

export function merging({
  root,
  gitFolder,
  env,
  git = openGit({ env }),
  pulls = pullRequests({ root, env, git }),
  reached = () => {},
}: MergingPlaces): Merging {
  const places: Places = { root, gitFolder, git, pulls, reached, holds: new Map(), passed: new Set() };
  return {
    merge: (request, check) => squash(places, request, check, advance),
    async offer(request, check) {
      return (await meetRemote(places, request.planBranch)) ?? squash(places, request, check, pullOf(request));
    },
    takeIn: async (planBranch) => void (await meetRemote(places, planBranch)),
    async merged(run, planBranch, pin) {
      const { now, begun } = await whereIs(places, run, planBranch);
      return findMerged(places, run, begun, now, pin);
    },
    async syncBase({ planBranch, base, message }, check) {
      const [ours, theirs] = await Promise.all([tipOf(places, planBranch), baseTip(places, base)]);
      return bring(places, { branch: planBranch, ours, theirs, message }, check);
    },
    canLand: (request) => tryLanding(places, request),
    async land({ planBranch, base, message }, check) {
      const [ours, theirs] = [await tipOf(places, base), await tipOf(places, planBranch)];
      return bring(places, { branch: base, ours, theirs, message }, check);
    },
  };
}

/** Puts a finished merge into its place. */
type Place = (places: Places, joining: Joining, commit: Commit) => Promise<MergeAnswer>;

async function squash(
  places: Places,
  { run, planBranch, base, pin, tip, message }: MergeRequest,
  check: Check,
  place: Place,
): Promise<MergeAnswer> {
  const { now, begun } = await whereIs(places, run, planBranch);
  const before = await findMerged(places, run, begun, now, pin);
  if (before !== undefined) return { kind: 'already', commit: before };
  if (now !== tip) return moved(places, tip, now);
  const parents = [tip, ...(await takenIn(places, base, pin, tip))];
  const join = { branch: planBranch, ours: tip, theirs: pin, parents, verified: pin };
  return put(places, { ...join, message: mergeMessage(message, run, pin) }, check, place);
}

/** The branch here and the one on the remote become the same; an answer where that cannot be. */
async function meetRemote(places: Places, branch: string): Promise<MergeAnswer | undefined> {
  const { git, root } = places;
  const [here, there] = [await tipOf(places, branch), await fetched(git, root, branch)];
  if (here === there) return undefined;
  if (there === undefined || (await isAncestor(places, there, here))) {
    await push(git, root, here, branch);
    return undefined;
  }
  if (!(await isAncestor(places, here, there)))
    return {
      kind: 'waits',
      why: `${branch} has gone on here and on ${REMOTE}, each in its own way. Bring the two together.`,
      needsPerson: true,
    };
  const answer = await forward(places, branch, here, there);
  return answer.kind === 'merged' ? undefined : answer;
}

/** The merge is made on the remote, and the branch here goes where the one there has gone. */
function pullOf({ run, pin }: MergeRequest): Place {
  return async (places, { branch, ours, parents, message }) => {
    const { git, root, pulls } = places;
    // What the run has taken in of the base is told by its history alone.
    const pull = { head: runBranch(run), commit: pin, into: branch, message, keepsHistory: parents.length > 1 };
    const pulled = await pulls.merge(pull);
    if (pulled.kind === 'turned-down') return { kind: 'turned-down', why: pulled.why };
    if (pulled.kind === 'waits') return { kind: 'waits', why: pulled.why, needsPerson: pulled.needsPerson };
    const there = await fetched(git, root, branch);
    return there === undefined ? missing(branch) : forward(places, branch, ours, there);
  };
}

async function tipOf({ git, root }: Places, branch: string): Promise<Commit> {
  const ref = `refs/heads/${branch}`;
  return (await refsIn(git, root, [ref])).get(ref) ?? missing(branch);
}

async function baseTip(places: Places, base: string): Promise<Commit> {
  return ((await findBase(places, base)) ?? missing(base)).commit;
}

/** The base and what git calls it, which is another name where only the remote has it. */
async function findBase({ git, root }: Places, base: string) {
  const found = await refsIn(git, root, refsOf(base));
  for (const ref of refsOf(base)) {
    const commit = found.get(ref);
    if (commit !== undefined) return { commit, name: ref.replace(/^refs\/(?:heads|remotes)\//, '') };
  }
  return undefined;
}

function missing(branch: string): never {
  throw new Failure(
    'person',
    'no-branch',
    `There is no branch "${showName(branch)}". "git reflog" may still know its commit; make it again ("git branch ${showName(branch)} <commit>"), then try again.`,
  );
}

/** The plan's branch now, and when the run began. */
async function whereIs({ git, root }: Places, run: Tree, planBranch: string) {
  const ref = `refs/heads/${planBranch}`;
  const found = await refsIn(git, root, [ref, baseRef(run)]);
  return { now: found.get(ref) ?? missing(planBranch), begun: found.get(baseRef(run)) };
}

/** Looks for the merge of this very commit among what has come to the branch since the run began. */
async function findMerged(
  { git, root }: Places,
  run: Tree,
  begun: Commit | undefined,
  now: Commit,
  pin: Commit,
): Promise<Commit | undefined> {
  if (begun === now) return undefined;
  const format = `--format=%H%x00%(trailers:key=${MERGE_TRAILER},valueonly)%x00`;
  const range = begun === undefined ? [now, '--max-count=1000'] : [`${begun}..${now}`];
  const fields = (await git.must(root, ['log', '--first-parent', format, ...range], { env: LOOKING })).split('\0');
  for (let index = 0; index + 1 < fields.length; index += 2)
    if (fields[index + 1]?.split('\n').includes(mergeMark(run, pin))) return fields[index]?.trim();
  return undefined;
}

/**
 * What the run has of the base and the plan's branch has not. A squashed commit forgets it unless it is its parent, and the
 * conflicts that the run has resolved would all come back with the next merge.
 */
async function takenIn(places: Places, base: string, pin: Commit, tip: Commit): Promise<readonly Commit[]> {
  const onto = (await findBase(places, base))?.commit;
  if (onto === undefined || places.holds.get(tip) === onto) return [];
  const [ofRun, ofPlan] = await Promise.all([commonOf(places, onto, pin), commonOf(places, onto, tip)]);
  if (ofRun === '' || ofRun === ofPlan) return [];
  return (await isAncestor(places, ofRun, tip)) ? [] : [ofRun];
}

async function isAncestor({ git, root }: Places, older: Commit, newer: Commit): Promise<boolean> {
  return (await git.ask(root, ['merge-base', '--is-ancestor', older, newer], { env: LOOKING })).exitCode === 0;
}

async function moved(places: Places, tip: Commit, now: Commit): Promise<MergeAnswer> {
  return { kind: 'moved', tip: now, isAhead: await isAncestor(places, tip, now) };
}

interface Bringing {
  readonly branch: string;
  readonly ours: Commit;
  readonly theirs: Commit;
  readonly message: string;
}

/** One branch into another, both of which go on: forward where that is all, with a commit of two parents elsewhere. */
async function bring(places: Places, bringing: Bringing, check: Check): Promise<MergeAnswer> {
  const { branch, ours, theirs } = bringing;
  if (places.holds.get(ours) === theirs) return { kind: 'already', commit: ours };
  const common = ours === theirs ? ours : await commonOf(places, ours, theirs);
  if (common === theirs) {
    places.holds.set(ours, theirs);
    return { kind: 'already', commit: ours };
  }
  if (common === ours) return forward(places, branch, ours, theirs);
  return put(places, { ...bringing, parents: [ours, theirs], verified: undefined }, check, advance);
}

async function commonOf({ git, root }: Places, ours: Commit, theirs: Commit): Promise<Commit> {
  return (await git.ask(root, ['merge-base', ours, theirs], { env: LOOKING })).stdout.trim();
}

interface Joining extends Bringing {
  readonly parents: readonly Commit[];
  /** The commit that was verified: a merged tree that is the same needs no check. */
  readonly verified: Commit | undefined;
}

async function put(places: Places, joining: Joining, check: Check, place: Place): Promise<MergeAnswer> {
  const { git, root, reached } = places;
  const { ours, theirs, parents, verified, message } = joining;
  const [joined, [present, known]] = await Promise.all([
    mergeTree(places, ours, theirs),
    treesOf(git, root, [ours, verified ?? ours]),
  ]);
  reached('merge.tree');
  if (joined.kind !== 'tree') return joined;
  // Its whole content is on the branch, from another task or by hand.
  if (joined.tree === present && parents.length === 1) return { kind: 'already', commit: ours };
  const above = parents.flatMap((parent) => ['-p', parent]);
  const words = ['commit-tree', joined.tree, ...above, '-F', '-'];
  const commit = (await commitWith(git, root, words, { input: message })).trim();
  reached('merge.commit');
  if (verified === undefined || (joined.tree !== known && !places.passed.has(joined.tree))) {
    const result = await check(commit);
    if (result.kind !== 'passed') return { kind: 'unverified', result };
    if (verified !== undefined) places.passed.add(joined.tree);
  }
  reached('merge.check');
  inherit(places, ours, commit);
  return place(places, joining, commit);
}

/** What was in a commit is in those that come after it. */
function inherit({ holds }: Places, before: Commit, after: Commit): void {
  const held = holds.get(before);
  if (held !== undefined) holds.set(after, held);
  holds.delete(before);
}

type Joined =
  | { readonly kind: 'tree'; readonly tree: string }
  | Extract<MergeAnswer, { kind: 'conflict' | 'turned-down' }>;

async function mergeTree(places: Places, ours: Commit, theirs: Commit): Promise<Joined> {
  const { git, root } = places;
  const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const answer = await git.ask(root, words);
  const [tree = '', ...files] = answer.stdout.split('\0').filter((field) => field !== '');
  if (answer.exitCode === 0) return { kind: 'tree', tree: tree.trim() };
  if (answer.exitCode === 1 && files.length > 0) return { kind: 'conflict', files: [...new Set(files)] };
  if ((await commonOf(places, ours, theirs)) === '') return { kind: 'turned-down', why: unrelated(ours, theirs) };
  throw gitFailure(root, words, answer);
}

function unrelated(ours: Commit, theirs: Commit): string {
  return `${short(theirs)} has no commit in common with ${short(ours)}, onto which it is to be merged: its history was begun anew. Put the work onto that commit.`;
}

function advance(places: Places, { branch, ours }: Joining, commit: Commit): Promise<MergeAnswer> {
  return forward(places, branch, ours, commit);
}

/** The branch goes from the one commit to the other, or stays where somebody else has put it. */
async function forward(places: Places, branch: string, from: Commit, to: Commit): Promise<MergeAnswer> {
  const { git, root, reached } = places;
  const occupant = await occupantOf(git, root, branch);
  if (occupant !== undefined) return bringAlong(places, branch, occupant.path, occupant.isRebasing, from, to);
  const words = ['update-ref', '-m', 'cadre: merge', `refs/heads/${branch}`, to, from];
  const answer = await git.ask(root, words);
  reached('merge.ref');
  if (answer.exitCode === 0) return { kind: 'merged', commit: to };
  const now = await tipOf(places, branch);
  if (now === from) throw gitFailure(root, words, answer);
  return moved(places, from, now);
}

/**
 * Where a person has the branch checked out and nothing changed in it, the checkout goes forward with the branch, as a pull
 * would do it. Where something is changed, it is theirs: nothing is touched, and the merge waits.
 */
async function bringAlong(
  places: Places,
  branch: string,
  path: string,
  isRebasing: boolean,
  from: Commit,
  to: Commit,
): Promise<MergeAnswer> {
  const { git, gitFolder, reached } = places;
  const occupied = (what: string): MergeAnswer => ({
    kind: 'occupied',
    path,
    why: `${branch} is checked out in ${showText(path)}, ${what}, or check out another branch there.`,
  });
  const { head, changed } = await statusOf(git, path, 'normal');
  const unfinished = isRebasing ? 'a rebase' : unfinishedIn(ownFolder(path, gitFolder) ?? gitFolder);
  if (unfinished !== undefined) return occupied(`where ${unfinished} is not finished. Finish or abort it`);
  if (changed.length > 0) return occupied('where files are changed. Commit or stash what is there');
  if (head !== from) return moved(places, from, head ?? (await tipOf(places, branch)));
  const answer = await git.ask(path, ['merge', '--ff-only', '--no-edit', '--quiet', '--no-autostash', to]);
  reached('merge.ref');
  if (answer.exitCode === 0) return { kind: 'merged', commit: to };
  const now = await tipOf(places, branch);
  return now === from
    ? occupied(`and git cannot bring it along: ${showText(answer.stderr.trim())} See to it`)
    : moved(places, from, now);
}

async function tryLanding(places: Places, { planBranch, base }: BaseRequest): Promise<LandingTrial> {
  const { commit: ours, name } = (await findBase(places, base)) ?? missing(base);
  const theirs = await tipOf(places, planBranch);
  const common = await commonOf(places, ours, theirs);
  if (common === theirs) return { kind: 'lands', how: 'nothing-to-do' };
  if (common === ours) return { kind: 'lands', how: 'fast-forward' };
  const joined = await mergeTree(places, ours, theirs);
  if (joined.kind === 'turned-down') throw new Failure('person', 'unrelated', joined.why);
  return joined.kind === 'conflict' ? { ...joined, base: name } : { kind: 'lands', how: 'merge' };
}
