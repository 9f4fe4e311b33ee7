// Worlds and signals for tests of the pure core, built the way the program builds them: by deciding.
import { decide } from '../../src/core/decide.ts';
import type { By, Event, Signal } from '../../src/core/events.ts';
import { EMPTY_WORLD, fold, type World } from '../../src/core/world.ts';
import { acceptedIn, step } from '../../src/machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine } from '../../src/machines/plan.ts';
import type { PlanFile } from '../../src/plan/name.ts';

export const NOW = new Date('2026-01-02T03:04:05.000Z');
export const USER: By = { who: 'user' };
export const PLAN = 'x.md' as PlanFile;

/** The world after these events; an event that is refused is a mistake in the test. */
export function after(world: World, ...events: readonly Event[]): World {
  return events.reduce((now, event) => {
    const decision = decide(now, event, NOW);
    if (decision.kind !== 'accepted') throw new Error(`${JSON.stringify(event)} was ${decision.kind}`);
    return fold(now, decision.records);
  }, world);
}

export function register(plan: string): Event {
  return { kind: 'register', plan, by: USER, description: '', topic: '', planFileExists: true };
}

export function move(event: PlanEvent, by: By = USER, plan: PlanFile = PLAN): Event {
  return { kind: 'move', plan, event, by };
}

/** A world whose one plan is in the given state, by the shortest way there. */
export function worldWith(state: PlanState, plan: PlanFile = PLAN): World {
  const path = pathTo(state).map((event) => move(event, USER, plan));
  return after(EMPTY_WORLD, register(plan), ...path);
}

function pathTo(goal: PlanState): readonly PlanEvent[] {
  const paths = new Map<PlanState, readonly PlanEvent[]>([[planMachine.initial, []]]);
  for (const [state, path] of paths)
    for (const event of acceptedIn(planMachine, state)) {
      const result = step(planMachine, state, event);
      if (result.kind === 'moved' && !paths.has(result.to)) paths.set(result.to, [...path, event]);
    }
  const path = paths.get(goal);
  if (path === undefined) throw new Error(`${goal} cannot be reached.`);
  return path;
}

export function signal(part: Partial<Signal> & Pick<Signal, 'name'>): Event & { kind: 'signal' } {
  const id = part.id ?? `${part.name}/${part.plan ?? PLAN}/1`;
  return {
    kind: 'signal',
    signal: {
      id,
      plan: PLAN,
      by: { who: 'agent', role: 'outside' },
      body: '',
      file: { path: `/signals/${id}`, inode: '1' },
      planFileExists: true,
      ...part,
    },
  };
}
