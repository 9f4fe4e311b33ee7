// The commands that pause and resume a plan or the whole repository.
import type { Done } from '../../app/actions/action.ts';
import { isPaused } from '../../core/model/stops.ts';
import type { World } from '../../core/model/world.ts';
import { slugOf } from '../../plan/name.ts';
import { counted } from '../../text/counted.ts';
import { performAnd } from './action-command.ts';
import { answer, EXIT, type Run } from './context.ts';
import { FROZEN } from './text/engine-lines.ts';

export function pauseCommand(action: 'pause' | 'resume'): Run {
  return (context, given) =>
    performAnd(context, { do: action, on: given.arguments[0], input: {} }, (done) => {
      const { plan, world, engine } = done;
      const paused = plan === undefined ? world.paused : isPaused(world, plan);
      const lines = action === 'pause' ? pausedLines(done) : resumedLines(done);
      answer(context, { paused, plan: plan?.plan ?? null, stopped: done.stopped ?? [], engine }, lines);
      return EXIT.ok;
    });
}

function pausedLines({ changed, plan, world, stopped = [] }: Done): readonly string[] {
  const what = plan?.plan ?? 'cadre';
  const end = plan === undefined ? '"cadre resume"' : `"cadre resume ${slugOf(plan.plan)}"`;
  const agents = stopped.length === 0 ? [] : [`${counted(stopped.length, 'agent')} stopped.`];
  if (!changed) return [`${what} is already paused. ${end} continues.`, ...agents];
  return [
    `Paused ${plan?.plan ?? 'all plans'}: no agent runs and nothing is merged until ${end}.`,
    ...agents,
    ...(hasOwnSessions(world) ? ['Sessions that you started yourself keep running.'] : []),
  ];
}

function resumedLines({ changed, plan, world }: Done): readonly string[] {
  if (plan === undefined)
    return [changed ? 'Resumed: agents continue where they were.' : 'cadre is not paused.', ...otherStops(world)];
  const isNow = changed ? 'is resumed' : 'is not paused itself';
  if (world.paused) return [`${plan.plan} ${isNow}, but all plans are paused: "cadre resume" continues.`];
  return [
    changed ? `Resumed ${plan.plan}: agents continue where they were.` : `${plan.plan} is not paused.`,
    ...(world.frozen ? [FROZEN] : []),
  ];
}

function otherStops({ plans, frozen }: World): readonly string[] {
  const paused = [...plans.values()].filter((entry) => entry.paused).map(({ plan }) => plan);
  return [
    ...(paused.length === 0 ? [] : [`Still paused: ${paused.join(', ')}. "cadre resume <plan>" continues one.`]),
    ...(frozen ? [FROZEN] : []),
  ];
}

function hasOwnSessions({ sessions }: World): boolean {
  return [...sessions.values()].some(
    ({ plan, wanted, ended, failure }) =>
      plan === undefined && wanted === 'running' && ended === undefined && failure === undefined,
  );
}
