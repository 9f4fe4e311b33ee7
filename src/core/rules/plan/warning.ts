// A warning about a plan or one of its tasks: recorded, so that everyone who follows the plan sees it, now or later.
import { accepted, BY_ENGINE, type Decision, IGNORED, record } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import type { World } from '../../model/world.ts';

export function recordWarning(world: World, { plan, task, text }: EventOfKind<'warning'>, now: Date): Decision {
  if (!world.plans.has(plan)) return IGNORED;
  const about = task === undefined ? {} : { taskId: task };
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'warned', plan, ...about, text }));
}
