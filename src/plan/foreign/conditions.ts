// Checkboxes that say when the work as a whole is finished: "Definition of Done". Nobody builds them one by one.
import type { Entry, EntrySection } from './entries.ts';

/** "Checkpoint - Make sure all tests pass": it has nothing built, and cadre verifies every task anyway. */
export function isCheckpoint(name: string): boolean {
  return CHECKPOINT.test(name);
}

const CHECKPOINT =
  /^\**(?:[Ff]inal |[Ll]ast )?(?:[Cc]heckpoint|チェックポイント|检查点)(?: \d{1,3})?(?:\s+[-–—]\s|\s?[:：.(*]|$)/;

/** Those of the entries that are conditions, each with the heading that says so; none where nothing else is in the file. */
export function conditionsIn(entries: readonly Entry[]): ReadonlyMap<Entry, string> {
  const found = entries.flatMap((entry) => {
    const title = titleAbove(entry.section);
    return title === undefined ? [] : [[entry, title] as const];
  });
  return new Map(found.length < entries.length ? found : []);
}

function titleAbove(section: EntrySection): string | undefined {
  for (let at: EntrySection | undefined = section; at !== undefined; at = at.above)
    if (announcesConditions(at.title)) return at.title;
  return undefined;
}

export function announcesConditions(title: string): boolean {
  return TITLE.test(title);
}

/** Signs may come before it. */
const TITLE =
  /^[^a-z]{0,8}(?:definition of done|(?:success|acceptance|completion|exit) (?:criteria|metrics)|(?:completion|acceptance) checklist|quality gates?)\b/i;
