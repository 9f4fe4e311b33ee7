// cadre session log: what happened in the place of a session, from the journal.
import type { JournalRecord } from '../../../../core/model/record.ts';
import type { Run } from '../../context.ts';
import { EXIT } from '../../context.ts';
import { sessionNamed } from '../../session.ts';
import { printRecord } from '../views/log.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const world = await app.gateway.look();
  const { place } = sessionNamed(world, given.arguments[0] ?? '');
  const ids = new Set<string>(
    [...world.sessions.values()].flatMap((entry) => (entry.place === place ? [entry.id] : [])),
  );
  for (const record of await app.records()) if (concerns(record, ids)) printRecord(context, record);
  return EXIT.ok;
};

/** Said by one of those that followed one another in the place, or about one of them. */
function concerns(record: JournalRecord, ids: ReadonlySet<string>): boolean {
  if (record.session !== undefined && ids.has(record.session)) return true;
  return 'begun' in record ? ids.has(record.begun.id) : 'about' in record && ids.has(record.about);
}
