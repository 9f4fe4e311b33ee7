// cadre gc: shows what is no longer needed, and removes it when asked to.
import type { GarbageRequest } from '../../../../app/actions/action.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { showName } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Given, type Run, refuse, textOption } from '../../context.ts';
import { cleanedLines, garbageLines, usageLines } from '../../text/garbage-lines.ts';

export const run: Run = async (context, given) => {
  const { apply, yes, disk } = given.options;
  const isApplied = apply === true || yes === true;
  if (disk === true && isApplied) return refuse(context, 'usage', '--disk only shows what everything takes on disk.');
  const app = context.app();
  if (disk === true) {
    const usage = await app.diskUsage();
    answer(context, { usage }, usageLines(usage));
    return EXIT.ok;
  }
  const older = textOption(given, 'olderThan') ?? '30d';
  const input = requestIn(given, older);
  const report = await app.garbage(input);
  const hasGarbage = report.items.length > 0;
  if (!isApplied) {
    const how = hasGarbage ? ['Nothing was removed. "cadre gc --apply" removes this.'] : [];
    answer(context, { applied: false, ...report }, [...garbageLines(report, older), ...how]);
    return EXIT.ok;
  }
  if (!context.json && hasGarbage) for (const line of garbageLines(report, older)) context.print(line);
  return performAnd(context, { do: 'gc', input }, ({ cleaned }) => {
    if (cleaned === undefined) throw new Error('The action removed nothing.');
    const { removed, stayed } = cleaned;
    answer(
      context,
      { applied: true, removed, stayed },
      hasGarbage ? cleanedLines(cleaned) : garbageLines(report, older),
    );
    return stayed.length === 0 ? EXIT.ok : EXIT.failed;
  });
};

function requestIn(given: Given, older: string): GarbageRequest {
  const [, count, unit = 'd'] = /^(\d{1,6})(m|h|d|w)?$/.exec(older) ?? [];
  if (count === undefined)
    throw new Failure(
      'usage',
      'bad-number',
      `--older-than takes a time such as 30d, 12h or 2w, not "${showName(older)}".`,
    );
  return { olderThan: Number(count) * (UNITS.get(unit) ?? 0), unmerged: given.options.unmerged === true };
}

/** In milliseconds. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);
