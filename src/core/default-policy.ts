// What holds until the engine has said what the settings are.
import { DEFAULT_PROGRAM } from '../agents/profiles.ts';
import type { Role } from '../signals/registry.ts';
import type { Policy, Program } from './policy.ts';
import { ARCHITECT, LIMITS } from './settings.ts';

const MINUTE = 60_000;

export const DEFAULT_POLICY: Policy = {
  budgets: {
    coding: LIMITS.coding_iterations,
    fixing: LIMITS.fixing_iterations,
    checkins: LIMITS.checkins,
    turns: 60,
    mergeAttempts: LIMITS.merge_attempts,
    relaunches: LIMITS.relaunches,
    reviewCycles: LIMITS.max_review_cycles,
    wallClock: 12 * 60 * MINUTE,
  },
  autoVerify: true,
  architect: ARCHITECT,
  maxParallel: 4,
  verification: 'engine',
  deadlines: {
    worktree: 15 * MINUTE,
    verify: 60 * MINUTE,
    merge: 60 * MINUTE,
    sessionStart: 2 * MINUTE,
    turn: 120 * MINUTE,
    reminder: 24 * 60 * MINUTE,
  },
  programs: {},
};

export function programFor(policy: Policy, role: Role): Program {
  return policy.programs[role] ?? { program: DEFAULT_PROGRAM, flags: [], env: [] };
}
