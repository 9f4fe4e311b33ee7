// What only the engine and sessions need. Opened on first use: most commands need neither.
import { statSync } from 'node:fs';
import { planText } from '../adapters/plans/plan-files.ts';
import { additionsFor } from '../adapters/plans/prompt-additions.ts';
import type { Repo } from '../adapters/repo/repo.ts';
import { openSessions } from '../adapters/sessions/open-sessions.ts';
import { openRuns, type Runs } from '../adapters/worktrees/open-runs.ts';
import type { Preflight, RunOptions } from '../app/ports.ts';
import { LaunchedTexts } from '../core/journal/launched-texts.ts';
import { Failure } from '../core/model/failure.ts';
import { KeyedQueue } from '../core/model/keyed-queue.ts';
import { suggest } from '../core/model/suggestion.ts';
import type { ConfigFiles, ConfigReading } from '../core/ports/config-files.ts';
import type { Disk } from '../core/ports/disk.ts';
import type { Gateway } from '../core/ports/gateway.ts';
import { type Journal, START } from '../core/ports/journal.ts';
import type { Locks } from '../core/ports/locks.ts';
import type { Notification, Notifications, Notify } from '../core/ports/notify.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { Policy } from '../core/settings/policy.ts';
import { policyFrom } from '../core/settings/policy-from.ts';
import type { Settings } from '../core/settings/settings.ts';
import type { EffectPorts } from '../engine/effects/perform.ts';
import type { RunSettings } from '../engine/effects/ports.ts';
import { openNotifications } from './notifications.ts';
import { preflight } from './preflight.ts';
import { type Readiness, readiness, setupWords, surroundings } from './readiness.ts';

export interface EngineOpening {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly config: ConfigFiles;
  /** The first words of the argument list that starts this program. */
  readonly itself: readonly string[];
  readonly journal: Journal;
  readonly gateway: Gateway;
}

export interface EngineParts {
  readonly sessions: Sessions;
  readonly runs: Runs;
  /** The base branch of plans, where the settings name one. */
  readonly baseBranch: () => string | undefined;
  readonly effectPorts: (stop: AbortSignal) => EffectPorts['runs'];
  /** The settings as rules see them; undefined where the files have not changed since the last call. */
  readonly policy: (notify: Notify) => Promise<Policy | undefined>;
  readonly preflight: (options: RunOptions) => Promise<Preflight>;
  readonly readiness: () => Promise<Readiness>;
  /** `announce`: shows a notification where the engine runs in the foreground. */
  readonly notifications: (announce: (notification: Notification) => void) => Notifications;
}

export async function openEngine(opening: EngineOpening): Promise<EngineParts> {
  const { repo, env, disk, locks, config } = opening;
  let reading = await usable(config);
  let timesSeen: string | undefined;
  const runs = openRuns({ repo, env, disk, locks }, () => reading.settings.sandbox);
  return {
    sessions: openSessions(repo, env, runs, {
      ...sessionSettings(opening, runs, reading),
      sandbox: () => reading.settings.sandbox,
    }),
    runs,
    baseBranch: () => reading.settings.base_branch,
    effectPorts: (stop) => effectPorts(opening, runs, () => reading.settings, stop),
    async policy(notify) {
      const times = timesOf(config);
      if (times === timesSeen) return undefined;
      timesSeen = times;
      const found = await usable(config).catch((error) => unusable(error, notify));
      if (found === undefined) return undefined;
      reading = found;
      const { policy, warnings } = policyFrom(
        reading.settings,
        surroundings({ env, runs, settings: reading.settings }),
      );
      for (const warning of warnings) notify.warn(warning);
      const parallel = Number(env.CADRE_MAX_PARALLEL);
      return parallel > 0 ? { ...policy, maxParallel: parallel } : policy;
    },
    async preflight(options) {
      reading = await usable(config);
      return preflight({ repo, env, runs, settings: reading.settings }, options);
    },
    async readiness() {
      reading = await usable(config);
      return readiness({ repo, env, runs, settings: reading.settings });
    },
    notifications: (announce) =>
      openNotifications({ repo, env, disk, settings: () => reading.settings.notify, announce }),
  };
}

function sessionSettings(
  { env, itself }: EngineOpening,
  runs: Runs,
  { settings, from }: ConfigReading,
): Omit<Parameters<typeof openSessions>[3], 'sandbox'> {
  return {
    host: hostIn(env) ?? settings.host,
    // A repository must not declare itself trusted.
    trusted: settings.trust_worktrees && from.trust_worktrees === 'global',
    cadre: itself,
    setup: setupWords(runs, settings),
    verify: verifyWords(runs, settings),
  };
}

/** Reads the settings each time, because a person may change them while the engine is running. */
function effectPorts(
  { repo, disk, itself, journal, gateway }: EngineOpening,
  runs: Runs,
  settings: () => Settings,
  stop: AbortSignal,
): EffectPorts['runs'] {
  return {
    ...runs,
    stop,
    gateway,
    queue: new KeyedQueue(),
    launchedTexts: launchedTextsIn(journal),
    planText: (plan) => planText(disk, `${repo.plans}/${plan}`),
    additions: (role) => additionsFor(repo, role),
    cadre: itself,
    get settings() {
      return runSettings(runs, settings());
    },
    get verify() {
      return verifyWords(runs, settings());
    },
    get verifyPrompt() {
      const { verify } = settings();
      return typeof verify === 'object' && 'prompt' in verify ? verify.prompt : '';
    },
  };
}

/** The words of the verify command; null where there is none, or none that can be run. */
function verifyWords({ verifier }: Runs, { verify }: Settings): readonly string[] | null {
  try {
    const command = verifier.command(verify);
    return command.kind === 'command' ? command.words : null;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function runSettings(runs: Runs, settings: Settings): RunSettings {
  const { verify, base_branch, sync_base, land, task_merge } = settings;
  return {
    setup: setupWords(runs, settings),
    verify,
    baseBranch: base_branch,
    syncBase: sync_base,
    land,
    taskMerge: task_merge,
  };
}

async function usable(config: ConfigFiles): Promise<ConfigReading> {
  const reading = await config.read();
  if (reading.problems.length === 0) return reading;
  throw new Failure('usage', 'bad-config', reading.problems.join('\n'), { try: [suggest('config-check')] });
}

/** Files that cannot be used, perhaps because somebody is just writing them, leave the settings as they were. */
function unusable(error: unknown, notify: Notify): undefined {
  if (!(error instanceof Failure)) throw error;
  notify.warn(`${error.message} The settings stay as they were until that is corrected.`);
  return undefined;
}

/** Reads only what is new in the journal since the last call. */
function launchedTextsIn(journal: Journal): EffectPorts['runs']['launchedTexts'] {
  const texts = new LaunchedTexts();
  const queue = new KeyedQueue();
  let cursor = START;
  const readNew = async (): Promise<void> => {
    const reading = await journal.read(cursor);
    cursor = reading.cursor;
    texts.take(reading.records);
  };
  return async (plan) => {
    await queue.run('journal', readNew);
    return texts.of(plan);
  };
}

/** Changes when one of the files changes; cheap enough for every round of the engine. */
function timesOf({ paths }: ConfigFiles): string {
  return [paths.global, paths.project]
    .map((path) => (path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })))
    .map((facts) => (facts === undefined ? '-' : `${facts.ino} ${facts.mtimeMs} ${facts.size}`))
    .join(' ');
}

/** The host that the environment asks for: for tests, and to try things out. */
function hostIn(env: NodeJS.ProcessEnv): 'tmux' | 'process' | undefined {
  const { CADRE_HOST: host } = env;
  return host === 'tmux' || host === 'process' ? host : undefined;
}
