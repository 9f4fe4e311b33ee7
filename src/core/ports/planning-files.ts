// The files of workshops, and the plan files that they publish.
import type { PlanFile } from '../../plan/name.ts';

export interface PlanningFolder {
  /** Path below the folder, and text. An artifact that is not among them is removed. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether cadre has written this text there at some time; anything else is somebody's edit. */
  wasWritten(path: string, text: string): boolean;
}

/** Contract: a crash at any time leaves each file whole, and doing the same again completes it. Nobody's edit is lost. */
export interface PlanningFiles extends PlanArchive {
  /** Makes the files as they should be. Returns where edits were moved to, as sentences. */
  write(plan: PlanFile, folder: PlanningFolder): readonly string[];
  /** The text of the plan file; null where there is none. */
  published(plan: PlanFile): string | null;
  /** Writes the plan file. A text other than `replaces` that is there is kept first; returns where. */
  publish(plan: PlanFile, text: string, replaces: string | null): string | undefined;
}

/** Contract: doing the same again after a crash completes it, and nothing that is in the way is overwritten. */
export interface PlanArchive {
  /** Moves the plan file and the plan's own folder to the archive. `planning`: the files of its workshop, written first. */
  archive(plan: PlanFile, planning: PlanningFolder | undefined): void;
  /** Moves them back. Returns what stayed in the archive, as a sentence, because something else has its name. */
  unarchive(plan: PlanFile): string | undefined;
}
