// Sentences that several rules and surfaces refuse with.
import { planFile } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import type { By } from './event.ts';
import { Failure } from './failure.ts';
import { type Suggestion, suggest } from './suggestion.ts';
import { listed } from './tasks.ts';
import type { PlanEntry } from './world.ts';

/** A sentence, and what the person can do instead. */
export interface Explanation {
  readonly why: string;
  readonly try: readonly Suggestion[];
}

export function unknownPlan(plan: string): Explanation {
  const isName = planFile(plan) !== undefined || planFile(`${plan}.md`) !== undefined;
  const instead = [suggest('status'), ...(isName ? [suggest('register', plan)] : [])];
  return { why: `Plan "${showName(plan)}" is not registered.`, try: instead };
}

/** The same as a failure, for a surface that cannot go any further. */
export function unknownFailure(code: 'unknown-plan' | 'unknown-session', { why, try: instead }: Explanation): Failure {
  return new Failure('usage', code, why, { try: instead });
}

export function speakerName(by: By): string {
  if (by.who !== 'agent') return by.who === 'user' ? 'a person' : 'the engine';
  if (by.role === 'outside') return 'an agent';
  if (by.role === 'unknown') return `an agent whose role is not known (session ${by.session ?? 'unknown'})`;
  return `the ${by.role}${by.session === undefined ? '' : ` (session ${by.session})`}`;
}

export function unknownSession(session: string): Explanation {
  return { why: `There is no session "${showName(session)}".`, try: [suggest('session-list')] };
}

export function unknownQuarantine(id: string): Explanation {
  return { why: `"${showName(id)}" is not in quarantine.`, try: [suggest('quarantine')] };
}

export function unknownTask(entry: PlanEntry, reference: string): string {
  const known = entry.tasks.map((task) => task.address);
  const instead = known.length === 0 ? 'it has no tasks' : `it has ${listed(known)}`;
  return `${entry.plan} has no task "${showName(reference)}"; ${instead}.`;
}
