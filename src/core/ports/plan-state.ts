// Files that are projections of the journal, as ports.
import type { World } from '../model/world.ts';

export interface PlanStateText {
  readonly text: string;
  /** Byte for byte what cadre wrote last, or was about to write when it was stopped. */
  readonly ours: boolean;
}

/** plan-state.json. Only a process that holds its lock may call a method that writes. */
export interface PlanStateStore {
  readonly path: string;
  read(): PlanStateText | undefined;
  /** `read().ours`, true where there is no file; an unchanged file is not read for it. */
  isOurs(): boolean;
  /** Whether cadre has ever written it for this repository. If so, the journal has everything the file had. */
  everWritten(): boolean;
  /** Replaces the file atomically with the text for the world after record `seq`. */
  write(text: string, seq: number): void;
  /** The `seq` of the last `write`, in this or an earlier process; 0 if unknown. Never ahead of the journal. */
  writtenUpTo(): number;
  /** Whether it changed a moment ago, so that an editor may still be writing it. */
  isFresh(): boolean;
  /** Renames the file to a free name beside it, and returns that name. */
  setAside(): string;
}

/** ~/.cadre/state.json: the plans and tasks of every repository. Leaves entries of other repositories as they are. */
export interface Overview {
  update(world: World): Promise<void>;
}
