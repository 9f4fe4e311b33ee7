// The settings as far as decisions depend on them. They are part of the world, so that a decision can be repeated from the
// journal alone: the engine says what they are (event `policy`), and they hold from that record on.
import type { Role } from '../../signals/registry.ts';

export interface Policy {
  readonly budgets: Budgets;
  /** An idle implementer that has committed since its turn began starts the verification. */
  readonly autoVerify: boolean;
  /** Who reviews task plans, answers questions, and decides about runs that take long. */
  readonly architect: Readonly<Record<'plan_review' | 'questions' | 'checkins', 'human' | 'agent' | 'auto'>>;
  /** How many runs of the repository may be live before the engine launches no other. */
  readonly maxParallel: number;
  readonly verification: Verification;
  /** How long each kind of wait may last, in milliseconds. */
  readonly deadlines: Deadlines;
  /** What runs for whom. A role that is not here is done by the default program. */
  readonly programs: Readonly<Partial<Record<Role, Program>>>;
  /** The machine on which new sessions and runs start; absent: the local one. */
  readonly machine?: string;
}

/**
 * Who verifies. `engine`: it runs a command, or says at once that there is nothing to run. `agent`: the word of the session
 * that was asked is the result. `both`: the agent's word starts the engine's own check.
 */
export type Verification = 'engine' | 'agent' | 'both';

export interface Budgets {
  readonly coding: number;
  readonly fixing: number;
  readonly checkins: number;
  /** Turns of the implementer in all, those in which it plans included. */
  readonly turns: number;
  readonly mergeAttempts: number;
  readonly relaunches: number;
  readonly reviewCycles: number;
  /** Milliseconds in which an agent or the engine owed something. */
  readonly wallClock: number;
}

export interface Deadlines {
  readonly worktree: number;
  readonly verify: number;
  readonly merge: number;
  readonly sessionStart: number;
  readonly turn: number;
  /** After so long a person is reminded, and not before the same time has passed again. */
  readonly reminder: number;
}

export interface Program {
  readonly program: string;
  readonly flags: readonly string[];
  /** Names of the environment variables that it may see besides the usual ones. */
  readonly env: readonly string[];
}
