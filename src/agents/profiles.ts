// What a person has configured about agents, and which program each phase uses as a result.
import type { Role } from '../signals/registry.ts';
import { splitCommand } from '../text/command-line.ts';
import { showName } from '../text/show.ts';
import type { Grants, Permissions } from './permissions.ts';

/** The settings from the global and the project's configuration file. Missing settings have defaults. */
export interface Config {
  /**
   * A program with flags, as typed in a shell: "aider --model gpt-5". It is split like a shell command, with quotes and
   * backslashes but nothing else, so a path that contains a space needs quotes.
   */
  readonly default_program?: string | undefined;
  readonly profiles?: Readonly<Record<string, Profile>> | undefined;
  readonly phase_roles?: Readonly<Record<string, string>> | undefined;
  readonly auto_verify?: boolean | undefined;
  readonly trust_worktrees?: boolean | undefined;
  readonly host?: 'auto' | 'tmux' | 'process' | undefined;
  readonly verify?: readonly string[] | string | { readonly prompt: string } | undefined;
  readonly setup?: readonly string[] | string | undefined;
  readonly base_branch?: string | undefined;
  readonly escalation?: string | undefined;
  readonly max_parallel?: number | undefined;
  readonly max_rounds?: number | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  readonly minutes?: Readonly<Record<string, number>> | undefined;
  readonly sync_base?: boolean | undefined;
  readonly require_report?: boolean | undefined;
  readonly land?: 'manual' | 'local' | 'pr' | undefined;
  readonly task_merge?: 'local' | 'pr' | undefined;
  readonly architect?: Readonly<Record<string, 'human' | 'agent' | 'auto'>> | undefined;
  readonly notify?: NotifyConfig | undefined;
  readonly sandbox?: SandboxConfig | undefined;
}

export type WallWish = 'off' | 'auto' | 'required';

export interface SandboxConfig {
  readonly commands?: WallWish | undefined;
  readonly agents?: WallWish | undefined;
  readonly network?: 'all' | 'none' | undefined;
  readonly read?: readonly string[] | undefined;
  readonly write?: readonly string[] | undefined;
  readonly env?: readonly string[] | undefined;
}

export interface NotifyConfig {
  readonly bell?: boolean | undefined;
  readonly osc9?: 'auto' | 'on' | 'off' | undefined;
  readonly desktop?: 'auto' | 'on' | 'off' | undefined;
  readonly command?: string | readonly string[] | undefined;
  readonly for?: readonly string[] | undefined;
}

export interface Profile {
  /** Like `default_program`, which is used if it is missing. */
  readonly program?: string | undefined;
  readonly flags?: readonly string[] | undefined;
  /** Names of additional environment variables that the program may see. */
  readonly env?: readonly string[] | undefined;
  readonly permissions?: Permissions | undefined;
  readonly allow?: readonly string[] | undefined;
  /** Instead of `sandbox.agents`. */
  readonly sandbox?: WallWish | undefined;
}

export const DEFAULT_PROGRAM = 'claude';

/** The role of each phase. It alone decides which signals a session may send; `phase_roles` only chooses the program. */
export const PHASES = {
  planning: 'planner',
  implementing: 'implementer',
  spec_review: 'spec-reviewer',
  quality_review: 'quality-reviewer',
  reviewing: 'reviewer',
  architect: 'architect',
} as const satisfies Readonly<Record<string, Role>>;

export type AgentPhase = keyof typeof PHASES;

/** The name of the profile for a phase. */
export function resolveRole(config: Config, phase: AgentPhase): string {
  return ownValue(config.phase_roles, phase) ?? PHASES[phase];
}

export interface Resolved {
  readonly program: string;
  readonly flags: readonly string[];
  readonly env: readonly string[];
  /** Absent where the profile says nothing about it. */
  readonly grants?: Grants;
  /** Absent where the profile says nothing about it. */
  readonly sandbox?: WallWish;
  readonly warnings: readonly string[];
}

export function resolveProfile(config: Config, role: string, isInstalled: (program: string) => boolean): Resolved {
  const profile = ownValue(config.profiles, role);
  if (profile === undefined) return defaultProgram(config, isInstalled, unknownRole(role));
  const resolved = resolveNamed(config, role, profile, isInstalled);
  // A wall is about what the agent may do, whichever program it is.
  return profile.sandbox === undefined ? resolved : { ...resolved, sandbox: profile.sandbox };
}

function resolveNamed(
  config: Config,
  role: string,
  profile: Profile,
  isInstalled: (program: string) => boolean,
): Resolved {
  const shown = showName(role);
  const named = profile.program ?? config.default_program ?? DEFAULT_PROGRAM;
  const command = splitCommand(named);
  if (command === undefined)
    return defaultProgram(config, isInstalled, [
      `The profile "${shown}" names no program: "${showName(named)}" is empty or has an unclosed quote. Using the default program.`,
    ]);
  if (!isInstalled(command.program))
    return defaultProgram(config, isInstalled, [
      `The profile "${shown}" uses ${showName(command.program)}, which is not installed. Using the default program.`,
    ]);
  const env = (profile.env ?? []).filter(mayBePassed);
  const refused = (profile.env ?? []).filter((name) => !mayBePassed(name));
  return {
    program: command.program,
    flags: [...command.flags, ...(profile.flags ?? [])],
    env,
    ...grantsOf(profile),
    warnings: refused.map((name) => `The profile "${shown}" cannot pass on "${showName(name)}": ${WHY_NOT_PASSED}`),
  };
}

/** What is at its default is left out, so that a policy is the same as one that an earlier version recorded. */
function grantsOf({ permissions, allow = [] }: Profile): { readonly grants?: Grants } {
  if (permissions === undefined && allow.length === 0) return {};
  return {
    grants: { ...(permissions === undefined ? {} : { permissions }), ...(allow.length === 0 ? {} : { allow }) },
  };
}

function unknownRole(role: string): readonly string[] {
  const isKnown = Object.values<string>(PHASES).includes(role);
  return isKnown
    ? []
    : [`phase_roles names the profile "${showName(role)}", which does not exist. Using the default program.`];
}

/** The flags and variables of a profile are for another program, so they are not used. */
function defaultProgram(
  config: Config,
  isInstalled: (program: string) => boolean,
  warnings: readonly string[],
): Resolved {
  const configured = config.default_program ?? DEFAULT_PROGRAM;
  const command = splitCommand(configured);
  const { program, flags } = command ?? { program: DEFAULT_PROGRAM, flags: [] };
  const isBroken = command === undefined;
  const more = [
    ...(isBroken
      ? [`default_program "${showName(configured)}" is empty or has an unclosed quote. Using ${program}.`]
      : []),
    ...(isInstalled(program) ? [] : [`The default program ${showName(program)} is not installed.`]),
  ];
  return { program, flags, env: [], warnings: [...warnings, ...more] };
}

const WHY_NOT_PASSED = 'it is not a valid variable name, or cadre or tmux uses it to identify sessions. Ignoring it.';

function mayBePassed(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(?:CADRE_|TMUX)/.test(name);
}

/** A configured name may be that of an inherited property, such as "constructor". */
function ownValue<Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}
