// Refusals that several rules and surfaces share.
import { planFile, slugOf } from '../../plan/name.ts';
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

/** The same as a failure, for a surface that stops there. */
export function unknownFailure(code: 'unknown-plan' | 'unknown-session', { why, try: instead }: Explanation): Failure {
  return new Failure('usage', code, why, { try: instead });
}

/** Nothing is done to an archived plan but to bring it back. */
export function archivedPlan({ plan }: Pick<PlanEntry, 'plan'>): Explanation {
  return { why: `${plan} is archived. Bring it back first.`, try: [suggest('plan-unarchive', slugOf(plan))] };
}

export function speakerName(by: By): string {
  if (by.who !== 'agent') return by.who === 'user' ? 'a person' : 'the engine';
  if (by.role === 'outside') return 'an agent';
  if (by.role === 'unknown') return `an agent whose role is not known (session ${by.session ?? 'unknown'})`;
  return `the ${by.role}${by.session === undefined ? '' : ` (session ${by.session})`}`;
}

/** The refusal of something that only a person may do; `what` is its name, as the speaker wrote it. */
export function personsDecision(what: string, by: By): string {
  return `"${what}" is a person's decision; ${speakerName(by)} cannot make it.`;
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
