// The status of a workshop, computed from the world and never stored.
import { MAX_ROUNDS } from '../../settings/settings.ts';
import { type SessionHealth, sessionHealthOf } from '../run-status.ts';
import type { PlanEntry, World } from '../world.ts';
import { isStable, MOST_INVALID, openBlocking, type WorkshopEntry, type WorkshopWait } from './entry.ts';

/** A plan whose workshop is under way: it asks for documents, waits for answers, or is ready for review. */
export interface PlanningEntry extends PlanEntry {
  readonly workshop: WorkshopEntry;
}

export function isPlanning(entry: PlanEntry): entry is PlanningEntry {
  return entry.status === 'planning' && entry.workshop !== undefined;
}

/** Whether the next document is the structured plan. */
export function isWritten({ workshop }: PlanEntry): boolean {
  return workshop?.state === 'formalizing';
}

export function plannerHealth(
  { session, entered }: WorkshopEntry,
  { sessions }: Pick<World, 'sessions'>,
): SessionHealth {
  return sessionHealthOf(session, entered, sessions);
}

/** What a person has to do before the workshop can continue; undefined while the planner or the engine has the next step. */
export function workshopWait(world: World, { workshop }: PlanningEntry): WorkshopWait | undefined {
  const { state, result, invalid } = workshop;
  if (state === 'draft' || state === 'review_ready') return undefined;
  if (result === null) {
    if (invalid >= MOST_INVALID) return 'documents';
    return hasFailedForGood(world, workshop) ? 'planner' : undefined;
  }
  if (openBlocking(workshop).length > 0) return 'answers';
  return state === 'workshop' && !isStable(workshop) && !hasRoundsLeft(world, workshop) ? 'rounds' : undefined;
}

/** Who reviews the plan: the architect, as long as it has not said what should change and has not failed too often. */
export function planReviewer(world: World, { workshop }: PlanningEntry): 'architect' | 'person' | undefined {
  if (workshop.state !== 'review_ready') return undefined;
  if (world.policy.architect.workshop !== 'agent' || workshop.advice != null) return 'person';
  return hasFailedForGood(world, workshop) ? 'person' : 'architect';
}

/** Its last session has failed, and is not restarted automatically. */
export function hasFailedForGood(world: World, workshop: WorkshopEntry): boolean {
  const health = plannerHealth(workshop, world);
  const hasFailed = health === 'lost' || health === 'silent';
  return hasFailed && workshop.relaunches >= world.policy.budgets.relaunches;
}

export function hasRoundsLeft({ policy }: World, { rounds }: WorkshopEntry): boolean {
  return rounds < (policy.budgets.rounds ?? MAX_ROUNDS);
}
