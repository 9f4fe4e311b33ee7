// Derives the policy from the settings.
import { type AgentPhase, PHASES, resolveProfile, resolveRole } from '../../agents/profiles.ts';
import type { Role } from '../../signals/registry.ts';
import { architectFrom, DEFAULT_POLICY, GRACE, MINUTE } from './default-policy.ts';
import { notifyWords } from './notify.ts';
import type { Policy, Program, VerifyPolicy } from './policy.ts';
import type { Settings } from './settings.ts';

export interface PolicyReading {
  readonly policy: Policy;
  /** Sentences for the person: missing programs and profiles. */
  readonly warnings: readonly string[];
}

/** What the settings alone do not say: which programs exist here, and which command verifies the project. */
export interface Surroundings {
  isInstalled(program: string): boolean;
  readonly verify: VerifyPolicy | null;
}

export function policyFrom(settings: Settings, { isInstalled, verify }: Surroundings): PolicyReading {
  const { limits, minutes, architect, auto_verify: autoVerify, max_parallel: maxParallel } = settings;
  const asksAgent = verify !== null && typeof verify === 'object' && 'prompt' in verify;
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
        rounds: settings.max_rounds,
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
      architect: architectFrom(architect),
      maxParallel,
      verification: asksAgent ? 'agent' : 'engine',
      setup: settings.setup ?? [],
      verify,
      land: settings.land,
      taskMerge: settings.task_merge,
      notifyCommand: notifyWords(settings.notify),
      programs,
    },
    warnings: [...warnings],
  };
}
