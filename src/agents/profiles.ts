// What a person has configured about agents, and which program does a phase's work because of it.
import type { Role } from '../signals/registry.ts';
import { splitCommand } from '../text/command-line.ts';
import { showName } from '../text/show.ts';

/** The settings as the files give them, global and project's together. What is not there has the default. */
export interface Config {
  /**
   * A program with flags, as one types it: "aider --model gpt-5". It is split at spaces as a shell does, with quotes and
   * backslashes and nothing else of a shell, so a path with a space in it is put in quotes.
   */
  readonly default_program?: string | undefined;
  readonly profiles?: Readonly<Record<string, Profile>> | undefined;
  readonly phase_roles?: Readonly<Record<string, string>> | undefined;
  readonly auto_verify?: boolean | undefined;
  readonly trust_worktrees?: boolean | undefined;
  readonly host?: 'auto' | 'tmux' | 'process' | undefined;
  readonly verify?: readonly string[] | string | { readonly prompt: string } | undefined;
  readonly setup?: readonly string[] | undefined;
  readonly base_branch?: string | undefined;
  readonly max_parallel?: number | undefined;
  readonly max_rounds?: number | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  readonly minutes?: Readonly<Record<string, number>> | undefined;
  readonly sync_base?: boolean | undefined;
  readonly land?: 'manual' | 'local' | 'pr' | undefined;
  readonly task_merge?: 'local' | 'pr' | undefined;
  readonly architect?: Readonly<Record<string, 'human' | 'agent' | 'auto'>> | undefined;
}

export interface Profile {
  /** Like `default_program`. */
  readonly program: string;
  readonly flags?: readonly string[] | undefined;
  /** Names of environment variables that the program may see besides the usual ones. */
  readonly env?: readonly string[] | undefined;
}

export const DEFAULT_PROGRAM = 'claude';

/** Whose work each phase is. What a session may say follows from this alone; `phase_roles` chooses the program. */
export const PHASES = {
  planning: 'planner',
  implementing: 'implementer',
  spec_review: 'spec-reviewer',
  quality_review: 'quality-reviewer',
  reviewing: 'reviewer',
  architect: 'architect',
} as const satisfies Readonly<Record<string, Role>>;

export type AgentPhase = keyof typeof PHASES;

/** The name under which the phase's profile is looked up. */
export function resolveRole(config: Config, phase: AgentPhase): string {
  return ownValue(config.phase_roles, phase) ?? PHASES[phase];
}

export interface Resolved {
  readonly program: string;
  readonly flags: readonly string[];
  readonly env: readonly string[];
  /** Sentences for the person. */
  readonly warnings: readonly string[];
}

export function resolveProfile(config: Config, role: string, isInstalled: (program: string) => boolean): Resolved {
  const profile = ownValue(config.profiles, role);
  if (profile === undefined) return defaultProgram(config, isInstalled, unknownRole(role));
  const shown = showName(role);
  const command = splitCommand(profile.program);
  if (command === undefined)
    return defaultProgram(config, isInstalled, [
      `The profile "${shown}" names no program: "${showName(profile.program)}" is empty or has an open quote. The default program is used.`,
    ]);
  if (!isInstalled(command.program))
    return defaultProgram(config, isInstalled, [
      `The profile "${shown}" wants ${showName(command.program)}, which is not installed. The default program is used.`,
    ]);
  const env = (profile.env ?? []).filter(mayBePassed);
  const refused = (profile.env ?? []).filter((name) => !mayBePassed(name));
  return {
    program: command.program,
    flags: [...command.flags, ...(profile.flags ?? [])],
    env,
    warnings: refused.map((name) => `The profile "${shown}" cannot pass on "${showName(name)}": ${WHY_NOT_PASSED}`),
  };
}

function unknownRole(role: string): readonly string[] {
  const isKnown = Object.values<string>(PHASES).includes(role);
  return isKnown
    ? []
    : [`There is no profile "${showName(role)}", which phase_roles names. The default program is used.`];
}

/** Its flags and variables are another program's, so they are not taken over. */
function defaultProgram(
  config: Config,
  isInstalled: (program: string) => boolean,
  warnings: readonly string[],
): Resolved {
  const told = config.default_program ?? DEFAULT_PROGRAM;
  const command = splitCommand(told);
  const { program, flags } = command ?? { program: DEFAULT_PROGRAM, flags: [] };
  const isBroken = command === undefined;
  const more = [
    ...(isBroken ? [`default_program "${showName(told)}" is empty or has an open quote; ${program} is used.`] : []),
    ...(isInstalled(program) ? [] : [`The default program ${showName(program)} is not installed.`]),
  ];
  return { program, flags, env: [], warnings: [...warnings, ...more] };
}

const WHY_NOT_PASSED =
  'it is no name of a variable, or one by which cadre or tmux tells sessions apart. It is left out.';

function mayBePassed(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(?:CADRE_|TMUX)/.test(name);
}

/** A name from outside may be that of something every object has. */
function ownValue<Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}
