// What the rules for plans decide from.
import type { DecisionContext } from '../../model/decision.ts';
import type { JournalRecord } from '../../model/record.ts';
import type { PlanWork } from '../../model/run.ts';
import type { PlanEntry } from '../../model/world.ts';

export interface PlanContext extends DecisionContext {
  readonly entry: PlanEntry;
  /** The signal that asks for it, if an agent does. */
  readonly signal?: NonNullable<JournalRecord['signal']>;
}

/** Of a plan that cadre builds. */
export interface ManagedContext extends PlanContext {
  readonly work: PlanWork;
}
