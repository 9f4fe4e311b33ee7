// Checkboxes with numbers, "1. Schema" and "1.1 Add the table", as OpenSpec and Kiro have them.
import { conditionsIn } from './conditions.ts';
import type { ForeignFile } from './entries.ts';
import type { EntryHead, EntryRules } from './list-of-entries.ts';

/** A number below that of the task before it is a step of it, whether it is indented or not. */
export const NUMBERED: EntryRules = {
  head,
  role({ id }, { depth, bare }, task) {
    if (bare) return 'group';
    if (task === undefined) return 'task';
    return depth > task.depth || (task.id !== '' && id.startsWith(`${task.id}.`)) ? 'step' : 'task';
  },
  dependsOn: () => [],
};

export interface NumberCounts {
  /** Checkboxes that are neither nested nor conditions. */
  readonly top: number;
  /** Those of them with a number such as "1.". */
  readonly whole: number;
  /** Those of them with a number such as "1.2". */
  readonly dotted: number;
}

export function numbersIn(file: ForeignFile): NumberCounts {
  const { entries } = file.entries();
  const conditions = conditionsIn(entries);
  const ids = entries
    .filter((entry) => entry.depth === 1 && !entry.bare && !conditions.has(entry))
    .map((entry) => head(entry.text).id);
  return {
    top: ids.length,
    whole: ids.filter((id) => id !== '' && !id.includes('.')).length,
    dotted: ids.filter((id) => id.includes('.')).length,
  };
}

function head(text: string): EntryHead {
  const [start, open = '', id = '', close = ''] = NUMBER.exec(text) ?? [''];
  const rest = `${close === '' && id !== '' ? open : ''}${text.slice(start.length)}`;
  const mark = /^[([]P[)\]]\s*/i.exec(rest)?.[0] ?? '';
  return {
    id,
    labels: [],
    parallel: mark !== '',
    dependsOn: [],
    text: rest.slice(mark.length),
  };
}

/** A whole number needs a sign after it: "3 retries" is not number 3. */
const NUMBER =
  /^([*_]{0,3})(\d{1,4}(?:\.\d{1,4}){1,4}[a-z]?|\d{1,4}[a-z]?(?=[*_]{0,3}[.):]))([*_]{0,3})[.):]?\*?[*_]{0,3}(?=\s|$)\s*/;
