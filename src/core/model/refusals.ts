// Sentences that several rules and surfaces refuse with.
import { showName } from '../../text/show.ts';
import type { By } from './event.ts';
import { listed } from './tasks.ts';
import type { PlanEntry } from './world.ts';

export function unknownPlan(plan: string): string {
  return `cadre does not know a plan "${showName(plan)}". "cadre status" lists the plans, "cadre register ${showName(plan)}" adds one.`;
}

export function speakerName(by: By): string {
  if (by.who !== 'agent') return by.who === 'user' ? 'a person' : 'the engine';
  if (by.role === 'outside') return 'an agent';
  if (by.role === 'unknown') return `an agent whose role is not known (session ${by.session ?? 'unknown'})`;
  return `the ${by.role}${by.session === undefined ? '' : ` (session ${by.session})`}`;
}

export function unknownSession(session: string): string {
  return `There is no session "${showName(session)}". "cadre session list" shows them.`;
}

export function unknownTask(entry: PlanEntry, reference: string): string {
  const known = entry.tasks.map((task) => task.address);
  const instead = known.length === 0 ? 'none is known' : `it has ${listed(known)}`;
  return `${entry.plan} has no task "${showName(reference)}"; ${instead}.`;
}
