// What cadre knows about the task files of one other tool.
import type { ForeignFile } from './entries.ts';
import type { TaskList } from './task-list.ts';

export const DIALECT_NAMES = ['spec-kit', 'task-master', 'openspec', 'kiro', 'checklist'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

export interface Dialect {
  /** As its makers write it. */
  readonly title: string;
  /** Every dialect has tasks with steps, files, text, and whether they are done. */
  readonly carries: { readonly [part in PlanPart]: boolean };
  /** Files beside it that say what the tasks are about. */
  readonly companions: readonly string[];
  /** Whether a file is in this dialect, as far as one can see. Never throws. */
  detect(file: ForeignFile): boolean;
  /** Any file gives a list, which may be empty, or the reason why it cannot be read. Never throws; takes linear time. */
  read(file: ForeignFile, tag?: string): ReadList;
  write(list: TaskList): string;
}

/** Parts of a plan that not every dialect can express. */
export const PLAN_PARTS = ['phases', 'parallel', 'dependencies'] as const;
export type PlanPart = (typeof PLAN_PARTS)[number];

export type ReadList =
  | { readonly kind: 'list'; readonly list: TaskList; readonly otherTags?: readonly string[] }
  /** To end a sentence with. */
  | { readonly kind: 'unreadable'; readonly why: string };
