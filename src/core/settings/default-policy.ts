// The policy until the engine has recorded the settings.
import { DEFAULT_PROGRAM } from '../../agents/profiles.ts';
import type { Role } from '../../signals/registry.ts';
import type { Policy, Program } from './policy.ts';
import { ARCHITECT, LIMITS, MAX_ROUNDS, MINUTES, type Settings } from './settings.ts';

export const MINUTE = 60_000;

/** A command is stopped this long before its effect is overdue, so that its output can still be reported. */
export const GRACE = 2 * MINUTE;

export const DEFAULT_POLICY: Policy = {
  budgets: {
    coding: LIMITS.coding_iterations,
    fixing: LIMITS.fixing_iterations,
    checkins: LIMITS.checkins,
    turns: 60,
    mergeAttempts: LIMITS.merge_attempts,
    relaunches: LIMITS.relaunches,
    reviewCycles: LIMITS.max_review_cycles,
    reviewRounds: LIMITS.review_rounds,
    escalateAfter: LIMITS.escalate_after,
    rounds: MAX_ROUNDS,
    wallClock: MINUTES.run * MINUTE,
  },
  autoVerify: true,
  architect: architectFrom(ARCHITECT),
  maxParallel: 4,
  verification: 'engine',
  deadlines: {
    worktree: MINUTES.setup * MINUTE + GRACE,
    verify: MINUTES.verify * MINUTE + GRACE,
    merge: (MINUTES.setup + MINUTES.verify) * MINUTE + GRACE,
    sessionStart: 2 * MINUTE,
    turn: MINUTES.turn * MINUTE,
    reminder: 24 * 60 * MINUTE,
  },
  programs: {},
};

/** What is at its default is left out, so that the policy is the same as one that an earlier version recorded. */
export function architectFrom({ workshop, ...others }: Settings['architect']): Policy['architect'] {
  return workshop === 'agent' ? { ...others, workshop } : others;
}

/** `profile`: what the plan names for the task, where it names one. */
export function programFor(policy: Policy, role: Role, profile?: string): Program {
  const named = profile === undefined ? undefined : ownProfile(policy, profile);
  return named ?? policy.programs[role] ?? { program: DEFAULT_PROGRAM, flags: [], env: [] };
}

/** A name in a plan may be that of an inherited property. */
function ownProfile({ profiles = {} }: Policy, name: string): Program | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}
