// A world as plain JSON, for the checkpoint.
import type { PlanFile } from '../../plan/name.ts';
import type { Effect } from '../model/effect.ts';
import type { RefusedSignal } from '../model/refused-signal.ts';
import type { SessionEntry } from '../model/session.ts';
import type { PlanEntry, World } from '../model/world.ts';
import type { Policy } from '../settings/policy.ts';

export interface StoredWorld {
  readonly seq: number;
  readonly plans: readonly PlanEntry[];
  readonly document: World['document'];
  readonly taken: readonly string[];
  readonly outbox: readonly Effect[];
  readonly refused: readonly (RefusedSignal & { readonly at: string })[];
  readonly sessions: readonly SessionEntry[];
  readonly chosen?: PlanFile;
  readonly gap?: NonNullable<World['gap']>;
  readonly proposed?: NonNullable<World['proposed']>;
  readonly counted?: NonNullable<World['counted']>;
  readonly policy: Policy;
  readonly frozen: boolean;
  readonly paused: boolean;
}

export function storeWorld(world: World): StoredWorld {
  return {
    seq: world.seq,
    plans: [...world.plans.values()],
    document: world.document,
    taken: [...world.taken],
    outbox: [...world.outbox.values()],
    refused: [...world.refused.values()],
    sessions: [...world.sessions.values()],
    policy: world.policy,
    frozen: world.frozen,
    paused: world.paused,
    ...(world.chosen === undefined ? {} : { chosen: world.chosen }),
    ...(world.gap === undefined ? {} : { gap: world.gap }),
    ...(world.proposed === undefined ? {} : { proposed: world.proposed }),
    ...(world.counted === undefined ? {} : { counted: world.counted }),
  };
}

export function restoreWorld(stored: StoredWorld): World {
  return {
    seq: stored.seq,
    plans: new Map(stored.plans.map((entry) => [entry.plan, entry])),
    document: stored.document,
    taken: new Set(stored.taken),
    outbox: new Map(stored.outbox.map((effect) => [effect.id, effect])),
    refused: new Map(stored.refused.map((refused) => [refused.id, refused])),
    sessions: new Map(stored.sessions.map((session) => [session.id, session])),
    policy: stored.policy,
    frozen: stored.frozen,
    paused: stored.paused,
    ...(stored.chosen === undefined ? {} : { chosen: stored.chosen }),
    ...(stored.gap === undefined ? {} : { gap: stored.gap }),
    ...(stored.proposed === undefined ? {} : { proposed: stored.proposed }),
    ...(stored.counted === undefined ? {} : { counted: stored.counted }),
  };
}
