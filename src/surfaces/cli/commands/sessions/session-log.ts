// cadre session log: what happened in the place of a session.
import { taskNames } from '../../../../core/views/record.ts';
import { EXIT, type Run } from '../../context.ts';
import { printRecord } from '../../print-record.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const names = taskNames(await app.world());
  for (const record of await app.sessionRecords(given.arguments[0] ?? '')) printRecord(context, record, names);
  return EXIT.ok;
};
