// What the engine finds out for itself: worktrees and branches behind a signal, merges, passed deadlines, losses.
import type { Commit } from '../core/model/commit.ts';
import { overdue } from '../core/model/deadlines.ts';
import type { Event, EventOfKind, Signal } from '../core/model/event.ts';
import { Failure } from '../core/model/failure.ts';
import type { PlaceId, SessionId } from '../core/model/ids.ts';
import type { LandingFacts, PlanWork, WorktreeFacts } from '../core/model/run.ts';
import {
  PLANNING_TREE,
  REVIEW_TREE,
  type Tree,
  treeAroundFile,
  treeOfBranch,
  treeOfSession,
} from '../core/model/run-name.ts';
import { isLive } from '../core/model/run-status.ts';
import { isManaged, type SessionEntry } from '../core/model/session.ts';
import { isWritten } from '../core/model/workshop/status.ts';
import type { PlanEntry, TaskEntry, World } from '../core/model/world.ts';
import type { Merging } from '../core/ports/merging.ts';
import type { PullRequests } from '../core/ports/pull-requests.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { RunWorktrees } from '../core/ports/worktrees.ts';
import { PLAN_REVIEW, type PlanEvent, WORKING } from '../machines/plan.ts';
import type { PlanFile } from '../plan/name.ts';
import { findSignal } from '../signals/registry.ts';
import { planReviewFacts, reviewFacts } from './review-facts.ts';

export interface ObserverPorts {
  readonly sessions: Sessions;
  readonly trees: RunWorktrees;
  readonly merging: Merging;
}

export interface BaseSetting {
  /** The branch that plans start from and land on, if one is configured. */
  readonly baseBranch: string | undefined;
}

/** What is in the worktree of a run now; undefined if it has none. */
export async function worktreeFacts(
  trees: RunWorktrees,
  tree: Tree,
  task?: TaskEntry,
): Promise<WorktreeFacts | undefined> {
  const state = await trees.look(tree, task?.run?.base ?? undefined);
  if (state.kind === 'gone') return undefined;
  const { head, commits, dirtyCount, unfinished } = state;
  const clean = dirtyCount === 0 && unfinished === undefined;
  return { head, commits, clean, ...(await reviewFacts(trees, task, head)) };
}

/** Whether the plan branch, as it is now, could be merged into its base; undefined if nothing was built. */
export async function landingFacts(
  { trees, merging }: Pick<ObserverPorts, 'trees' | 'merging'>,
  entry: PlanEntry,
  baseBranch: string | undefined,
): Promise<LandingFacts | undefined> {
  const { plan, status, work } = entry;
  if (work === undefined || status !== PLAN_REVIEW) return undefined;
  const tip = await trees.tipOf(plan);
  if (tip === undefined) return undefined;
  const facts = { tip, ...(await planReviewFacts(trees, entry, tip)) };
  try {
    const trial = await merging.canLand(tip, await trees.baseOf(plan, baseBranch ?? work.base?.branch));
    if (trial.kind === 'unrelated') return { ...facts, conflict: { base: trial.base, files: [] } };
    return trial.kind === 'conflict' ? { ...facts, conflict: { base: trial.base, files: trial.files } } : facts;
  } catch (error) {
    // A problem with the base is no reason to refuse the work. Landing will report it.
    if (error instanceof Failure) return facts;
    throw error;
  }
}

type FactPorts = Pick<ObserverPorts, 'trees' | 'merging'> & {
  readonly settings: BaseSetting;
  /** The text of the plan file as it is now; undefined where there is none. */
  planText(plan: PlanFile): string | undefined;
};

/** The signal, with the facts that decide whether it is accepted: its worktree, and whose place that is. */
export async function withFacts(
  { trees, merging, settings, planText }: FactPorts,
  world: World,
  signal: Signal,
): Promise<Signal> {
  const session = signal.by.session === undefined ? undefined : world.sessions.get(signal.by.session as SessionId);
  const entry = [...world.plans.values()].find((one) => one.plan === signal.plan);
  const inWorkshop = session?.plans === true ? session : droppedInWorkshop(trees, world, entry, signal);
  if (inWorkshop !== undefined && entry !== undefined) {
    const from = session === undefined ? { ...signal, place: inWorkshop.place } : signal;
    if (inWorkshop.role === 'architect') return { ...from, existing: planText(entry.plan) ?? null };
    return isWritten(entry) ? { ...from, files: await trees.files(inWorkshop.from) } : from;
  }
  const found = session === undefined ? placeContaining(trees, world, signal.file.path) : undefined;
  const place = found?.place ?? signal.place;
  const tree = (session && treeOfSession(session)) ?? found?.tree;
  const worktree = tree === undefined ? undefined : await worktreeFacts(trees, tree, taskOf(world, tree));
  const reviewsPlan =
    PLAN_VERDICTS.includes(findSignal(signal.name)?.plan?.event) &&
    session?.attempt === undefined &&
    (place === undefined || found?.tree.name === REVIEW_TREE);
  const landing =
    reviewsPlan && entry !== undefined ? await landingFacts({ trees, merging }, entry, settings.baseBranch) : undefined;
  return {
    ...signal,
    ...(place === undefined ? {} : { place }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(landing === undefined ? {} : { landing }),
  };
}

/** A review that asks for changes approves if everything that it finds is minor. */
const PLAN_VERDICTS: readonly (PlanEvent | undefined)[] = ['review_approved', 'review_changes_requested'];

/** The task whose run has this worktree. */
export function taskOf({ plans }: World, { plan, name }: Tree): TaskEntry | undefined {
  return plans.get(plan)?.tasks.find(({ run }) => run !== undefined && treeOfBranch(plan, run.branch).name === name);
}

/** The session in whose worktree a sentinel is, where that is the one of a workshop. */
function droppedInWorkshop(
  trees: RunWorktrees,
  { sessions }: World,
  entry: PlanEntry | undefined,
  { by, file }: Signal,
): SessionEntry | undefined {
  const session = entry?.workshop?.session ?? null;
  if (by.session !== undefined || entry === undefined || session === null) return undefined;
  const tree = { plan: entry.plan, name: PLANNING_TREE };
  return file.path.startsWith(`${trees.pathOf(tree)}/`) ? sessions.get(session.id) : undefined;
}

/** The place of the run or of the plan review whose worktree a sentinel is in, whichever plan it is about. */
function placeContaining(trees: RunWorktrees, { plans, sessions }: World, path: string): PlaceOnDisk | undefined {
  const name = treeAroundFile(path);
  if (name === undefined) return undefined;
  for (const { plan, tasks, work } of plans.values()) {
    const tree = { plan, name };
    if (work === undefined || !path.startsWith(`${trees.pathOf(tree)}/`)) continue;
    const run = tasks.find((task) => task.run !== undefined && treeOfBranch(plan, task.run.branch).name === name)?.run;
    const reviewer = name === REVIEW_TREE && work.session !== null ? sessions.get(work.session.id) : undefined;
    const place = (run ?? reviewer)?.place;
    if (place !== undefined) return { place, tree };
  }
  return undefined;
}

interface PlaceOnDisk {
  readonly place: PlaceId;
  readonly tree: Tree;
}

/** The same for all plans. The settings are asked for once: to find out how a project is set up takes many files. */
export async function branchEventsIn(ports: BranchPorts, { plans }: World): Promise<readonly Event[]> {
  const read = [...plans.values()].filter(hasBranchToRead);
  if (read.length === 0) return [];
  const { trees, merging, settings } = ports;
  const events = await Promise.all(read.map((entry) => branchEvents({ trees, merging, settings }, entry)));
  return events.flat();
}

type BranchPorts = Pick<ObserverPorts, 'trees' | 'merging'> & { readonly settings: BaseSetting };

function hasBranchToRead({ status, work }: PlanEntry): boolean {
  if (work === undefined || (work.tip === null && work.incident === null)) return false;
  return status === WORKING || status === PLAN_REVIEW || work.incident !== null;
}

/** What concerns branches: they are read while cadre builds or reviews a plan, and right before the plan is approved. */
export async function branchEvents(
  { trees, merging, settings }: BranchPorts,
  entry: PlanEntry,
): Promise<readonly Event[]> {
  const { plan, work } = entry;
  if (work === undefined || !hasBranchToRead(entry)) return [];
  const found = (await trees.tipOf(plan)) ?? null;
  const events: Event[] = [];
  if (found !== work.tip || work.incident?.of === 'plan-branch')
    events.push({ kind: 'branch-seen', plan, expected: work.tip, found, incident: work.incident?.at ?? null });
  return [...events, ...(await baseEvents({ trees, merging, settings }, plan, work))];
}

/** Whose worktree is no longer linked to the repository as git linked it, or is again. */
export function linkEvents(
  { trees }: Pick<ObserverPorts, 'trees'>,
  world: Pick<World, 'plans'>,
): readonly EventOfKind<'link-seen'>[] {
  return [...world.plans.values()].flatMap(({ plan, status, tasks }) =>
    tasks.flatMap(({ id: task, run }): readonly EventOfKind<'link-seen'>[] => {
      if (!isLive(run) || run.base === null || (status !== WORKING && run.incident == null)) return [];
      const why = trees.integrity(treeOfBranch(plan, run.branch)) ?? null;
      const isKnown = (why === null) === (run.incident == null);
      return isKnown ? [] : [{ kind: 'link-seen', plan, task, attempt: run.attempt, why }];
    }),
  );
}

/** The base gains commits all the time; only one that has lost the commit of the plan is of interest. */
async function baseEvents(
  { trees, merging, settings }: BranchPorts,
  plan: PlanFile,
  { base: expected, incident }: PlanWork,
): Promise<readonly Event[]> {
  if (expected === null) return [];
  try {
    const { branch, commit } = await trees.baseOf(plan, settings.baseBranch ?? expected.branch);
    if (commit === expected.commit && incident?.of !== 'base') return [];
    const contains = commit === expected.commit || (await merging.contains(commit, expected.commit));
    if (contains && incident?.of !== 'base') return [];
    return [{ kind: 'base-seen', plan, expected, found: { branch, commit }, contains }];
  } catch (error) {
    // A base that is missing is reported by what needs it.
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** For a merge that took too long, the plan branch shows whether it was made. */
export async function overdueEvents(
  {
    trees,
    pulls,
    settings,
  }: Pick<ObserverPorts, 'trees'> & { readonly pulls: PullRequests; readonly settings: MergeSetting },
  world: World,
  now: Date,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (const event of overdue(world, now)) {
    const effect = event.wait.for === 'effect' ? world.outbox.get(event.wait.effect) : undefined;
    if (effect?.do !== 'merge') {
      events.push(event);
      continue;
    }
    if (settings.taskMerge === 'pr' && (await mayBeMergedThere(pulls, effect))) continue;
    const moving = world.plans.get(effect.plan)?.work?.moving;
    const isMade = moving?.effect === effect.id && (await trees.tipOf(effect.plan)) === moving.to;
    events.push({ ...event, landed: isMade ? moving.to : null });
  }
  return events;
}

export interface MergeSetting {
  readonly taskMerge: 'local' | 'pr';
}

/** Also true if only the remote knows and it does not answer. */
async function mayBeMergedThere(
  pulls: PullRequests,
  { branch, pin }: { branch: string; pin: Commit },
): Promise<boolean> {
  try {
    return (await pulls.mergedAs(branch, pin)) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return true;
    throw error;
  }
}

/** Agents whose worktree somebody removed: none of the work they report exists. One whose link was changed is not removed. */
export function sessionsWithoutWorktree(
  { sessions, trees }: Pick<ObserverPorts, 'sessions' | 'trees'>,
  world: World,
): readonly SessionEntry[] {
  return [...world.sessions.values()].filter(
    (entry) =>
      isRunning(entry) &&
      entry.failure === undefined &&
      sessions.worktreeOf(entry) === undefined &&
      !isLinkChanged(trees, entry),
  );
}

function isLinkChanged(trees: RunWorktrees, entry: SessionEntry): boolean {
  const tree = entry.attempt === undefined ? undefined : treeOfSession(entry);
  return tree !== undefined && trees.integrity(tree) !== undefined;
}

export function worktreeLostEvent({ id }: SessionEntry): Event {
  const why = 'Its worktree was removed while it was running. What it had committed is on its branch.';
  return { kind: 'session-news', session: id, news: { kind: 'failed', why } };
}

/** Whether cadre started the session itself, for a run, a review or a workshop, and it is running. */
export function isRunning(entry: SessionEntry): boolean {
  return isManaged(entry) && entry.wanted === 'running' && entry.up !== undefined && entry.ended === undefined;
}
