// The one way to change anything, as a port.
import type { Decision } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { World } from '../model/world.ts';

export interface Submission {
  /** One answer for each event, in the same order. */
  readonly answers: readonly Decision[];
  /** What else a person should know: what was repaired, imported, or could not be written. */
  readonly notes: readonly string[];
}

/**
 * The one way to change anything, and to read what is known. Contract: when `submit` answers, every record of its answers
 * is durable.
 */
export interface Gateway {
  /**
   * Decides the events one after the other and commits the result. Submissions of one process take turns. The overview of
   * all repositories is brought up to date at once, or by the next `settle`.
   */
  submit(events: readonly Event[], overview?: 'at once' | 'then'): Promise<Submission>;
  /**
   * The world as it is now, for showing and for deciding what to submit: read without a lock, changing nothing. Its last
   * records may still be lost with the power if their writer was killed before its sync.
   */
  look(): Promise<World>;
  /** The same for acting in the world, such as performing effects: nothing in it can be lost, not even by a power failure. */
  confirmed(): Promise<World>;
  /**
   * Writes what is due rather than reading: brings plan-state.json, the journal and the overview into agreement where they
   * have come apart. Returns what a person should know about it.
   */
  settle(): Promise<readonly string[]>;
  /** Rebuilds plan-state.json from the journal. Returns the name under which an unreadable one was kept. */
  rebuildPlanState(): Promise<string | undefined>;
}

/** What commands use, besides the engine's part. */
export interface CommandGateway extends Gateway {
  /**
   * Submits all of the events or none of them: where one is refused, nothing is written, not even a folder of cadre's.
   */
  attempt(events: readonly Event[]): Promise<Submission>;
}
