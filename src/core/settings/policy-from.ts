// Derives the policy from the settings.
import { type AgentPhase, PHASES, resolveProfile, resolveRole } from '../../agents/profiles.ts';
import type { Role } from '../../signals/registry.ts';
import { architectFrom, DEFAULT_POLICY, GRACE, MINUTE } from './default-policy.ts';
import { notifyWords } from './notify.ts';
import type { Policy, Program, VerifyPolicy } from './policy.ts';
import { missingWallWords, type WallInForce } from './sandbox.ts';
import type { Settings } from './settings.ts';

export interface PolicyReading {
  readonly policy: Policy;
  /** Sentences for the person: missing programs and profiles. */
  readonly warnings: readonly string[];
}

/** What the settings alone do not say: which programs exist here, and which command verifies the project. */
export interface PolicySurroundings {
  isInstalled(program: string): boolean;
  readonly verify: VerifyPolicy | null;
  /** The words of the command that prepares worktrees; none where the project needs none. */
  readonly setup: readonly string[];
  /** The wall around the commands of the project; undefined where none is wanted. */
  readonly commandWall?: WallInForce | undefined;
  readonly agentWall?: WallInForce | undefined;
}

export function policyFrom(
  settings: Settings,
  { isInstalled, verify, setup, commandWall, agentWall }: PolicySurroundings,
): PolicyReading {
  const { limits, minutes, architect, auto_verify: autoVerify, max_parallel: maxParallel } = settings;
  const asksAgent = verify !== null && typeof verify === 'object' && 'prompt' in verify;
  const programs: Partial<Record<Role, Program>> = {};
  const warnings = new Set<string>();
  for (const phase of Object.keys(PHASES) as AgentPhase[]) {
    const resolved = resolveProfile(settings, resolveRole(settings, phase), isInstalled);
    const { warnings: found, ...program } = resolved;
    programs[PHASES[phase]] = program;
    for (const warning of found) warnings.add(warning);
  }
  const profiles: Record<string, Program> = {};
  for (const name of Object.keys(settings.profiles)) {
    const { warnings: found, ...program } = resolveProfile(settings, name, isInstalled);
    profiles[name] = program;
    for (const warning of found) warnings.add(warning);
  }
  return {
    policy: {
      budgets: {
        ...DEFAULT_POLICY.budgets,
        coding: limits.coding_iterations,
        fixing: limits.fixing_iterations,
        checkins: limits.checkins,
        mergeAttempts: limits.merge_attempts,
        relaunches: limits.relaunches,
        reviewCycles: limits.max_review_cycles,
        reviewRounds: limits.review_rounds,
        escalateAfter: limits.escalate_after,
        rounds: settings.max_rounds,
        wallClock: minutes.run * MINUTE,
      },
      autoVerify,
      architect: architectFrom(architect),
      maxParallel,
      verification: asksAgent ? 'agent' : 'engine',
      deadlines: {
        ...DEFAULT_POLICY.deadlines,
        worktree: minutes.setup * MINUTE + GRACE,
        verify: minutes.verify * MINUTE + GRACE,
        // A merge may set up and verify the merged tree.
        merge: (minutes.setup + minutes.verify) * MINUTE + GRACE,
        turn: minutes.turn * MINUTE,
      },
      programs,
      ...definedOnly({
        setup,
        verify,
        land: settings.land,
        taskMerge: settings.task_merge,
        notifyCommand: notifyWords(settings.notify),
        requireReport: settings.require_report || undefined,
        commandWall,
        agentWall,
        escalation: settings.escalation,
        profiles: Object.keys(profiles).length === 0 ? undefined : profiles,
        // No setting names another machine.
        machine: undefined,
      }),
    },
    warnings: [...warnings, ...missingWallWords({ commandWall, agentWall }).map((words) => `The ${words}`)],
  };
}

/** Every key that a policy may lack, so that a new one cannot be forgotten here. */
type Optional = { readonly [Key in OptionalKey]-?: Policy[Key] | undefined };
type OptionalKey = { [Key in keyof Policy]-?: undefined extends Policy[Key] ? Key : never }[keyof Policy];

function definedOnly(all: Optional): Pick<Policy, OptionalKey> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
