// The plan files, as a port.
import type { PlanFile } from '../../plan/name.ts';
import type { Outline } from '../../plan/outline.ts';
import type { Problem } from '../../plan/plan.ts';

export type PlanReading =
  | {
      readonly kind: 'read';
      readonly outline: Outline;
      readonly problems: readonly Problem[];
      /** The file changed so recently that it may be half saved. */
      readonly fresh?: true;
    }
  /** The file exists, but its tasks may not be what its author means: nothing follows from it. */
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }
  | { readonly kind: 'missing' }
  /** Byte for byte the file that the tasks were last read from. */
  | { readonly kind: 'known' };

export interface PlanToRead {
  readonly plan: PlanFile;
  /** The digest of the text that its tasks were last read from. */
  readonly file?: string;
}

/** The plans in docs/plans. Nothing here changes them. */
export interface PlanFiles {
  /** The plans in the folder, last changed first. */
  list(): readonly PlanFile[];
  /** `known`: the digest of the text that was last read. A file that still has it is not parsed again. */
  read(plan: PlanFile, known?: string): PlanReading;
  /**
   * Reads many plans to show them. A file that has not changed since it was read is not opened; its outline then comes
   * without the texts of its tasks and without problems.
   */
  readAll(plans: Iterable<PlanToRead>): ReadonlyMap<PlanFile, PlanReading>;
  /** `readAll` and `list` in one, which looks at every file once. */
  survey(plans: Iterable<PlanToRead>): {
    readonly readings: ReadonlyMap<PlanFile, PlanReading>;
    readonly newestFirst: readonly PlanFile[];
  };
  /**
   * The plans whose files changed since `markHandled`. Files that are being written are left for a later call; those for
   * which `isLoss` holds have to stay as they are for longer.
   */
  changed(
    plans: Iterable<PlanFile>,
    isLoss?: (plan: PlanFile, reading: PlanReading) => boolean,
  ): {
    readonly readings: readonly { readonly plan: PlanFile; readonly reading: PlanReading }[];
    /** Milliseconds until a file that is being written may be complete; undefined if there is none. */
    readonly lookAgainIn: number | undefined;
  };
  /** The last reading of the plan needs no more attention. */
  markHandled(plan: PlanFile): void;
  readonly folder: string;
}
