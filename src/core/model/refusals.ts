// Refusals that several rules and surfaces share.
import { lastSegment, type PlanFile, planFile, slugOf, undated } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import { isMisspelt } from '../../text/similar-words.ts';
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

/** `known`: the plans that may have been meant. */
export function unknownPlan(plan: string, known: Iterable<PlanFile> = []): Explanation {
  const meant = planMeant(plan, known);
  const isName = planFile(plan) !== undefined || planFile(`${plan}.md`) !== undefined;
  const instead = [suggest('status'), ...(isName && meant === '' ? [suggest('register', plan)] : [])];
  return { why: `Plan "${showName(plan)}" is not registered.${meant}`, try: instead };
}

/** For what also takes a plan that is not registered: the file does not exist either, so it cannot be registered. */
export function noSuchPlan(plan: string, known: Iterable<PlanFile>): Explanation {
  const why = `There is no plan "${showName(plan)}" in docs/plans.${planMeant(plan, known)}`;
  return { why, try: [suggest('status')] };
}

function planMeant(reference: string, known: Iterable<PlanFile>): string {
  // Behind "#" is a task, and a plan is needed.
  const [name = '', task] = lastSegment(reference).split('#', 2);
  const word = undated(name.replace(/\.md$/, ''));
  const isMeant = (slug: string): boolean => isMisspelt(word, slug) || (task !== undefined && word === slug);
  const meant = [...known].map(slugOf).filter((slug) => isMeant(undated(slug)));
  return meant.length === 0 ? '' : ` Did you mean ${meant.toSorted().join(' or ')}?`;
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
