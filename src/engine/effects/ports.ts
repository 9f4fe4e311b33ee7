// The ports that effects of runs need, and how their failures are put into words.
import { Failure } from '../../core/model/failure.ts';
import type { KeyedQueue } from '../../core/model/keyed-queue.ts';
import type { Merging } from '../../core/ports/merging.ts';
import type { Notify } from '../../core/ports/notify.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import type { Verifier, VerifySetting } from '../../core/ports/verifier.ts';
import type { RunWorktrees } from '../../core/ports/worktrees.ts';

export interface RunPorts {
  readonly trees: RunWorktrees;
  readonly merging: Merging;
  readonly pulls: PullRequests;
  readonly verifier: Verifier;
  readonly notify: Notify;
  readonly settings: RunSettings;
  /** Serializes verifications of merged trees, keyed by plan. */
  readonly queue: KeyedQueue;
  /** Aborted when the engine stops. Long-running work is left for the next engine. */
  readonly stop: AbortSignal;
}

export interface RunSettings {
  readonly setup: readonly string[];
  readonly verify: VerifySetting | undefined;
  readonly baseBranch: string | undefined;
  readonly syncBase: boolean;
  readonly land: 'manual' | 'local' | 'pr';
  readonly taskMerge: 'local' | 'pr';
}

/** The message of a Failure. Any other error is a bug, and is thrown again. */
export function whyOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

export function withTail(sentence: string, tail: string): string {
  return tail.trim() === '' ? sentence : `${sentence}\n\n${tail}`;
}

export const ENGINE_STOPS = 'engine-stops';

export function engineStops(): Failure {
  return new Failure('failed', ENGINE_STOPS, 'The engine is stopping; the next one continues.');
}
