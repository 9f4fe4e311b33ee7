// The settings: their defaults, and how files and command line override each other.
import { type Config, DEFAULT_PROGRAM, PHASES } from '../../agents/profiles.ts';
import type { Guarded } from './guarded.ts';
import { NOTIFY, type NotifySettings } from './notify.ts';
import { SANDBOX, type SandboxSettings } from './sandbox.ts';

/** How often something may happen before a person or the architect is asked. */
export const LIMITS = {
  coding_iterations: 8,
  fixing_iterations: 3,
  checkins: 3,
  relaunches: 2,
  merge_attempts: 3,
  max_review_cycles: 3,
  review_rounds: 5,
  escalate_after: 3,
} as const;

/** How many minutes something may take: the setup and verify commands, a turn of an agent, and a whole run. */
export const MINUTES = { setup: 15, verify: 60, turn: 120, run: 720 } as const;

export const ARCHITECT = { plan_review: 'auto', questions: 'human', checkins: 'human', workshop: 'human' } as const;

export type LimitName = keyof typeof LIMITS;
export type MinutesName = keyof typeof MINUTES;
export type ArchitectDuty = keyof typeof ARCHITECT;
export type Decider = 'human' | 'agent' | 'auto';

/** The configuration with all defaults filled in. What only a project can set has no default. */
export interface Settings extends Config {
  readonly default_program: string;
  readonly profiles: NonNullable<Config['profiles']>;
  readonly phase_roles: NonNullable<Config['phase_roles']>;
  readonly auto_verify: boolean;
  readonly trust_worktrees: boolean;
  readonly host: NonNullable<Config['host']>;
  readonly max_parallel: number;
  readonly max_rounds: number;
  readonly limits: Readonly<Record<LimitName, number>>;
  readonly minutes: Readonly<Record<MinutesName, number>>;
  readonly sync_base: boolean;
  readonly require_report: boolean;
  readonly land: NonNullable<Config['land']>;
  readonly task_merge: NonNullable<Config['task_merge']>;
  readonly architect: Readonly<Record<ArchitectDuty, Decider>>;
  readonly notify: NotifySettings;
  readonly sandbox: SandboxSettings;
}

/** How many more rounds a workshop may take before a person is asked. */
export const MAX_ROUNDS = 6;

export const DEFAULTS: Settings = {
  default_program: DEFAULT_PROGRAM,
  profiles: {},
  phase_roles: PHASES,
  auto_verify: true,
  trust_worktrees: false,
  host: 'auto',
  max_parallel: 4,
  max_rounds: MAX_ROUNDS,
  limits: LIMITS,
  minutes: MINUTES,
  sync_base: true,
  require_report: false,
  land: 'manual',
  task_merge: 'local',
  architect: ARCHITECT,
  notify: NOTIFY,
  sandbox: SANDBOX,
};

/** What there is to know about a setting besides its type and its default. */
interface SettingRow {
  /**
   * `project`: it is about one repository, so the global file cannot contain it. `global`: it is about the person, so a
   * project's file cannot contain it, because agents and merges may change that.
   */
  readonly place: 'anywhere' | 'project' | 'global';
  /** Its entries override entries of the same name; all others are replaced as a whole. */
  readonly byEntry?: true;
  /** The parts of the policy that it decides and that wait for a person while a plan is being built. */
  readonly guards: readonly Guarded[];
}

const SETTINGS: Readonly<Record<keyof Config, SettingRow>> = {
  default_program: { place: 'anywhere', guards: ['programs', 'profiles'] },
  profiles: { place: 'anywhere', byEntry: true, guards: ['programs', 'profiles'] },
  phase_roles: { place: 'anywhere', byEntry: true, guards: ['programs'] },
  auto_verify: { place: 'anywhere', guards: ['autoVerify'] },
  trust_worktrees: { place: 'anywhere', guards: [] },
  host: { place: 'anywhere', guards: [] },
  verify: { place: 'project', guards: ['verify', 'verification'] },
  setup: { place: 'project', guards: ['setup'] },
  base_branch: { place: 'project', guards: [] },
  escalation: { place: 'anywhere', guards: [] },
  max_parallel: { place: 'anywhere', guards: [] },
  max_rounds: { place: 'anywhere', guards: [] },
  limits: { place: 'anywhere', byEntry: true, guards: [] },
  minutes: { place: 'anywhere', byEntry: true, guards: [] },
  sync_base: { place: 'anywhere', guards: [] },
  require_report: { place: 'anywhere', guards: [] },
  land: { place: 'anywhere', guards: ['land'] },
  task_merge: { place: 'anywhere', guards: ['taskMerge'] },
  architect: { place: 'anywhere', byEntry: true, guards: ['architect'] },
  notify: { place: 'global', byEntry: true, guards: ['notifyCommand'] },
  sandbox: { place: 'global', byEntry: true, guards: [] },
};

/** Undefined for a key that is not a setting. */
function rowOf(key: string): SettingRow | undefined {
  return Object.hasOwn(SETTINGS, key) ? SETTINGS[key as keyof Config] : undefined;
}

export function isProjectOnly(key: string): boolean {
  return rowOf(key)?.place === 'project';
}

export function isGlobalOnly(key: string): boolean {
  return rowOf(key)?.place === 'global';
}

/** Whether a setting has no effect in that file. */
export function isMisplaced(place: ConfigPlace, key: string): boolean {
  return place === 'global' ? isProjectOnly(key) : isGlobalOnly(key);
}

/** The guarded part of the policy that a key of the settings changes: `verify`, `profiles.reviewer.program`. */
export function guardedBy(key: string): readonly Guarded[] {
  const [first = '', part] = key.split('.');
  // The other parts of `notify` say nothing about the command.
  if (first === 'notify' && part !== undefined && part !== 'command') return [];
  return rowOf(first)?.guards ?? [];
}

const BY_ENTRY = (Object.keys(SETTINGS) as (keyof Config)[]).filter((key) => SETTINGS[key].byEntry);

/** Later ones override earlier ones, and all of them override the defaults. */
export function layered(...configs: readonly Config[]): Settings {
  let settings = DEFAULTS;
  for (const config of configs) settings = overridden(settings, config);
  return settings;
}

function overridden(below: Settings, above: Config): Settings {
  const entries = BY_ENTRY.filter((key) => above[key] !== undefined).map(
    (key) => [key, { ...Object(below[key]), ...Object(above[key]) }] as const,
  );
  const merged = { ...below, ...definedOnly(above), ...Object.fromEntries(entries) };
  return { ...merged, profiles: keepingWalls(below.profiles, merged.profiles) };
}

/** A profile that replaces another of its name does not take its wall away by saying nothing about it. */
function keepingWalls(below: Settings['profiles'], above: Settings['profiles']): Settings['profiles'] {
  const kept = Object.entries(above).map(([name, profile]) => {
    const { sandbox } = (Object.hasOwn(below, name) ? below[name] : undefined) ?? {};
    return [name, sandbox === undefined ? profile : { sandbox, ...profile }] as const;
  });
  return Object.fromEntries(kept);
}

function definedOnly(config: Config): Partial<Settings> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** The person's own file, or the project's in the main checkout. Files in worktrees are ignored. */
export type ConfigPlace = 'global' | 'project';
