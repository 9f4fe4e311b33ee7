// The policy: the settings that rules depend on. It is part of the world, so that a decision can be repeated from the
// journal alone. The engine submits it (event `policy`), and it applies from that record on.
import type { Grants } from '../../agents/permissions.ts';
import type { Role } from '../../signals/registry.ts';
import type { WallInForce, Wanted } from './sandbox.ts';

export interface Policy {
  readonly budgets: Budgets;
  /** Verification, both reviews and the merge start automatically; otherwise each of them waits for a person. */
  readonly autoVerify: boolean;
  /** Who reviews task plans, answers questions, and decides at check-ins. */
  readonly architect: Readonly<Record<'plan_review' | 'questions' | 'checkins', 'human' | 'agent' | 'auto'>> & {
    /** The architect reviews the plans of workshops. Absent: a person does. */
    readonly workshop?: 'agent';
  };
  /** How many runs of the repository may be live at the same time. */
  readonly maxParallel: number;
  readonly verification: Verification;
  /** The setup command of worktrees, as words. This and the next three are missing in policies that 0.1.0 recorded. */
  readonly setup?: readonly string[];
  /** The verify command, configured or found; null where none could be found. */
  readonly verify?: VerifyPolicy | null;
  /** How approved plans land, and how tasks are merged. */
  readonly land?: 'manual' | 'local' | 'pr';
  readonly taskMerge?: 'local' | 'pr';
  /** The words of the command that gets notifications; empty where there is none. Missing in older policies. */
  readonly notifyCommand?: readonly string[];
  /** The wall around the setup and verify commands; absent where none is wanted. No rule depends on it: it is for the record. */
  readonly commandWall?: WallInForce;
  /** The same for agents, where their profile does not say otherwise. */
  readonly agentWall?: WallInForce;
  /** Implementers have to report what they did. Absent: they may. */
  readonly requireReport?: true;
  /** How long each kind of wait may last, in milliseconds. */
  readonly deadlines: Deadlines;
  /** The program for each role. Roles that are missing use the default program. */
  readonly programs: Readonly<Partial<Record<Role, Program>>>;
  /** The profiles of the settings by name, for tasks that name one. Missing in older policies. */
  readonly profiles?: Readonly<Record<string, Program>>;
  /** The profile of the agent that gets the work after `escalateAfter` rounds; absent: the one it has. */
  readonly escalation?: string;
  /** The machine on which new sessions and runs start; absent: the local one. */
  readonly machine?: string;
}

/**
 * Who verifies. `engine`: it runs a command, or passes at once if there is none. `agent`: what the agent reports is the
 * result. `both`: when the agent has reported, the engine verifies itself.
 */
export type Verification = 'engine' | 'agent' | 'both';

/** The words of a command, nothing, or the prompt of the agent that verifies. */
export type VerifyPolicy = readonly string[] | 'none' | { readonly prompt: string };

export interface Budgets {
  readonly coding: number;
  readonly fixing: number;
  readonly checkins: number;
  /** All turns of the implementer, including those in which it plans. */
  readonly turns: number;
  readonly mergeAttempts: number;
  readonly relaunches: number;
  readonly reviewCycles: number;
  /** How many more rounds a workshop may take before a person is asked. Missing in policies that 0.1.0 recorded. */
  readonly rounds?: number;
  /** How often each review of a run may send it back. This and the next are missing in older policies. */
  readonly reviewRounds?: number;
  /** After so many rounds another agent gets the work. */
  readonly escalateAfter?: number;
  /** Milliseconds for which an agent or the engine may work on a run. */
  readonly wallClock: number;
}

export interface Deadlines {
  readonly worktree: number;
  readonly verify: number;
  readonly merge: number;
  readonly sessionStart: number;
  readonly turn: number;
  /** A person is reminded at this interval. */
  readonly reminder: number;
}

export interface Program {
  readonly program: string;
  readonly flags: readonly string[];
  /** Names of additional environment variables that it may see. */
  readonly env: readonly string[];
  /** What it may do without asking, where that is not the default. */
  readonly grants?: Grants;
  /** Whether it runs behind a wall, where its profile says so. */
  readonly sandbox?: Wanted;
}
