// What is kept of a refused signal.
import type { SignalFile } from './event.ts';
import type { RuleRefusal } from './refusal.ts';

/** A signal that was not heard, as it is kept for a person to look at. */
export interface Refused {
  readonly id: string;
  /** The signal's own id. */
  readonly signal: string;
  readonly code: RuleRefusal;
  readonly why: string;
  /** The signal's name where it has one, otherwise its file's name made safe to print. */
  readonly name: string;
  readonly plan?: string;
  /** The session that said it, where one did. */
  readonly session?: string;
  readonly file: SignalFile;
}
