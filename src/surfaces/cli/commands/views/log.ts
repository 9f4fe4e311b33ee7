// cadre log: the journal, and what is being added to it.
import { taskNames } from '../../../../core/views/record.ts';
import { showName } from '../../../../text/show.ts';
import { EXIT, type Run, refuse, textOption } from '../../context.ts';
import { printRecord } from '../../print-record.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const limit = textOption(given, 'limit');
  if (limit !== undefined && !/^\d+$/.test(limit))
    return refuse(context, 'bad-limit', `--limit must be a whole number of at least 0, not "${showName(limit)}".`);
  const subject = referenceIn(given);
  const concerns = await app.concerns(subject);
  const seq = (await app.records(undefined, 1))[0]?.seq ?? 0;
  const shown = await app.records(subject, limit === undefined ? undefined : Number(limit));
  const names = taskNames(await app.world());
  for (const record of shown) printRecord(context, record, names);
  if (given.options.follow !== true) {
    if (seq === 0 && !context.json) context.say('The journal is empty.');
    return EXIT.ok;
  }
  const last = Math.max(seq, shown.at(-1)?.seq ?? 0);
  for await (const record of app.follow(last, context.stop))
    if (concerns(record)) printRecord(context, record, taskNames(await app.world()));
  return EXIT.ok;
};
