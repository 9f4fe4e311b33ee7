// Derives the policy from the settings.
import { type AgentPhase, PHASES, resolveProfile, resolveRole } from '../../agents/profiles.ts';
import type { Role } from '../../signals/registry.ts';
import { DEFAULT_POLICY, GRACE, MINUTE } from './default-policy.ts';
import type { Policy, Program } from './policy.ts';
import type { Settings } from './settings.ts';

export interface PolicyReading {
  readonly policy: Policy;
  /** Sentences for the person: missing programs and profiles. */
  readonly warnings: readonly string[];
}

export function policyFrom(settings: Settings, isInstalled: (program: string) => boolean): PolicyReading {
  const { limits, minutes, architect, auto_verify: autoVerify, max_parallel: maxParallel, verify } = settings;
  const asksAgent = typeof verify === 'object' && 'prompt' in verify;
  const programs: Partial<Record<Role, Program>> = {};
  const warnings = new Set<string>();
  for (const phase of Object.keys(PHASES) as AgentPhase[]) {
    const resolved = resolveProfile(settings, resolveRole(settings, phase), isInstalled);
    const { program, flags, env } = resolved;
    programs[PHASES[phase]] = { program, flags, env };
    for (const warning of resolved.warnings) warnings.add(warning);
  }
  return {
    policy: {
      ...DEFAULT_POLICY,
      budgets: {
        ...DEFAULT_POLICY.budgets,
        coding: limits.coding_iterations,
        fixing: limits.fixing_iterations,
        checkins: limits.checkins,
        mergeAttempts: limits.merge_attempts,
        relaunches: limits.relaunches,
        reviewCycles: limits.max_review_cycles,
        wallClock: minutes.run * MINUTE,
      },
      deadlines: {
        ...DEFAULT_POLICY.deadlines,
        worktree: minutes.setup * MINUTE + GRACE,
        verify: minutes.verify * MINUTE + GRACE,
        // A merge may set up and verify the merged tree.
        merge: (minutes.setup + minutes.verify) * MINUTE + GRACE,
        turn: minutes.turn * MINUTE,
      },
      autoVerify,
      architect,
      maxParallel,
      verification: asksAgent ? 'agent' : 'engine',
      programs,
    },
    warnings: [...warnings],
  };
}
