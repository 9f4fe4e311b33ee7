// The table of dialects: every format of tasks that cadre reads and writes besides plans.
import { checklist } from './checklist.ts';
import { DIALECT_NAMES, type Dialect, type DialectName } from './dialect.ts';
import type { ForeignFile } from './entries.ts';
import { kiro } from './kiro.ts';
import { openSpec } from './openspec.ts';
import { specKit } from './spec-kit.ts';
import { taskMaster } from './task-master.ts';

export const DIALECTS: { readonly [name in DialectName]: Dialect } = {
  'spec-kit': specKit,
  'task-master': taskMaster,
  openspec: openSpec,
  kiro,
  checklist,
};

/** The dialect of a file; the first of the table that fits, since any list of checkboxes is a checklist. */
export function dialectOf(file: ForeignFile): DialectName | undefined {
  return DIALECT_NAMES.find((name) => DIALECTS[name].detect(file));
}

export function isDialect(name: string): name is DialectName {
  return DIALECT_NAMES.some((one) => one === name);
}
