// What the engine sees by itself and has to say: which settings hold, what has taken too long, and who has fallen silent.
import { activityOf } from '../core/model/activity.ts';
import type { Commit } from '../core/model/commit.ts';
import { overdue } from '../core/model/deadlines.ts';
import type { Event, Signal } from '../core/model/event.ts';
import { Failure } from '../core/model/failure.ts';
import type { PlaceId, SessionId } from '../core/model/ids.ts';
import type { LandingFacts, WorktreeFacts } from '../core/model/run.ts';
import { type Tree, treeOfBranch, treeOfSession } from '../core/model/run-name.ts';
import type { SessionEntry } from '../core/model/session.ts';
import type { PlanEntry, World } from '../core/model/world.ts';
import type { Merging } from '../core/ports/merging.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { RunWorktrees } from '../core/ports/worktrees.ts';
import { PLAN_REVIEW } from '../machines/plan.ts';
import { findSignal } from '../signals/registry.ts';

export interface ObserverPorts {
  readonly sessions: Sessions;
  readonly trees: RunWorktrees;
  readonly merging: Merging;
}

export interface BaseSetting {
  /** The branch that plans begin from and land on, where one is configured. */
  readonly baseBranch: string | undefined;
}

/** What is in the worktree of a run at this moment; nothing where there is none. */
export async function factsOf(trees: RunWorktrees, tree: Tree): Promise<WorktreeFacts | undefined> {
  const seen = await trees.look(tree);
  if (seen.kind === 'gone') return undefined;
  const { head, commits, dirtyCount, unfinished } = seen;
  return { head, commits, clean: dirtyCount === 0 && unfinished === undefined };
}

/** Whether what is on the plan's branch now could be merged with where it is to land; nothing where nothing was built. */
export async function landingOf(
  { trees, merging }: Pick<ObserverPorts, 'trees' | 'merging'>,
  { plan, status, work }: PlanEntry,
  baseBranch: string | undefined,
): Promise<LandingFacts | undefined> {
  if (work === undefined || status !== PLAN_REVIEW) return undefined;
  const tip = await trees.tipOf(plan);
  if (tip === undefined) return undefined;
  try {
    const { branch: planBranch, base } = await trees.planBranch(plan, baseBranch);
    const trial = await merging.canLand({ planBranch, base });
    return trial.kind === 'conflict' ? { tip, conflict: { base: trial.base, files: trial.files } } : { tip };
  } catch (error) {
    // What is wrong with the base is no reason against the work; the landing says what it is.
    if (error instanceof Failure) return { tip };
    throw error;
  }
}

/** The signal with what decides whether it is heard: the worktree that it speaks of, and whose place that is. */
export async function lookedInto(
  { trees, merging, settings }: Pick<ObserverPorts, 'trees' | 'merging'> & { readonly settings: BaseSetting },
  world: World,
  signal: Signal,
): Promise<Signal> {
  const session = signal.by.session === undefined ? undefined : world.sessions.get(signal.by.session as SessionId);
  const entry = [...world.plans.values()].find((one) => one.plan === signal.plan);
  const place = session === undefined ? placeAround(trees, entry, signal.file.path) : undefined;
  const tree = (session && treeOfSession(session)) ?? place?.tree;
  const worktree = tree === undefined ? undefined : await factsOf(trees, tree);
  const isOfAll =
    findSignal(signal.name)?.plan?.event === 'review_approved' && session?.attempt === undefined && place === undefined;
  const landing =
    isOfAll && entry !== undefined ? await landingOf({ trees, merging }, entry, settings.baseBranch) : undefined;
  return {
    ...signal,
    ...(place === undefined ? {} : { place: place.place }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(landing === undefined ? {} : { landing }),
  };
}

/** The place of the run in whose worktree a sentinel lies. */
function placeAround(
  trees: RunWorktrees,
  entry: PlanEntry | undefined,
  path: string,
): { readonly place: PlaceId; readonly tree: Tree } | undefined {
  for (const { run } of entry?.tasks ?? []) {
    if (run === undefined || entry === undefined) continue;
    const tree = treeOfBranch(entry.plan, run.branch);
    if (path.startsWith(`${trees.pathOf(tree)}/`)) return { place: run.place, tree };
  }
  return undefined;
}

/**
 * Branches of plans under review that are not where the world has them: somebody has committed there, or what is new on the
 * base was taken in. What is approved is what was looked at, so another look is needed.
 */
export async function tipEvents({ trees }: Pick<ObserverPorts, 'trees'>, world: World): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (const { plan, status, work } of world.plans.values()) {
    if (work === undefined || status !== PLAN_REVIEW) continue;
    const tip = await trees.tipOf(plan);
    if (tip !== undefined && tip !== work.tip) events.push({ kind: 'tip', plan, tip });
  }
  return events;
}

/** Where a merge has taken too long, the branch says whether it came about. */
export async function lateEvents(
  { trees, merging, settings }: ObserverPorts & { readonly settings: MergeSetting },
  world: World,
  now: Date,
): Promise<readonly Event[]> {
  const late: Event[] = [];
  for (const event of overdue(world, now)) {
    const effect = event.wait.for === 'effect' ? world.outbox.get(event.wait.effect) : undefined;
    if (effect?.do !== 'merge') {
      late.push(event);
      continue;
    }
    const { branch } = await trees.planBranch(effect.plan, undefined);
    const run = treeOfBranch(effect.plan, effect.branch);
    const landed = await whereMerged(merging, settings, run, branch, effect.pin);
    if (landed !== undefined) late.push({ ...event, landed });
  }
  return late;
}

export interface MergeSetting {
  readonly taskMerge: 'local' | 'pr';
}

/** The commit that the merge has made, or null; nothing where the remote has to be asked for it and does not answer. */
export async function whereMerged(
  merging: Merging,
  { taskMerge }: MergeSetting,
  run: Tree,
  planBranch: string,
  pin: Commit,
): Promise<Commit | null | undefined> {
  try {
    if (taskMerge === 'pr') await merging.takeIn(planBranch);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
  return (await merging.merged(run, planBranch, pin)) ?? null;
}

/** A program shows an empty box, as one that waits does, while it starts and until it has taken in what it was told. */
export const STILL_FOR = 10_000;

/**
 * Agents that were given something to do and only wait. Said when it was so at two looks in a row, with the box emptied in
 * between: whoever signals and then waits has not fallen silent. Where nothing but the screen tells it, it must have been
 * so at every look for a while.
 */
export class Silence {
  /** Since when each was seen to wait, in milliseconds since 1970. */
  #waiting: ReadonlyMap<SessionId, number> = new Map();
  #silent: ReadonlySet<SessionId> = new Set();

  /** Whether some wait, and only more looks can tell whether they have fallen silent. */
  get isUndecided(): boolean {
    return this.#waiting.size > this.#silent.size;
  }

  async events(
    { sessions, trees }: { readonly sessions: Pick<Sessions, 'look'>; readonly trees: RunWorktrees },
    world: World,
    now: Date,
  ): Promise<readonly Event[]> {
    const atWork = [...world.sessions.values()].filter(isAtWork);
    if (atWork.length === 0) {
      this.#waiting = new Map();
      this.#silent = new Set();
      return [];
    }
    const [time, before] = [now.getTime(), this.#waiting];
    const waiting = new Map<SessionId, number>();
    const silent = new Set<SessionId>();
    for (const { session, sight } of await sessions.look(atWork)) {
      const activity = sight === undefined ? undefined : activityOf(sight, time);
      if (activity?.doing !== 'waits') continue;
      const since = Math.max(before.get(session) ?? time, sight?.lastSent ?? 0);
      waiting.set(session, since);
      if (before.has(session) && (activity.source === 'hook' || time - since >= STILL_FOR)) silent.add(session);
    }
    this.#waiting = waiting;
    this.#silent = silent;
    return Promise.all(atWork.filter(({ id }) => silent.has(id)).map((entry) => silenceOf(trees, entry)));
  }
}

/** Agents whose worktree somebody has removed under them: whatever they say, there is nothing of it any more. */
export function withoutWorktree({ sessions }: Pick<ObserverPorts, 'sessions'>, world: World): readonly SessionEntry[] {
  return [...world.sessions.values()].filter(
    (entry) => isAtWork(entry) && entry.failure === undefined && sessions.worktreeOf(entry) === undefined,
  );
}

export function lossOf({ id }: SessionEntry): Event {
  const why = 'Its worktree was removed while it was at work. What it had committed is on its branch.';
  return { kind: 'session-news', session: id, news: { kind: 'failed', why } };
}

/** Those that cadre itself began, and that owe something. */
function isAtWork({ attempt, reviews, wanted, up, ended }: SessionEntry): boolean {
  return (attempt !== undefined || reviews === true) && wanted === 'running' && up !== undefined && ended === undefined;
}

async function silenceOf(trees: RunWorktrees, entry: SessionEntry): Promise<Event> {
  const tree = entry.attempt === undefined ? undefined : treeOfSession(entry);
  const worktree = tree === undefined ? undefined : await factsOf(trees, tree);
  return { kind: 'silent', session: entry.id, ...(worktree === undefined ? {} : { worktree }) };
}
