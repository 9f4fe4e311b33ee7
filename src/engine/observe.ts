// What the engine finds out without being told: worktrees and branches behind a signal, merges, passed deadlines, losses.
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
  /** The branch that plans start from and land on, if one is configured. */
  readonly baseBranch: string | undefined;
}

/** What is in the worktree of a run now; undefined if it has none. */
export async function worktreeFacts(trees: RunWorktrees, tree: Tree): Promise<WorktreeFacts | undefined> {
  const state = await trees.look(tree);
  if (state.kind === 'gone') return undefined;
  const { head, commits, dirtyCount, unfinished } = state;
  return { head, commits, clean: dirtyCount === 0 && unfinished === undefined };
}

/** Whether the plan branch, as it is now, could be merged into its base; undefined if nothing was built. */
export async function landingFacts(
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
    // A problem with the base is no reason to refuse the work. Landing will report it.
    if (error instanceof Failure) return { tip };
    throw error;
  }
}

/** The signal, with the facts that decide whether it is accepted: its worktree, and whose place that is. */
export async function withFacts(
  { trees, merging, settings }: Pick<ObserverPorts, 'trees' | 'merging'> & { readonly settings: BaseSetting },
  world: World,
  signal: Signal,
): Promise<Signal> {
  const session = signal.by.session === undefined ? undefined : world.sessions.get(signal.by.session as SessionId);
  const entry = [...world.plans.values()].find((one) => one.plan === signal.plan);
  const place = session === undefined ? placeContaining(trees, entry, signal.file.path) : undefined;
  const tree = (session && treeOfSession(session)) ?? place?.tree;
  const worktree = tree === undefined ? undefined : await worktreeFacts(trees, tree);
  const approvesPlan =
    findSignal(signal.name)?.plan?.event === 'review_approved' && session?.attempt === undefined && place === undefined;
  const landing =
    approvesPlan && entry !== undefined
      ? await landingFacts({ trees, merging }, entry, settings.baseBranch)
      : undefined;
  return {
    ...signal,
    ...(place === undefined ? {} : { place: place.place }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(landing === undefined ? {} : { landing }),
  };
}

/** The place of the run whose worktree a sentinel is in. */
function placeContaining(
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
 * Plan branches under review that have moved since they were recorded: somebody committed there, or merged the base into
 * them. An approval is for the reviewed commit, so the new one needs another review.
 */
export async function branchMovedEvents(
  { trees }: Pick<ObserverPorts, 'trees'>,
  world: World,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (const { plan, status, work } of world.plans.values()) {
    if (work === undefined || status !== PLAN_REVIEW) continue;
    const tip = await trees.tipOf(plan);
    if (tip !== undefined && tip !== work.tip) events.push({ kind: 'tip', plan, tip });
  }
  return events;
}

/** For a merge that took too long, the plan branch shows whether it was made. */
export async function overdueEvents(
  { trees, merging, settings }: ObserverPorts & { readonly settings: MergeSetting },
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
    const { branch: planBranch } = await trees.planBranch(effect.plan, undefined);
    const run = treeOfBranch(effect.plan, effect.branch);
    const landed = await findMerge({ merging, settings }, { run, planBranch, pin: effect.pin });
    if (landed !== undefined) events.push({ ...event, landed });
  }
  return events;
}

export interface MergeSetting {
  readonly taskMerge: 'local' | 'pr';
}

export interface ExpectedMerge {
  readonly run: Tree;
  readonly planBranch: string;
  readonly pin: Commit;
}

/** The merge commit, or null if there is none; undefined if only the remote knows and it does not answer. */
export async function findMerge(
  { merging, settings }: { readonly merging: Merging; readonly settings: MergeSetting },
  { run, planBranch, pin }: ExpectedMerge,
): Promise<Commit | null | undefined> {
  try {
    if (settings.taskMerge === 'pr') await merging.takeIn(planBranch);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
  return (await merging.merged(run, planBranch, pin)) ?? null;
}

/** Agents whose worktree somebody removed: none of the work they report exists. */
export function sessionsWithoutWorktree(
  { sessions }: Pick<ObserverPorts, 'sessions'>,
  world: World,
): readonly SessionEntry[] {
  return [...world.sessions.values()].filter(
    (entry) => isManaged(entry) && entry.failure === undefined && sessions.worktreeOf(entry) === undefined,
  );
}

export function worktreeLostEvent({ id }: SessionEntry): Event {
  const why = 'Its worktree was removed while it was running. What it had committed is on its branch.';
  return { kind: 'session-news', session: id, news: { kind: 'failed', why } };
}

/** Whether cadre started the session itself, for a run or a review, and it is running. */
export function isManaged({ attempt, reviews, wanted, up, ended }: SessionEntry): boolean {
  return (attempt !== undefined || reviews === true) && wanted === 'running' && up !== undefined && ended === undefined;
}
