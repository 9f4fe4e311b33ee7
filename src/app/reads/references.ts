// What a person can refer to by a name, for surfaces that complete names or fill in the one that is left out.
import { isPlanning } from '../../core/model/workshop/status.ts';
import { activePlan } from '../../core/views/plan.ts';
import { openQuestions } from '../../core/views/questions.ts';
import { sessionsInUse } from '../../core/views/sessions-in-use.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';

export interface References {
  /** All but the archived ones. */
  readonly plans: readonly PlanFile[];
  readonly archived: readonly PlanFile[];
  /** The plans that are in a workshop now. */
  readonly planning: readonly PlanFile[];
  readonly active: PlanFile | undefined;
  /** The open questions, as an answer refers to them: `search#2`, `search#scope`. */
  readonly questions: readonly string[];
  /** The tasks of all plans that are not archived, as `search#2`. */
  readonly tasks: readonly string[];
  /** The ids of the sessions in use. */
  readonly sessions: readonly string[];
}

export const NO_REFERENCES: References = {
  plans: [],
  archived: [],
  planning: [],
  active: undefined,
  questions: [],
  tasks: [],
  sessions: [],
};

export async function readReferences({ gateway, planFiles, clock }: AppPorts): Promise<References> {
  const world = await gateway.look();
  const entries = [...world.plans.values()];
  return {
    plans: entries.filter(({ archived }) => archived === undefined).map(({ plan }) => plan),
    archived: entries.filter(({ archived }) => archived !== undefined).map(({ plan }) => plan),
    planning: entries.filter(isPlanning).map(({ plan }) => plan),
    active: activePlan(world, planFiles.list()),
    questions: openQuestions(world).map(({ id }) => id),
    tasks: entries.flatMap(({ plan, tasks, archived }) =>
      archived === undefined ? tasks.map(({ address }) => `${slugOf(plan)}#${address}`) : [],
    ),
    sessions: sessionsInUse(world, clock.now()).map(({ id }) => id),
  };
}
