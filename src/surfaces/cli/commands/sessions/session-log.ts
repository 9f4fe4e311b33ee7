// cadre session log: what happened in the place of a session.
import { EXIT, type Run } from '../../context.ts';
import { printRecord } from '../../print-record.ts';

export const run: Run = async (context, given) => {
  for (const record of await context.app().sessionRecords(given.arguments[0] ?? '')) printRecord(context, record);
  return EXIT.ok;
};
