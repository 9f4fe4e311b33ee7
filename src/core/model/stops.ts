// What keeps cadre from issuing anything new for a plan. Results are accepted all the same, and people may decide.
import { slugOf } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import { short } from './commit.ts';
import type { TaskAct } from './event.ts';
import type { RuleRefusal } from './refusal.ts';
import type { Incident, WorktreeIncident } from './run.ts';
import { type Suggestion, suggest } from './suggestion.ts';
import type { PlanEntry, World } from './world.ts';

export interface Stop {
  readonly code: Extract<RuleRefusal, 'frozen' | 'paused' | 'incident'>;
  /** Starts a sentence: "Frozen: no agent is started." */
  readonly word: string;
  /** Completes "not launched, because ..." and "..., so nothing is merged". */
  readonly why: string;
  /** What ends it. */
  readonly end: Suggestion;
  /** Whose turn it is. */
  readonly owner: 'user' | 'engine';
}

/** The pause first: it stops more, and ending the freeze alone would start nothing. */
export function stopOf(world: Stopped, entry: PlanEntry): Stop | undefined {
  const { plan } = entry;
  const paused = { code: 'paused', word: 'Paused', owner: 'user' } as const;
  if (world.paused) return { ...paused, why: 'cadre is paused', end: suggest('resume') };
  if (entry.paused) return { ...paused, why: `${plan} is paused`, end: suggest('resume', slugOf(plan)) };
  if (world.frozen)
    return { code: 'frozen', word: 'Frozen', why: 'cadre is frozen', end: suggest('thaw'), owner: 'user' };
  return undefined;
}

type Stopped = Pick<World, 'frozen' | 'paused'>;

/** Whether sessions, verifications, merges, launches and landings may be started for the plan. */
export function mayIssue(world: Stopped, entry: PlanEntry): boolean {
  return stopOf(world, entry) === undefined;
}

/** Agents do not run, no branch moves, and no time counts. */
export function isPaused({ paused }: Pick<World, 'paused'>, entry: Pick<PlanEntry, 'paused'>): boolean {
  return paused || entry.paused === true;
}

/** The journal has the move of a branch by this merge or landing, which may have happened since: it is completed. */
export function isMoving({ work }: Pick<PlanEntry, 'work'>, effect: string): boolean {
  return work?.moving?.effect === effect;
}

/** An incident also stops what concerns branches: launches, merges, the review of the plan, its approval and its landing. */
export function branchStopOf(world: World, entry: PlanEntry): Stop | undefined {
  return stopOf(world, entry) ?? incidentStop(entry);
}

export function mayMoveBranches(world: World, entry: PlanEntry): boolean {
  return branchStopOf(world, entry) === undefined;
}

function incidentStop({ plan, work }: PlanEntry): Stop | undefined {
  const incident = work?.incident;
  if (incident == null) return undefined;
  const why = `${incident.branch} is not where cadre left it`;
  const owner = isBeingRestored(incident) ? 'engine' : 'user';
  return { code: 'incident', word: 'Incident', why, end: suggest('incident', slugOf(plan)), owner };
}

/** A deleted plan branch is restored without a person, unless that did not work. */
export function isBeingRestored({ found, restoring, problem }: Incident): boolean {
  return restoring !== undefined || (found === null && problem === undefined);
}

export function incidentWords(incident: Incident): string {
  const { of, expected, found, problem } = incident;
  const branch = showName(incident.branch);
  const failed = problem === undefined ? '' : ` It could not be restored: ${problem}`;
  if (found === null) return `${branch} was deleted. It is restored at ${short(expected ?? '')}.${failed}`;
  if (of === 'base')
    return `${branch} is at ${short(found)} and no longer contains ${short(expected ?? '')}, which the plan is based on. No task starts and nothing merges until you take it as it is, or move it back.`;
  const where = expected === null ? 'and cadre did not create it' : `but cadre left it at ${short(expected)}`;
  return `${branch} is at ${short(found)}, ${where}. No task starts and nothing merges until you restore it, or take it as it is.${failed}`;
}

export function worktreeIncidentWords({ why, problem }: WorktreeIncident): string {
  const failed = problem === undefined ? '' : ` It could not be restored: ${problem}`;
  return `${why} Its agent is stopped, and none of its work is merged until you restore the worktree; what is in it is kept.${failed}`;
}

/** What a person cannot do to a run while the link of its worktree is changed: it continues with that worktree. */
export const NEEDS_WORKTREE: readonly TaskAct[] = ['next', 'approve', 'override', 'merge-anyway', 'relaunch'];
