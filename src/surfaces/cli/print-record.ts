// One record of the journal, as a line for a person or as JSON.
import type { JournalRecord } from '../../core/model/record.ts';
import { type TaskNames, viewRecord } from '../../core/views/record.ts';
import { type Context, jsonLine } from './context.ts';
import { recordLine } from './text/record-line.ts';

export function printRecord(context: Context, record: JournalRecord, names: TaskNames): void {
  context.print(context.json ? jsonLine(viewRecord(record)) : recordLine(record, names));
}
