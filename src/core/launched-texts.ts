// The text with which a task was launched, or, before that, with which it was read last: the journal has both.
import type { PlanFile } from '../plan/name.ts';
import type { JournalRecord } from './record.ts';

/** By the ids of the tasks. */
export function launchedTexts(records: Iterable<JournalRecord>, plan: PlanFile): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  const launched = new Map<string, string>();
  for (const record of records) {
    if (record.event === 'plan_read' && record.plan === plan)
      for (const [id, text] of Object.entries(record.texts)) read.set(id, text);
    for (const change of record.changes ?? [])
      if (change.of === 'fix-task' && change.plan === plan) read.set(change.task, change.text);
    for (const move of record.moves) {
      if (move.machine !== 'task' || move.plan !== plan || move.event !== 'launch') continue;
      const text = read.get(move.task);
      if (text !== undefined) launched.set(move.task, text);
    }
  }
  return new Map([...read, ...launched]);
}
