// Incidents as surfaces show them, with what a person can do about each.
import { type PlanFile, slugOf } from '../../plan/name.ts';
import type { Incident } from '../model/run.ts';
import { isLive } from '../model/run-status.ts';
import { incidentWords, isBeingRestored, worktreeIncidentWords } from '../model/stops.ts';
import { type Suggestion, suggest } from '../model/suggestion.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';

export interface IncidentView {
  /** `worktree`: somebody changed how the worktree of a task's run is linked to the repository. */
  readonly of: Incident['of'] | 'worktree';
  /** For a worktree: that of the run. */
  readonly branch: string;
  /** The commit in the journal; null for a plan branch that exists before cadre creates it, and for a worktree. */
  readonly expected: string | null;
  /** The commit that was found; null if the branch was deleted, and for a worktree. */
  readonly found: string | null;
  readonly since: string;
  /** The engine is moving the branch back, or restoring the worktree. */
  readonly restoring: boolean;
  readonly sentence: string;
}

/** An incident in a list of incidents. */
export interface PlanIncident extends IncidentView {
  readonly plan: PlanFile;
  /** The address of the task whose worktree it is about; null for a branch. */
  readonly task: string | null;
  readonly actions: readonly Suggestion[];
}

export function incidentsIn(world: World, plan?: PlanFile): readonly PlanIncident[] {
  const entries = [...world.plans.values()].filter((entry) => plan === undefined || entry.plan === plan);
  return entries.flatMap((entry) => [...branchIncident(entry), ...worktreeIncidents(world, entry)]);
}

function branchIncident({ plan, work }: PlanEntry): readonly PlanIncident[] {
  const incident = work?.incident ?? null;
  if (incident === null) return [];
  return [{ plan, task: null, ...viewIncident(incident), actions: incidentActions(plan, incident) }];
}

function worktreeIncidents({ outbox }: World, entry: PlanEntry): readonly PlanIncident[] {
  const { plan } = entry;
  return entry.tasks.flatMap((task): readonly PlanIncident[] => {
    const { run, address } = task;
    if (!isLive(run) || run.incident == null) return [];
    const { at: since, restoring: effect } = run.incident;
    const restoring = effect !== undefined && outbox.has(effect);
    const sentence = worktreeIncidentWords(run.incident);
    const view = {
      of: 'worktree',
      branch: run.branch,
      expected: null,
      found: null,
      since,
      restoring,
      sentence,
    } as const;
    return [{ plan, task: address, ...view, actions: restoring ? [] : worktreeActions(entry, task) }];
  });
}

export function worktreeActions({ plan }: PlanEntry, { address }: TaskEntry): readonly Suggestion[] {
  return [suggest('worktree-restore', `${slugOf(plan)}#${address}`)];
}

export function viewIncident(incident: Incident): IncidentView {
  const { of, branch, expected, found, at: since } = incident;
  const restoring = isBeingRestored(incident);
  return { of, branch, expected, found, since, restoring, sentence: incidentWords(incident) };
}

/** cadre moves no base branch, and a branch that does not exist cannot be taken. */
export function incidentActions(plan: PlanFile, incident: Incident): readonly Suggestion[] {
  if (isBeingRestored(incident)) return [];
  const on = slugOf(plan);
  return [
    ...(incident.of === 'plan-branch' ? [suggest('incident-restore', on)] : []),
    ...(incident.found === null ? [] : [suggest('incident-take', on)]),
  ];
}
