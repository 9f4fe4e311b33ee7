// The files that are projections of the journal, as ports.
import type { World } from '../model/world.ts';

export interface PlanStateText {
  readonly text: string;
  /** It is, byte for byte, what cadre wrote last (or was about to write when it was stopped). */
  readonly ours: boolean;
}

/** plan-state.json. Written only under its lock. */
export interface PlanStateStore {
  readonly path: string;
  read(): PlanStateText | undefined;
  /** `read().ours`, true where there is no file; an unchanged file is not read for it. */
  isOurs(): boolean;
  /** Whether cadre has ever written it for this repository, so that the journal knows all it held. */
  everWritten(): boolean;
  /** The file for the world after record `seq`. */
  write(text: string, seq: number): void;
  /** The last `seq` that was given to `write`, in this or an earlier process; 0 where that is not known. */
  writtenUpTo(): number;
  /** Whether someone wrote it a moment ago and may not be through with it. */
  isFresh(): boolean;
  /** Puts the file under another name beside it, which it returns. */
  setAside(): string;
}

/** ~/.cadre/state.json: the plans and tasks of every repository. Entries of other repositories stay as they are. */
export interface Overview {
  update(world: World): Promise<void>;
}
