// The context of rules for plans.
import type { DecisionContext } from '../../model/decision.ts';
import type { JournalRecord } from '../../model/record.ts';
import type { PlanWork } from '../../model/run.ts';
import type { PlanEntry } from '../../model/world.ts';

export interface PlanContext extends DecisionContext {
  readonly entry: PlanEntry;
  /** The signal that asks for the decision, if one does. */
  readonly signal?: NonNullable<JournalRecord['signal']>;
}

/** The context of a rule for a managed plan. */
export interface ManagedContext extends PlanContext {
  readonly work: PlanWork;
}
