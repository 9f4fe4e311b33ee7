// How records change the findings of a task or a plan.
import type { Finding } from '../model/review/finding.ts';

/** A finding replaces the one with its id. */
export function changedFindings(before: readonly Finding[] = [], changed: readonly Finding[]): readonly Finding[] {
  const later = new Map(changed.map((finding) => [finding.id, finding]));
  const kept = before.map((finding) => later.get(finding.id) ?? finding);
  const known = new Set(before.map(({ id }) => id));
  return [...kept, ...changed.filter(({ id }) => !known.has(id))];
}
