// cadre plan approve: publishes the plan of a workshop.
import { viewPlan } from '../../../../core/views/plan.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { approvedLines } from '../../text/workshop-lines.ts';

export const run: Run = (context, given) =>
  performAnd(
    context,
    { do: 'plan-approve', on: given.arguments[0], input: { replace: given.options.replace === true } },
    ({ world, plan, record, notes }) => {
      if (plan === undefined || record === null) throw new Error('The action approved no plan.');
      answer(context, { plan: viewPlan(world, plan), record: viewRecord(record), notes }, approvedLines(plan));
      return EXIT.ok;
    },
  );
