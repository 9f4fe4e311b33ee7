// Puts everything together for one repository: adapters into the engine, and both into the ports of the app.
import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { checkpoints } from '../adapters/journal/checkpoint.ts';
import { fileJournal } from '../adapters/journal/file-journal.ts';
import { lastRecords } from '../adapters/journal/last-records.ts';
import { Segments } from '../adapters/journal/segments.ts';
import { overview } from '../adapters/plans/overview.ts';
import { planFiles } from '../adapters/plans/plan-files.ts';
import { planStateStore } from '../adapters/plans/plan-state-store.ts';
import { backgroundEngine } from '../adapters/repo/background-engine.ts';
import { initRepo } from '../adapters/repo/init-repo.ts';
import { findRepo, headCommit } from '../adapters/repo/repo.ts';
import { reports } from '../adapters/sessions/reports.ts';
import { dropMessage } from '../adapters/signals/dropbox.ts';
import { isPlanFile, signalInbox } from '../adapters/signals/inbox.ts';
import { quarantineFolder } from '../adapters/signals/quarantine.ts';
import { callerOf, enclosingSession } from '../adapters/signals/speaker.ts';
import { clock } from '../adapters/system/clock.ts';
import { disk as realDisk } from '../adapters/system/disk.ts';
import { isInstalled } from '../adapters/system/exec.ts';
import { diskThatFails } from '../adapters/system/failpoints.ts';
import { fileLocks } from '../adapters/system/lock.ts';
import { watchFolders } from '../adapters/system/watcher.ts';
import { type App, createApp } from '../app/app.ts';
import type { AppPorts } from '../app/ports.ts';
import { Failure } from '../core/model/failure.ts';
import { LOCAL_MACHINE, type SessionId } from '../core/model/ids.ts';
import { treeOfBranch } from '../core/model/run-name.ts';
import { START } from '../core/ports/journal.ts';
import type { Notify } from '../core/ports/notify.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import { actUntilDone } from '../engine/act-until-done.ts';
import { openGateway } from '../engine/gateway.ts';
import { type EnginePorts, runEngine } from '../engine/loop.ts';
import { landingFacts, withFacts, worktreeFacts } from '../engine/observe.ts';
import { planStateProjection } from '../engine/projection.ts';
import { type PlanFile, planFile } from '../plan/name.ts';
import { type Message, OUTSIDE_SESSION, tryOf } from '../signals/message.ts';
import { VERSION } from '../version.ts';
import { openConfig } from './config.ts';
import type { EnginePieces } from './engine.ts';
import { readText } from './text-file.ts';

export interface Opening {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  /** How this process signs the locks it takes. */
  readonly command: string;
  /** The first words of the argument list that starts this program. */
  readonly itself?: readonly string[];
  /** Is told what takes long. */
  readonly progress?: (sentence: string) => void;
}

export function openApp(opening: Opening): App {
  return createApp(openPorts(opening));
}

export function openPorts({ cwd, env, pid, command, itself = [], progress }: Opening): AppPorts {
  const repo = findRepo(cwd, env);
  const disk = env.CADRE_FAILPOINT ? diskThatFails(realDisk, env.CADRE_FAILPOINT) : realDisk;
  const around = enclosingSession(env, pid);
  const locks = fileLocks({ command, ...(progress === undefined ? {} : { waiting: progress }) });
  const segments = new Segments(disk, repo.journal);
  const journal = fileJournal({ segments, locks, lock: repo.journalLock, watch: watchFolders });
  const store = planStateStore(disk, repo.planState, repo.planStateNote, repo.planStateSeen);
  const planState = planStateProjection(store, locks, repo.planStateLock);
  const files = planFiles(disk, repo.plans, clock, { path: repo.planReadings, version: VERSION });
  const inbox = signalInbox(disk, repo, clock);
  const quarantine = quarantineFolder(disk, repo);
  const gateway = openGateway({
    journal,
    checkpoints: checkpoints(disk, repo.checkpoint, journal),
    folder: repo.state,
    planState,
    overview: overview(disk, locks, repo.home, files),
    clock,
    prepare: () => initRepo(disk, repo),
  });
  const config = openConfig({ cwd, env, pid, command });
  // Opened on first use: most commands have nothing to do with sessions.
  let opened: Promise<EnginePieces> | undefined;
  const pieces = (): Promise<EnginePieces> => {
    opened ??= import('./engine.ts').then(({ openEngine }) =>
      openEngine({
        repo,
        env,
        disk,
        locks,
        config,
        itself,
        journal,
      }),
    );
    return opened;
  };
  const sessions = async (): Promise<Sessions> => (await pieces()).sessions;
  const enginePorts = async (notify: Notify, stop: AbortSignal): Promise<EnginePorts> => ({
    machine: LOCAL_MACHINE,
    gateway,
    inbox,
    quarantine,
    planFiles: files,
    sessions: await sessions(),
    runs: (await pieces()).hands(notify, stop),
    policy: async () => (await pieces()).policy(notify),
    clock,
    notify,
    locks,
    engineLock: repo.engineLock,
    journalFolder: repo.journal,
    planStateLock: repo.planStateLock,
    watchedPaths: [
      join(repo.home, 'config.json'),
      join(repo.root, 'cadre.json'),
      join(repo.gitFolder, 'refs', 'heads', 'plan'),
    ],
    watch: watchFolders,
  });
  const background = backgroundEngine({ repo, env, itself, holder: () => locks.holder(repo.engineLock) });
  const planFileExists = (plan: string): boolean => planFile(plan) !== undefined && isPlanFile(repo.plans, plan);
  const drop = (message: Message): void => {
    initRepo(disk, repo);
    const box = join(repo.inbox, message.session);
    dropMessage(disk, { message, box, now: clock.now(), claimedBox: around?.inbox });
  };

  return {
    root: repo.root,
    by: callerOf(around),
    speaker: {
      name: around?.session ?? OUTSIDE_SESSION,
      role: around?.role ?? 'outside',
      ...(around?.plan === undefined ? {} : { plan: around.plan }),
      ...(around?.task === undefined ? {} : { task: around.task }),
    },
    clock,
    gateway,
    journal: {
      records: async () => (await journal.read(START)).records,
      lastRecords: async (wanted) => lastRecords(disk, segments, wanted),
      async *follow(seq, stop) {
        for await (const record of journal.follow(START, stop)) if (record.seq > seq) yield record;
      },
    },
    planFiles: files,
    repository: {
      planAt: (path) => planIn(repo.plans, [resolve(cwd, path), resolve(repo.root, path)]),
      planFileExists,
      titleOf: (plan) => (planFileExists(plan) ? firstHeading(join(repo.plans, plan)) : ''),
      unregistered: (known) =>
        planNames(repo.plans).filter((name) => {
          const plan = planFile(name);
          return plan !== undefined && !known.has(plan) && planFileExists(plan);
        }),
      headCommit: () => headCommit(repo.root, env),
      isInstalled: (program) => isInstalled(program, env),
      readText,
    },
    facts: {
      async forSignal(world, signal) {
        const session = world.sessions.get(signal.by.session as SessionId);
        if (session?.reviews === true) {
          const { runs, baseBranch } = await pieces();
          return withFacts({ ...runs, settings: { baseBranch: baseBranch() } }, world, signal);
        }
        if (session?.attempt === undefined) return signal;
        // The settings do not matter here, and an agent is waiting.
        const { openRuns } = await import('../adapters/worktrees/open-runs.ts');
        return withFacts({ ...openRuns(repo, env, disk, locks), settings: { baseBranch: undefined } }, world, signal);
      },
      ofWorktree: async (plan, { branch }) => worktreeFacts((await pieces()).runs.trees, treeOfBranch(plan, branch)),
      async ofLanding(entry) {
        const { runs, baseBranch } = await pieces();
        return landingFacts(runs, entry, baseBranch());
      },
    },
    signals: {
      waiting: () => inbox.waiting(),
      drop,
      reportForbiddenCommand(name) {
        if (around !== undefined) drop(tryOf(around, name, command));
      },
      report: (session, report) => reports(repo.reports).write(session, report, clock.now().getTime()),
    },
    quarantine,
    engine: {
      holder: () => locks.holder(repo.engineLock),
      start: (options) => background.start(options),
      stop: () => background.stop(),
      async run(notify, stop, ready) {
        initRepo(disk, repo);
        await runEngine(await enginePorts(notify, stop), stop, ready);
      },
      async perform(effects, notify) {
        await actUntilDone(await enginePorts(notify, NEVER), effects, ACT_PATIENCE, clock.elapsed);
      },
      log: background.log,
      warnings: (from) => background.warnings(from),
    },
    planState: {
      problem: () => planState.problem(),
      statusOf(plan) {
        const read = planState.read();
        return read.kind === 'good' ? read.file.plans.get(plan)?.status : undefined;
      },
    },
    config,
    sessions,
    async changes() {
      const { runs, baseBranch } = await pieces();
      return {
        ...runs.changes,
        ofPlan: (plan) => runs.changes.ofPlan(plan, baseBranch()),
        colour: env.NO_COLOR ? 'never' : 'auto',
      };
    },
    preflight: async (options) => (await pieces()).preflight(options),
    async checkUp() {
      const { checkUp } = await import('../adapters/doctor/checkup.ts');
      return checkUp({
        disk,
        repo,
        segments,
        planStateProblem: () => planState.problem(),
        engine: () => locks.holder(repo.engineLock),
        waitingSignals: () => inbox.waiting(),
      });
    },
    async close() {
      // What could not be opened, for bad settings for example, need not be closed.
      await opened?.then(
        ({ sessions: open }) => open.close(),
        () => undefined,
      );
    },
  };
}

/** How long a command waits for its effects, in milliseconds. */
const ACT_PATIENCE = 30_000;

const NEVER = new AbortController().signal;

/** Which plan of the folder one of these paths leads to. */
function planIn(folder: string, paths: readonly string[]): PlanFile | undefined {
  const path = paths.find((one) => realFolder(dirname(one)) === folder);
  return path === undefined ? undefined : planFile(basename(path));
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function planNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** A plan's title stands near its top; a plan may be large. */
const TITLE_BYTES = 16 * 1024;

function firstHeading(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(TITLE_BYTES);
      const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, TITLE_BYTES, 0));
      return /^#[ \t]+(.+?)[ \t#]*$/m.exec(text)?.[1]?.trim() ?? '';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Failure('environment', 'unreadable-plan', `Could not read ${path}. Make it readable for you.`, {
      cause: error,
    });
  }
}
