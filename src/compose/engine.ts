// What only the engine and sessions need, put together on first use: most commands have nothing to do with either.
import { statSync } from 'node:fs';
import { headCommit, type Repo } from '../adapters/repo/repo.ts';
import { openSessions } from '../adapters/sessions/open-sessions.ts';
import { isInstalled } from '../adapters/system/exec.ts';
import { openRuns, type Runs } from '../adapters/worktrees/open-runs.ts';
import type { Preflight, RunOptions } from '../app/ports.ts';
import { LaunchedTexts } from '../core/journal/launched-texts.ts';
import { Failure } from '../core/model/failure.ts';
import { KeyedQueue } from '../core/model/keyed-queue.ts';
import { suggest } from '../core/model/suggestion.ts';
import type { ConfigFiles, ConfigReading } from '../core/ports/config-files.ts';
import type { Disk } from '../core/ports/disk.ts';
import { type Journal, START } from '../core/ports/journal.ts';
import type { Locks } from '../core/ports/locks.ts';
import type { Notify } from '../core/ports/notify.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { Policy } from '../core/settings/policy.ts';
import { policyFrom } from '../core/settings/policy-from.ts';
import type { Settings } from '../core/settings/settings.ts';
import type { EffectPorts } from '../engine/effects/perform.ts';
import type { RunSettings } from '../engine/effects/ports.ts';
import { quoteForShell } from '../text/shell.ts';

export interface EngineOpening {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly config: ConfigFiles;
  /** How this program is called, as an argument list begins. */
  readonly itself: readonly string[];
  readonly journal: Journal;
}

export interface EnginePieces {
  readonly sessions: Sessions;
  readonly runs: Runs;
  /** The branch that plans begin from, where one is configured. */
  baseBranch(): string | undefined;
  hands(notify: Notify, stop: AbortSignal): EffectPorts['runs'];
  /** The settings as decisions see them, where the files have changed since they were last asked for. */
  policy(notify: Notify): Promise<Policy | undefined>;
  preflight(options: RunOptions): Promise<Preflight>;
}

export async function openEngine({
  repo,
  env,
  disk,
  locks,
  config,
  itself,
  journal,
}: EngineOpening): Promise<EnginePieces> {
  let { settings, from } = await usable(config);
  let seen: string | undefined;
  const runs = openRuns(repo, env, disk, locks);
  const verifyWords = (): readonly string[] | null => {
    try {
      const command = runs.verifier.command(settings.verify);
      return command.kind === 'command' ? command.words : null;
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  };
  const sessions = openSessions(repo, env, runs, {
    host: hostIn(env) ?? settings.host,
    // Whether to trust a repository is not for its own files to say.
    trusted: settings.trust_worktrees && from.trust_worktrees === 'global',
    cadre: itself,
    setup: settings.setup ?? [],
    verify: verifyWords(),
  });
  return {
    sessions,
    runs,
    baseBranch: () => settings.base_branch,
    hands: (notify, stop) => ({
      ...runs,
      notify,
      stop,
      queue: new KeyedQueue(),
      launchedTexts: launchedTextsIn(journal),
      cadre: itself,
      get settings() {
        return runSettings(settings);
      },
      get verify() {
        return verifyWords();
      },
      get verifyPrompt() {
        return typeof settings.verify === 'object' && 'prompt' in settings.verify ? settings.verify.prompt : '';
      },
    }),
    async policy(notify) {
      const now = timesOf(config);
      if (now === seen) return undefined;
      seen = now;
      ({ settings, from } = await usable(config));
      const { policy, warnings } = policyFrom(settings, (program) => isInstalled(program, env));
      for (const warning of warnings) notify.warn(warning);
      const parallel = Number(env.CADRE_MAX_PARALLEL);
      return parallel > 0 ? { ...policy, maxParallel: parallel } : policy;
    },
    async preflight(options) {
      ({ settings, from } = await usable(config));
      const { policy, warnings } = policyFrom(settings, (program) => isInstalled(program, env));
      const programs = Object.entries(policy.programs).map(([role, { program, flags }]) => [
        role,
        quoteForShell([program, ...flags]),
      ]);
      const maxParallel = options.maxParallel ?? policy.maxParallel;
      const missing = Object.values(policy.programs).find(({ program }) => !isInstalled(program, env));
      const verification = verificationOf(runs, settings);
      const noPulls = settings.task_merge === 'pr' || settings.land === 'pr' ? await runs.pulls.problem() : undefined;
      const problem: Preflight['problem'] =
        missing === undefined
          ? (verification.problem ?? baseProblem(repo, env, settings) ?? pullProblem(settings, noPulls))
          : {
              code: 'no-program',
              why: `${missing.program} is not installed. Install it, or choose another program.`,
              try: [suggest('config-set', 'default_program', '<program>')],
            };
      return {
        ...(problem === undefined ? {} : { problem }),
        // What is wrong with the default program is the problem itself.
        warnings: [...(missing === undefined ? warnings : []), ...pullWarnings(settings, noPulls)],
        verify: verification.shown,
        programs: Object.fromEntries(programs),
        maxParallel,
        policy: { ...policy, maxParallel },
      };
    },
  };
}

function verificationOf(
  { verifier }: Runs,
  { verify }: Settings,
): { readonly shown: string | null; readonly problem?: NonNullable<Preflight['problem']> } {
  try {
    const command = verifier.command(verify);
    if (command.kind === 'prompt') return { shown: `the agent: ${command.prompt}` };
    return { shown: command.kind === 'command' ? quoteForShell(command.words) : null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { shown: null, problem: { code: error.code, why: error.message } };
  }
}

/** Where no branch is named, a plan begins from what is checked out: there has to be something. */
function baseProblem({ root }: Repo, env: NodeJS.ProcessEnv, { base_branch }: Settings): Preflight['problem'] {
  if (base_branch !== undefined) return undefined;
  try {
    headCommit(root, env);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code, why: error.message };
  }
}

/** Without pull requests no task of such a plan could be merged. */
function pullProblem({ task_merge }: Settings, why: string | undefined): Preflight['problem'] {
  if (task_merge !== 'pr' || why === undefined) return undefined;
  return {
    code: 'no-pull-requests',
    why: `"task_merge" is "pr", but ${why}. Put that right, or have tasks merged here: "cadre config set task_merge local".`,
  };
}

/** The landing comes last, and can be tried again by then. */
function pullWarnings({ land, task_merge }: Settings, why: string | undefined): readonly string[] {
  if (land !== 'pr' || task_merge === 'pr' || why === undefined) return [];
  return [`"land" is "pr", but ${why}. Put that right before the plan is done; "cadre land" tries it again.`];
}

function runSettings({ setup, verify, base_branch, sync_base, land, task_merge }: Settings): RunSettings {
  return {
    setup: setup ?? [],
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
  throw new Failure('usage', 'bad-config', `${reading.problems.join('\n')}\n"cadre config check" tells more.`);
}

/** Of the journal only what is new since the last question is read. */
function launchedTextsIn(journal: Journal): EffectPorts['runs']['launchedTexts'] {
  const texts = new LaunchedTexts();
  const turns = new KeyedQueue();
  let cursor = START;
  const readOn = async (): Promise<void> => {
    const reading = await journal.read(cursor);
    cursor = reading.cursor;
    texts.take(reading.records);
  };
  return async (plan) => {
    await turns.run('journal', readOn);
    return texts.of(plan);
  };
}

/** Cheap enough for every round. */
function timesOf({ paths }: ConfigFiles): string {
  return [paths.global, paths.project]
    .map((path) => (path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })))
    .map((facts) => (facts === undefined ? '-' : `${facts.ino} ${facts.mtimeMs} ${facts.size}`))
    .join(' ');
}

/** The host that the environment asks for, which is for tests and for trying things out. */
function hostIn(env: NodeJS.ProcessEnv): 'tmux' | 'process' | undefined {
  const { CADRE_HOST: host } = env;
  return host === 'tmux' || host === 'process' ? host : undefined;
}
