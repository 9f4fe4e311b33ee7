// One record of the journal, as a line for a person or as JSON.
import type { JournalRecord } from '../../core/model/record.ts';
import { viewRecord } from '../../core/views/record.ts';
import type { Context } from './context.ts';
import { recordLine } from './text/record-line.ts';

export function printRecord(context: Context, record: JournalRecord): void {
  context.print(context.json ? JSON.stringify(viewRecord(record)) : recordLine(record));
}
