// The records that tell the story of a plan, a task or a session.
import type { PlanFile } from '../../plan/name.ts';
import type { PlaceId } from '../model/ids.ts';
import { type JournalRecord, planOf } from '../model/record.ts';
import type { World } from '../model/world.ts';

export type Concerns = (record: JournalRecord) => boolean;

export function concernsPlan(plan: PlanFile): Concerns {
  return (record) => planOf(record) === plan;
}

/** Moves of the task and its runs, their sessions, the starts of a new generation, and the readings of the plan file that added, changed or lost it. */
export function concernsTask(plan: PlanFile, id: string): Concerns {
  return (record) => {
    if (planOf(record) !== plan) return false;
    if (record.event === 'plan_read')
      return Object.hasOwn(record.texts, id) || record.stale.some((task) => task.id === id);
    if (record.event === 'session_begun') return record.begun.task === id;
    if ('ended' in record && record.ended?.some(({ task }) => task === id)) return true;
    return 'task' in record && record.task === id;
  };
}

/** Records by or about any session that has used the place. */
export function concernsPlace({ sessions }: World, place: PlaceId): Concerns {
  const ids = new Set<string>([...sessions.values()].flatMap((entry) => (entry.place === place ? [entry.id] : [])));
  return (record) => {
    if (record.session !== undefined && ids.has(record.session)) return true;
    return 'begun' in record ? ids.has(record.begun.id) : 'about' in record && ids.has(record.about);
  };
}
