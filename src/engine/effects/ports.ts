// What the effects of runs are performed with, and how what came of them is said.
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
  readonly queue: KeyedQueue;
  /** Aborted when the engine stops: what takes long is then left for the next one. */
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

/** What git or the machine says is why a run cannot begin; a mistake of the program is thrown on. */
export function whyOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}

export function withTail(sentence: string, tail: string): string {
  return tail.trim() === '' ? sentence : `${sentence}\n\n${tail}`;
}

/** The failure of what was cut short because the engine stops. */
export const ENGINE_STOPS = 'engine-stops';

export function engineStops(): Failure {
  return new Failure('failed', ENGINE_STOPS, 'The engine stops; the next one goes on.');
}
