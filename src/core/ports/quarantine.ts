// Refused signals, as a port.
import type { Refused } from '../model/refused-signal.ts';

/** Refused signals: their original bytes, and the reason beside them. Whatever was done before is not done again. */
export interface Quarantine {
  /** Moves a refused signal aside. */
  keep(refused: Refused): void;
  /** The original's first bytes, as far as it is a file. */
  show(refused: Refused): Buffer | undefined;
  /** Puts the signal back where it came from; a message is stamped with the number at which its plan entered its state. */
  putBack(refused: Refused, entered: number): void;
  /** Deletes original and reason. */
  discard(refused: Refused): void;
}
