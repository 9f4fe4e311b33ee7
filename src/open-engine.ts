// What only the engine and sessions need, put together on first use: most commands have nothing to do with either.
import { statSync } from 'node:fs';
import { isInstalled } from './adapters/exec.ts';
import { openRuns, type Runs } from './adapters/open-runs.ts';
import { openSessions } from './adapters/open-sessions.ts';
import type { Repo } from './adapters/repo.ts';
import { Failure } from './core/failure.ts';
import type { Policy } from './core/policy.ts';
import { policyFrom } from './core/policy-from.ts';
import type { Disk, Locks, Notify, Sessions } from './core/ports.ts';
import type { JournalRecord } from './core/record.ts';
import type { ConfigFiles, ConfigReading, Settings } from './core/settings.ts';
import { Turns } from './core/turns.ts';
import type { Hands } from './engine/perform.ts';
import type { RunSettings } from './engine/perform-run.ts';

export interface EngineOpening {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly config: ConfigFiles;
  /** How this program is called, as an argument list begins. */
  readonly itself: readonly string[];
  records(): Iterable<JournalRecord>;
}

export interface EnginePieces {
  readonly sessions: Sessions;
  readonly runs: Runs;
  hands(notify: Notify, stop: AbortSignal): Hands['runs'];
  /** The settings as decisions see them, where the files have changed since they were last asked for. */
  policy(notify: Notify): Promise<Policy | undefined>;
  /** What stands in the way of verifying anything, as a sentence. */
  verifyProblem(): string | undefined;
}

export async function openEngine({
  repo,
  env,
  disk,
  locks,
  config,
  itself,
  records,
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
  const sessions = openSessions(repo, env, runs.trees, {
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
    hands: (notify, stop) => ({
      ...runs,
      notify,
      stop,
      turns: new Turns(),
      records,
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
      return policy;
    },
    verifyProblem() {
      try {
        runs.verifier.command(settings.verify);
        return undefined;
      } catch (error) {
        if (error instanceof Failure) return error.message;
        throw error;
      }
    },
  };
}

function runSettings({ setup, verify, base_branch, sync_base, land }: Settings): RunSettings {
  return { setup: setup ?? [], verify, baseBranch: base_branch, syncBase: sync_base, land };
}

async function usable(config: ConfigFiles): Promise<ConfigReading> {
  const reading = await config.read();
  if (reading.problems.length === 0) return reading;
  throw new Failure('usage', 'bad-config', `${reading.problems.join('\n')}\n"cadre config check" tells more.`);
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
