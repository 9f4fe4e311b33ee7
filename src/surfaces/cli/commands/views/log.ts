// cadre log: the journal, and what is being added to it.
import { showName } from '../../../../text/show.ts';
import { EXIT, type Run, refuse, textOption } from '../../context.ts';
import { printRecord } from '../../print-record.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const limit = textOption(given, 'limit');
  if (limit !== undefined && !/^\d+$/.test(limit))
    return refuse(context, 'bad-limit', `--limit must be a number, not "${showName(limit)}".`);
  const concerns = await app.concerns(given.arguments[0]);
  const all = await app.records();
  const wanted = all.filter(concerns);
  const shown = limit === undefined ? wanted : wanted.slice(wanted.length - Math.min(Number(limit), wanted.length));
  for (const record of shown) printRecord(context, record);
  if (given.options.follow !== true) {
    if (all.length === 0 && !context.json) context.say('The journal is empty.');
    return EXIT.ok;
  }
  for await (const record of app.follow(all.at(-1)?.seq ?? 0, context.stop))
    if (concerns(record)) printRecord(context, record);
  return EXIT.ok;
};
