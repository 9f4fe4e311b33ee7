// The text each task was launched with, or if it was not launched yet, the text that was read last.
import type { PlanFile } from '../../plan/name.ts';
import type { JournalRecord } from '../model/record.ts';

/** Texts by task id for each plan, collected from the journal's records in order. */
export class LaunchedTexts {
  readonly #read = new Map<PlanFile, Map<string, string>>();
  readonly #launched = new Map<PlanFile, Map<string, string>>();

  take(records: Iterable<JournalRecord>): this {
    for (const record of records) this.#takeOne(record);
    return this;
  }

  of(plan: PlanFile): ReadonlyMap<string, string> {
    return new Map([...textsOf(this.#read, plan), ...textsOf(this.#launched, plan)]);
  }

  #takeOne(record: JournalRecord): void {
    if (record.event === 'plan_read')
      for (const [id, text] of Object.entries(record.texts)) textsOf(this.#read, record.plan).set(id, text);
    for (const change of record.changes ?? [])
      if (change.of === 'fix-task') textsOf(this.#read, change.plan).set(change.task, change.text);
    for (const move of record.moves) {
      if (move.machine !== 'task' || move.event !== 'launch') continue;
      const text = this.#read.get(move.plan)?.get(move.task);
      if (text !== undefined) textsOf(this.#launched, move.plan).set(move.task, text);
    }
  }
}

function textsOf(all: Map<PlanFile, Map<string, string>>, plan: PlanFile): Map<string, string> {
  const its = all.get(plan) ?? new Map<string, string>();
  all.set(plan, its);
  return its;
}
