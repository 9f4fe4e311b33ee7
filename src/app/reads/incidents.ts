// The incidents of all plans or of one, with the done tasks whose work is no longer on the plan branch.
import { incidentsIn, type PlanIncident } from '../../core/views/incident.ts';
import type { AppPorts } from '../ports.ts';
import { planNamed } from '../targets.ts';

export interface IncidentShown extends PlanIncident {
  /** The addresses of done tasks whose work is not on the commit that was found. */
  readonly missing: readonly string[];
}

export async function readIncidents(ports: AppPorts, reference?: string): Promise<readonly IncidentShown[]> {
  const world = await ports.gateway.look();
  const only = reference === undefined ? undefined : planNamed(world, reference).plan;
  return Promise.all(
    incidentsIn(world, only).map(async (incident) => {
      const entry = world.plans.get(incident.plan);
      const isAsked = entry !== undefined && incident.of === 'plan-branch' && incident.found !== null;
      const missing = new Set(isAsked ? await ports.facts.lostWork(entry, incident.found) : []);
      const tasks = (entry?.tasks ?? []).filter(({ id }) => missing.has(id));
      return { ...incident, missing: tasks.map(({ address }) => address) };
    }),
  );
}
