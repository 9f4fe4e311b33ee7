// The list of a plan: the findings that its tasks left to the review of the whole plan.
import type { PlanEntry } from '../world.ts';
import { isListed } from './finding.ts';

/** Which findings are on it, for comparing. */
export function listKey({ findings = [], tasks }: Pick<PlanEntry, 'findings' | 'tasks'>): string {
  const owners = [{ id: 'plan', findings }, ...tasks];
  return owners
    .flatMap(({ id, findings: of = [] }) => of.filter(isListed).map((finding) => `${id}.${finding.id}`))
    .join(' ');
}
