// Incidents as surfaces show them, with what a person can do about each.
import { type PlanFile, slugOf } from '../../plan/name.ts';
import type { Incident } from '../model/run.ts';
import { incidentWords, isBeingRestored } from '../model/stops.ts';
import { type Suggestion, suggest } from '../model/suggestion.ts';
import type { World } from '../model/world.ts';

export interface IncidentView {
  readonly of: Incident['of'];
  readonly branch: string;
  /** The commit in the journal; null for a plan branch that exists before cadre creates it. */
  readonly expected: string | null;
  /** The commit that was found; null if the branch was deleted. */
  readonly found: string | null;
  readonly since: string;
  /** The engine is moving the branch back. */
  readonly restoring: boolean;
  readonly sentence: string;
}

/** An incident in a list of incidents. */
export interface PlanIncident extends IncidentView {
  readonly plan: PlanFile;
  readonly actions: readonly Suggestion[];
}

export function incidentsIn(world: World, plan?: PlanFile): readonly PlanIncident[] {
  const entries = [...world.plans.values()].filter((entry) => plan === undefined || entry.plan === plan);
  return entries.flatMap((entry) => {
    const incident = entry.work?.incident ?? null;
    if (incident === null) return [];
    return [{ plan: entry.plan, ...viewIncident(incident), actions: incidentActions(entry.plan, incident) }];
  });
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
