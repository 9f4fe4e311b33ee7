// What a person's verdict on a whole plan makes of its findings.
import type { PlanFile } from '../../../plan/name.ts';
import { blockersOfPlan, type Finding } from '../../model/review/finding.ts';
import type { RecordChange } from '../../model/run.ts';
import { demandedFindings } from '../run/findings.ts';
import type { ManagedContext } from './context.ts';

/** A person who sends a plan back demands each paragraph, and one who approves it overrules what is open, by name. */
export function personsFindings(
  { world, now, by, entry, work }: ManagedContext,
  said: { readonly approves: true } | { readonly demands: string },
): readonly RecordChange[] {
  if (by.who !== 'user') return [];
  if ('demands' in said) {
    const when = { of: entry, commit: work.tip, seq: world.seq + 1, at: now.toISOString() };
    return findingsChange(entry.plan, demandedFindings(when, said.demands));
  }
  const overruled = blockersOfPlan(entry).map(({ claimed: _claimed, ...finding }): Finding => {
    return { ...finding, state: 'overruled', decidedBy: 'person', because: 'A person approved the plan.' };
  });
  return findingsChange(entry.plan, overruled);
}

export function findingsChange(plan: PlanFile, findings: readonly Finding[]): readonly RecordChange[] {
  return findings.length === 0 ? [] : [{ of: 'findings', plan, task: null, findings }];
}
