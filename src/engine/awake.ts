// Keeps the engine's heartbeat. A beat that comes too late first has the gap before it recorded, so that it counts against
// nobody: the machine slept, no engine ran, or somebody set the clock.
import { SHORTEST_GAP } from '../core/model/deadlines.ts';
import { asFailure, Failure } from '../core/model/failure.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Gateway } from '../core/ports/gateway.ts';
import type { Heartbeat } from '../core/ports/heartbeat.ts';

/** In milliseconds. Much shorter than the shortest gap, so that a busy machine does not look asleep. */
export const BEAT_EVERY = SHORTEST_GAP / 4;

export interface AwakePorts {
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly heartbeat: Heartbeat;
}

/** Returns a function that beats if it is time to. */
export function stayAwake({ clock, gateway, heartbeat }: AwakePorts): () => Promise<void> {
  let beaten: number | undefined;
  return async () => {
    const now = clock.now();
    if (beaten !== undefined && Math.abs(now.getTime() - beaten) < BEAT_EVERY) return;
    const last = heartbeat.last();
    // Every step records a gap that it finds.
    if (last !== undefined && Math.abs(now.getTime() - last) >= SHORTEST_GAP) await gateway.submit([], 'then');
    beaten = now.getTime();
    heartbeat.beat(now);
  };
}

/** Beats on its own, also while a round takes long, until closed. */
export function beatInBackground(beat: () => Promise<void>): { close(): void } {
  const timer = setInterval(() => {
    // What prevents a step is reported by the round that meets it.
    beat().catch((error) => {
      if (!(asFailure(error) instanceof Failure)) throw error;
    });
  }, BEAT_EVERY).unref();
  return { close: () => clearInterval(timer) };
}
