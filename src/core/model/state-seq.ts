// The number that a signal is stamped with, so that what was said about an earlier state is known as such.
import type { PlanFile } from '../../plan/name.ts';
import type { SessionId } from './ids.ts';
import type { World } from './world.ts';

/** Where the session's run entered its present state; for every other session, where the plan did. 0 where neither is known. */
export function stateSeqFor(world: World, plan: string | undefined, session: string | undefined): number {
  const speaker = world.sessions.get(session as SessionId);
  const entry = world.plans.get((speaker?.plan ?? plan) as PlanFile);
  if (speaker?.attempt === undefined) return entry?.entered ?? 0;
  return entry?.tasks.find((task) => task.id === speaker.task)?.run?.entered ?? 0;
}
