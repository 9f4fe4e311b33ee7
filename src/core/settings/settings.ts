// The settings: their defaults, and how files and command line override each other.
import { type Config, DEFAULT_PROGRAM, PHASES } from '../../agents/profiles.ts';
import { NOTIFY, type NotifySettings } from './notify.ts';

/** How often something may happen before a person or the architect is asked. */
export const LIMITS = {
  coding_iterations: 8,
  fixing_iterations: 3,
  checkins: 3,
  relaunches: 2,
  merge_attempts: 3,
  max_review_cycles: 3,
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
  readonly land: NonNullable<Config['land']>;
  readonly task_merge: NonNullable<Config['task_merge']>;
  readonly architect: Readonly<Record<ArchitectDuty, Decider>>;
  readonly notify: NotifySettings;
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
  land: 'manual',
  task_merge: 'local',
  architect: ARCHITECT,
  notify: NOTIFY,
};

/** These are about one repository, so the global file cannot contain them. */
export const PROJECT_ONLY = ['verify', 'setup', 'base_branch'] as const;

export function isProjectOnly(key: string): boolean {
  return PROJECT_ONLY.some((one) => one === key);
}

/** These are about the person. A project's file cannot contain them, because agents and merges may change it. */
export const GLOBAL_ONLY = ['notify'] as const;

export function isGlobalOnly(key: string): boolean {
  return GLOBAL_ONLY.some((one) => one === key);
}

/** Whether a setting has no effect in that file. */
export function isMisplaced(place: ConfigPlace, key: string): boolean {
  return place === 'global' ? isProjectOnly(key) : isGlobalOnly(key);
}

/** In these, entries override entries of the same name; all other settings are replaced as a whole. */
const BY_ENTRY: readonly (keyof Config)[] = ['profiles', 'phase_roles', 'limits', 'minutes', 'architect', 'notify'];

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
  return { ...below, ...definedOnly(above), ...Object.fromEntries(entries) };
}

function definedOnly(config: Config): Partial<Settings> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

/** The person's own file, or the project's in the main checkout. Files in worktrees are ignored. */
export type ConfigPlace = 'global' | 'project';
