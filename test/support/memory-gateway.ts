// The gateway port in memory: decides and folds, for tests of what the engine does between two records.
import type { Decision } from '../../src/core/model/decision.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { World } from '../../src/core/model/world.ts';
import type { Gateway } from '../../src/core/ports/gateway.ts';
import { decideAll } from '../../src/core/rules/decide.ts';
import { NOW } from './world.ts';

export interface MemoryGateway extends Gateway {
  /** The records since the start. */
  readonly records: readonly JournalRecord[];
}

export interface MemoryGatewayOptions {
  readonly now?: Date;
  /** Answers an event instead of the rules, as if the world had changed just before. */
  readonly instead?: (event: Event) => Decision | undefined;
}

export function memoryGateway(start: World, { now = NOW, instead }: MemoryGatewayOptions = {}): MemoryGateway {
  const records: JournalRecord[] = [];
  let world = start;
  const answer = (event: Event): Decision | undefined => {
    const given = instead?.(event);
    if (given !== undefined) return given;
    const decided = decideAll(world, [event], now);
    world = decided.world;
    records.push(...decided.records);
    return decided.decisions[0];
  };
  return {
    records,
    submit: async (events) => ({ answers: events.flatMap((event) => answer(event) ?? []), notes: [] }),
    look: async () => world,
    confirmed: async () => world,
    settle: async () => [],
    rebuildPlanState: async () => undefined,
  };
}
