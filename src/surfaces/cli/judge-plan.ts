// A person's verdict on a whole plan.
import type { Event } from '../../core/model/event.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { PLAN_REVIEW } from '../../machines/plan.ts';
import { slugOf } from '../../plan/name.ts';
import { type Context, type ExitCode, refuse } from './context.ts';
import { takeStep } from './step.ts';

export async function judgePlan(
  context: Context,
  { plan, status }: PlanEntry,
  verdict: Extract<Event, { kind: 'move' }>,
): Promise<ExitCode> {
  if (status !== PLAN_REVIEW)
    return refuse(
      context,
      'state',
      `${plan} is ${status}, not in review, so there is nothing to judge. A task of it is named as ${slugOf(plan)}#1.`,
    );
  return takeStep(context, verdict);
}
