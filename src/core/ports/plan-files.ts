// The plan files, as a port.
import type { PlanFile } from '../../plan/name.ts';
import type { Outline } from '../../plan/outline.ts';
import type { Problem } from '../../plan/plan.ts';

export type PlanReading =
  | { readonly kind: 'read'; readonly outline: Outline; readonly problems: readonly Problem[] }
  /** There is a file, but its tasks may be other than its author means: nothing follows from it. */
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }
  | { readonly kind: 'missing' }
  /** It is, byte for byte, the file that the tasks were read from last. */
  | { readonly kind: 'known' };

/** The plans in docs/plans, which cadre only ever reads. */
export interface PlanFiles {
  /** The plans in the folder, the one that was changed last first. */
  list(): readonly PlanFile[];
  /** `known`: what stands for the text that was read last; where the file still is that, it is not taken apart again. */
  read(plan: PlanFile, known?: string): PlanReading;
  /**
   * Reads many plans to show them; `file` is what `read` takes as `known`. A file that has not changed since it was read is
   * not opened; its outline then comes without the texts of its tasks and without problems.
   */
  readAll(plans: Iterable<{ readonly plan: PlanFile; readonly file?: string }>): ReadonlyMap<PlanFile, PlanReading>;
  /**
   * What stands in those of these plans whose files have changed since they were `taken`, as far as nobody is writing them
   * now; and when to look again for one that someone is.
   */
  changed(plans: Iterable<PlanFile>): {
    readonly readings: readonly { readonly plan: PlanFile; readonly reading: PlanReading }[];
    readonly lookAgainIn: number | undefined;
  };
  /** What was read has been dealt with. */
  taken(plan: PlanFile): void;
  readonly folder: string;
}
