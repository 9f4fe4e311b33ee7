// Refused signals, as a port.
import type { SignalFile } from '../model/event.ts';
import type { RefusedSignal } from '../model/refused-signal.ts';

/** Refused signals: their original bytes, and the reason beside them. Contract: a second call changes nothing. */
export interface Quarantine {
  /** Moves a refused signal into quarantine. */
  keep(refused: RefusedSignal): void;
  /** Moves refused signals that are only counted to one folder, without their reasons. A file that is gone is left out. */
  keepMany(files: readonly SignalFile[]): void;
  /** The first bytes of the original, if it is a file. */
  show(refused: RefusedSignal): Buffer | undefined;
  /** Puts the signal back where it came from. `entered`: when its plan entered its present state; a message is stamped with it. */
  putBack(refused: RefusedSignal, entered: number): void;
  /** Deletes the original and the reason. */
  discard(refused: RefusedSignal): void;
}
