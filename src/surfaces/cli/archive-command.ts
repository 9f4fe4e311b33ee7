// Commands that move a plan to the archive, or back.
import type { PlanEntry } from '../../core/model/world.ts';
import { viewPlan } from '../../core/views/plan.ts';
import { viewRecord } from '../../core/views/record.ts';
import { performAnd } from './action-command.ts';
import { answer, EXIT, type Run } from './context.ts';

export function archiveCommand(
  name: 'plan-archive' | 'plan-unarchive',
  lines: (plan: PlanEntry) => readonly string[],
): Run {
  return (context, given) =>
    performAnd(context, { do: name, on: given.arguments[0], input: {} }, ({ world, plan, record, notes }) => {
      if (plan === undefined || record === null) throw new Error('The action moved no plan.');
      answer(context, { plan: viewPlan(world, plan), record: viewRecord(record), notes }, lines(plan));
      return EXIT.ok;
    });
}
