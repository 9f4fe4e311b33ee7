// The one way to change anything, as a port.
import type { Decision } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { World } from '../model/world.ts';

export interface Submission {
  /** One answer an event, in the order of the events. */
  readonly answers: readonly Decision[];
  /** What a person should know besides: what was repaired, imported, or could not be written. */
  readonly notes: readonly string[];
}

/** The one way to change anything. Contract: when it answers, every record of the answers is durable. */
export interface Gateway {
  /** The overview of all repositories is brought up to date at once, or, by whoever settles soon, then. */
  submit(events: readonly Event[], overview?: 'at once' | 'then'): Promise<Submission>;
  /** The world as it stands on disk, read without a lock and without changing anything. */
  look(): World;
  /** The same for whoever acts upon it: nothing of it can be lost any more, also not by a power failure. */
  confirmed(): World;
  /** Brings journal and plan-state.json together if they have come apart. Returns what a person should know of it. */
  settle(): Promise<readonly string[]>;
  /** Makes plan-state.json anew from the journal. Returns the name under which an unreadable one was kept. */
  rebuildPlanState(): Promise<string | undefined>;
}
