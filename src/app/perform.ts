// Performs an action of the table. An agent that oversteps is refused, and its attempt is reported to the person.
import { Failure } from '../core/model/failure.ts';
import { personsDecision } from '../core/model/refusals.ts';
import type { ActionName } from '../core/model/suggestion.ts';
import { type ActionInputs, type ActionRow, type Performed, refuse } from './actions/action.ts';
import { ACTIONS } from './actions/table.ts';
import type { AppPorts } from './ports.ts';

export interface Call<Name extends ActionName> {
  readonly do: Name;
  /** What it is done to, as a person names it: `search`, `search#2`, `s7`, `q12`. */
  readonly on?: string | undefined;
  readonly input: ActionInputs[Name];
  /** What the surface calls it, for the refusal and the report when an agent tries it. */
  readonly as?: string;
}

export async function perform<Name extends ActionName>(
  ports: AppPorts,
  { do: name, on, input, as = name }: Call<Name>,
): Promise<Performed> {
  const row: ActionRow<Name> = ACTIONS[name];
  const performed =
    row.personOnly && ports.by.who === 'agent'
      ? refuse('user-only', personsDecision(as, ports.by))
      : await row.perform({ ports, on, input });
  if (performed.kind === 'refused' && isOverstepping(performed.code)) reportAttempt(ports, as);
  return performed;
}

/** Refused because of who asks, not because of what is asked. */
export function isOverstepping(code: string): boolean {
  return OVERSTEPPING.some((one) => one === code);
}

const OVERSTEPPING = ['user-only', 'source', 'role'] as const;

/** Where the attempt cannot be reported, it is refused all the same. */
export function reportAttempt(ports: AppPorts, name: string): void {
  try {
    ports.signals.reportForbiddenCommand(name);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
