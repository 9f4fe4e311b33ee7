// cadre log: the journal, and what is being added to it.
import { type JournalRecord, planOf } from '../../../../core/model/record.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { showName } from '../../../../text/show.ts';
import { type Context, EXIT, type Run, refuse, textOption } from '../../context.ts';
import { planNamed } from '../../find.ts';
import { recordJson } from '../../json/record-json.ts';
import { recordLine } from '../../text/record-line.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const limit = textOption(given, 'limit');
  if (limit !== undefined && !/^\d+$/.test(limit))
    return refuse(context, 'bad-limit', `--limit takes a number, and "${showName(limit)}" is none.`);
  const [reference] = given.arguments;
  const plan = reference === undefined ? undefined : planNamed(await app.gateway.look(), reference).plan;
  const all = [...(await app.records())];
  const wanted = all.filter((record) => concerns(record, plan));
  const shown = limit === undefined ? wanted : wanted.slice(wanted.length - Math.min(Number(limit), wanted.length));
  for (const record of shown) printRecord(context, record);
  if (given.options.follow !== true) {
    if (all.length === 0 && !context.json) context.say('The journal is empty.');
    return EXIT.ok;
  }
  for await (const record of app.follow(all.at(-1)?.seq ?? 0, context.stop))
    if (concerns(record, plan)) printRecord(context, record);
  return EXIT.ok;
};

export function printRecord(context: Context, record: JournalRecord): void {
  context.print(context.json ? JSON.stringify(recordJson(record)) : recordLine(record));
}

function concerns(record: JournalRecord, plan: PlanFile | undefined): boolean {
  return plan === undefined || planOf(record) === plan;
}
