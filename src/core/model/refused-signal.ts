// A refused signal.
import type { SignalFile } from './event.ts';
import type { RuleRefusal } from './refusal.ts';

/** A signal in quarantine. */
export interface RefusedSignal {
  readonly id: string;
  /** The signal's own id. */
  readonly signal: string;
  readonly code: RuleRefusal;
  readonly why: string;
  /** The signal's name if it has one, otherwise its file name, made safe to print. */
  readonly name: string;
  readonly plan?: string;
  /** The session that sent it, if a session did. */
  readonly session?: string;
  readonly file: SignalFile;
}
