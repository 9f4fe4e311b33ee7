// Puts the pieces together for one repository: adapters into the engine, and both into what the commands can press.
import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { checkpoints } from '../adapters/journal/checkpoint.ts';
import { followJournal } from '../adapters/journal/follow.ts';
import { Journal } from '../adapters/journal/journal.ts';
import { overview } from '../adapters/plans/overview.ts';
import { planFiles } from '../adapters/plans/plan-files.ts';
import { planStateStore } from '../adapters/plans/plan-state-store.ts';
import { backgroundEngine } from '../adapters/repo/background-engine.ts';
import { prepare } from '../adapters/repo/init-repo.ts';
import { findRepo, headCommit } from '../adapters/repo/repo.ts';
import { reports } from '../adapters/sessions/reports.ts';
import { dropMessage } from '../adapters/signals/dropbox.ts';
import { isPlanFile, signalInbox } from '../adapters/signals/inbox.ts';
import { quarantineFolder } from '../adapters/signals/quarantine.ts';
import { sessionAround, speakerOf } from '../adapters/signals/speaker.ts';
import { clock } from '../adapters/system/clock.ts';
import { disk as realDisk } from '../adapters/system/disk.ts';
import { isInstalled, runHere } from '../adapters/system/exec.ts';
import { diskThatFails } from '../adapters/system/failpoints.ts';
import { fileLocks } from '../adapters/system/lock.ts';
import { watchFolders } from '../adapters/system/watcher.ts';
import { fold } from '../core/journal/fold.ts';
import { Failure } from '../core/model/failure.ts';
import { LOCAL_MACHINE, type SessionId } from '../core/model/ids.ts';
import { treeOfBranch } from '../core/model/run-name.ts';
import { START } from '../core/ports/journal.ts';
import type { Notify } from '../core/ports/notify.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import { decide, decideAll } from '../core/rules/decide.ts';
import { readEvents } from '../core/rules/plan/outline.ts';
import { actUntilDone } from '../engine/act-until-done.ts';
import { openGateway } from '../engine/gateway.ts';
import { type EnginePorts, runEngine } from '../engine/loop.ts';
import { factsOf, landingOf, lookedInto } from '../engine/observe.ts';
import { planStateProjection } from '../engine/projection.ts';
import { type PlanFile, planFile } from '../plan/name.ts';
import { forbiddenCommandMessage, type Message, OUTSIDE_SESSION } from '../signals/message.ts';
import type { App } from '../surfaces/cli/app.ts';
import { openConfig } from './config.ts';
import type { EnginePieces } from './engine.ts';

export interface Opening {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  /** How this process signs the locks it holds. */
  readonly command: string;
  /** How this program is called, as an argument list begins. */
  readonly itself?: readonly string[];
  /** Hears what takes long. */
  readonly progress?: (sentence: string) => void;
}

export function openApp({ cwd, env, pid, command, itself = [], progress }: Opening): App {
  const repo = findRepo(cwd, env);
  const disk = env.CADRE_FAILPOINT ? diskThatFails(realDisk, env.CADRE_FAILPOINT) : realDisk;
  const around = sessionAround(env, pid);
  const locks = fileLocks({ command, ...(progress === undefined ? {} : { waiting: progress }) });
  const journal = new Journal(disk, repo.journal);
  const store = planStateStore(disk, repo.planState, repo.planStateNote);
  const planState = planStateProjection(store, locks, repo.planStateLock);
  const files = planFiles(disk, repo.plans, clock);
  const inbox = signalInbox(disk, repo, clock);
  const quarantine = quarantineFolder(disk, repo);
  const gateway = openGateway({
    journal,
    checkpoints: checkpoints(disk, repo.checkpoint, journal),
    locks,
    journalLock: repo.journalLock,
    folder: repo.state,
    planState,
    overview: overview(disk, locks, repo.home, files),
    clock,
    prepare: () => prepare(disk, repo),
  });
  // Made on first use: most commands have nothing to do with sessions.
  let opened: Promise<EnginePieces> | undefined;
  const pieces = (): Promise<EnginePieces> => {
    opened ??= import('./engine.ts').then(({ openEngine }) =>
      openEngine({
        repo,
        env,
        disk,
        locks,
        config: openConfig({ cwd, env, pid, command }),
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
    watch: watchFolders,
  });
  const background = backgroundEngine({ repo, env, itself, holder: () => locks.holder(repo.engineLock) });
  const planFileExists = (plan: string): boolean => planFile(plan) !== undefined && isPlanFile(repo.plans, plan);
  const drop = (message: Message): void => {
    prepare(disk, repo);
    const box = join(repo.inbox, message.session);
    dropMessage(disk, box, message, clock.now(), around?.inbox ?? box);
  };

  return {
    root: repo.root,
    gateway,
    quarantine,
    planFiles: files,
    look() {
      const world = gateway.look();
      const readings = new Map([...world.plans.values()].map(({ plan, file }) => [plan, files.read(plan, file)]));
      const events = [...readings].flatMap(([plan, reading]) => readEvents(plan, reading));
      // No plan's file has a bearing on another, so all are decided in one world, which is then changed once.
      const now = clock.now();
      const records = events.flatMap((event) => decide(world, event, now).records);
      return { world: fold(world, records), readings };
    },
    by: speakerOf(around),
    session: {
      name: around?.session ?? OUTSIDE_SESSION,
      role: around?.role ?? 'outside',
      ...(around?.plan === undefined ? {} : { plan: around.plan }),
      ...(around?.task === undefined ? {} : { task: around.task }),
    },
    planAt: (path) => planIn(repo.plans, [resolve(cwd, path), resolve(repo.root, path)]),
    planFileExists,
    titleOf: (plan) => (planFileExists(plan) ? firstHeading(join(repo.plans, plan)) : ''),
    unregistered: (known) =>
      planNames(repo.plans).filter((name) => {
        const plan = planFile(name);
        return plan !== undefined && !known.has(plan) && planFileExists(plan);
      }),
    waitingSignals: () => inbox.waiting(),
    engine: () => locks.holder(repo.engineLock),
    async lookInto(world, signal) {
      const session = world.sessions.get(signal.by.session as SessionId);
      if (session?.reviews === true) {
        const { runs, baseBranch } = await pieces();
        return lookedInto({ ...runs, settings: { baseBranch: baseBranch() } }, world, signal);
      }
      if (session?.attempt === undefined) return signal;
      // The settings have no bearing on it, and an agent waits.
      const { openRuns } = await import('../adapters/worktrees/open-runs.ts');
      return lookedInto({ ...openRuns(repo, env, disk, locks), settings: { baseBranch: undefined } }, world, signal);
    },
    worktreeFacts: async (plan, { branch }) => factsOf((await pieces()).runs.trees, treeOfBranch(plan, branch)),
    async landingFacts(entry) {
      const { runs, baseBranch } = await pieces();
      return landingOf(runs, entry, baseBranch());
    },
    async changes() {
      const { runs, baseBranch } = await pieces();
      return {
        ...runs.changes,
        ofPlan: (plan) => runs.changes.ofPlan(plan, baseBranch()),
        colour: env.NO_COLOR ? 'never' : 'auto',
      };
    },
    drop,
    reportForbiddenCommand(name) {
      if (around !== undefined) drop(forbiddenCommandMessage(around, name, command));
    },
    report: (session, report) => reports(repo.reports).write(session, report, clock.now().getTime()),
    records: () => journal.read(START).records,
    follow: (seq, stop) => followJournal(journal, repo.journal, watchFolders, seq, stop),
    async runEngine(notify, stop, ready) {
      prepare(disk, repo);
      await runEngine(await enginePorts(notify, stop), stop, ready);
    },
    engineLog: background.log,
    engineWarnings: (from) => background.warnings(from),
    preflight: async (wishes) => (await pieces()).ground(wishes),
    startEngine: (wishes) => background.start(wishes),
    stopEngine: () => background.stop(),
    preview: (events) => decideAll(gateway.look(), events, clock.now()).world,
    async act(effects, notify) {
      await actUntilDone(await enginePorts(notify, NEVER), effects, ACT_PATIENCE, clock.elapsed);
    },
    sessions,
    headCommit: () => headCommit(repo.root, env),
    isInstalled: (program) => isInstalled(program, env),
    runHere,
    planStateProblem: () => planState.problem(),
    statusInFile: (plan) => {
      const read = planState.read();
      return read.kind === 'good' ? read.file.plans.get(plan)?.status : undefined;
    },
    async checkUp() {
      const { checkUp } = await import('../adapters/doctor/checkup.ts');
      return checkUp({
        disk,
        repo,
        journal,
        planStateProblem: () => planState.problem(),
        engine: () => locks.holder(repo.engineLock),
        waitingSignals: () => inbox.waiting(),
      });
    },
  };
}

/** How long a command waits for what it has decided. */
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
