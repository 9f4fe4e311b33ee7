// The ports that effects of runs need, and how their failures are put into words.
import { Failure } from '../../core/model/failure.ts';
import type { KeyedQueue } from '../../core/model/keyed-queue.ts';
import type { Gateway } from '../../core/ports/gateway.ts';
import type { Merging } from '../../core/ports/merging.ts';
import type { PullRequests } from '../../core/ports/pull-requests.ts';
import type { Verifier, VerifySetting } from '../../core/ports/verifier.ts';
import type { RunWorktrees } from '../../core/ports/worktrees.ts';
import type { PlanFile } from '../../plan/name.ts';

export interface RunPorts {
  /** For what has to be recorded while an effect is being performed. */
  readonly gateway: Gateway;
  readonly trees: RunWorktrees;
  readonly merging: Merging;
  readonly pulls: PullRequests;
  readonly verifier: Verifier;
  readonly warn: Warn;
  readonly settings: RunSettings;
  /** Serializes verifications of merged trees, keyed by plan. */
  readonly queue: KeyedQueue;
  /** Aborted when the engine stops. Long-running work is left for the next engine. */
  readonly stop: AbortSignal;
}

/** Reports something that a person should know, although the effect continues. It is recorded together with its result. */
export type Warn = (warning: Warning) => void;

export interface Warning {
  readonly plan: PlanFile;
  /** The task's id, where it is about one. */
  readonly task?: string;
  readonly text: string;
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

export function engineStops(): Failure {
  return new Failure('failed', 'engine-stops', 'The engine is stopping; the next one continues.');
}

export function withdrawn(): Failure {
  return new Failure(
    'failed',
    'withdrawn',
    'The plan was paused, or a branch of it was moved by somebody else, before this could move it.',
  );
}

/** The effect has no result: it is performed again, here or by the next engine, or issued again. */
export function isCutShort(error: unknown): boolean {
  return error instanceof Failure && (CUT_SHORT.includes(error.code) || /^E[A-Z]/.test(error.code));
}

const CUT_SHORT: readonly string[] = ['engine-stops', 'withdrawn', 'locked', 'lock-gone'];
