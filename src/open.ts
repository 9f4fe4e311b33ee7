// Puts the pieces together for one repository: adapters into the engine, and both into what the commands can press.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { checkpoints } from './adapters/checkpoint.ts';
import { clock } from './adapters/clock.ts';
import { disk as realDisk } from './adapters/disk.ts';
import { dropMessage } from './adapters/dropbox.ts';
import { diskThatFails } from './adapters/failpoints.ts';
import { followJournal } from './adapters/follow.ts';
import { isPlanFile, signalInbox } from './adapters/inbox.ts';
import { Journal } from './adapters/journal.ts';
import { fileLocks } from './adapters/lock.ts';
import { overview } from './adapters/overview.ts';
import { planStateStore } from './adapters/plan-state-store.ts';
import { prepare } from './adapters/prepare.ts';
import { quarantineFolder } from './adapters/quarantine.ts';
import { findRepo } from './adapters/repo.ts';
import { sessionAround, speakerOf } from './adapters/speaker.ts';
import { watchFolders } from './adapters/watcher.ts';
import { Failure } from './core/failure.ts';
import { START } from './core/ports.ts';
import { openGateway } from './engine/gateway.ts';
import { runEngine } from './engine/loop.ts';
import { planStateProjection } from './engine/projection.ts';
import { planFile } from './plan/name.ts';
import { OUTSIDE_SESSION } from './signals/message.ts';
import type { App } from './surfaces/cli/app.ts';

export interface Opening {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  /** How this process signs the locks it holds. */
  readonly command: string;
  /** Hears what takes long. */
  readonly progress?: (sentence: string) => void;
}

export function openApp({ cwd, env, pid, command, progress }: Opening): App {
  const repo = findRepo(cwd, env);
  const disk = env.CADRE_FAILPOINT ? diskThatFails(realDisk, env.CADRE_FAILPOINT) : realDisk;
  const around = sessionAround(env, pid);
  const locks = fileLocks({ command, ...(progress === undefined ? {} : { waiting: progress }) });
  const journal = new Journal(disk, repo.journal);
  const store = planStateStore(disk, repo.planState, repo.planStateNote);
  const planState = planStateProjection(store, locks, repo.planStateLock);
  const inbox = signalInbox(disk, repo, clock);
  const quarantine = quarantineFolder(disk, repo);
  const gateway = openGateway({
    journal,
    checkpoints: checkpoints(disk, repo.checkpoint, journal),
    locks,
    journalLock: repo.journalLock,
    folder: repo.state,
    planState,
    overview: overview(disk, locks, repo.home, repo.plans),
    clock,
    prepare: () => prepare(disk, repo),
  });
  const planFileExists = (plan: string): boolean => planFile(plan) !== undefined && isPlanFile(repo.plans, plan);

  return {
    root: repo.root,
    gateway,
    quarantine,
    by: speakerOf(around),
    session: {
      name: around?.session ?? OUTSIDE_SESSION,
      role: around?.role ?? 'outside',
      ...(around?.plan === undefined ? {} : { plan: around.plan }),
      ...(around?.task === undefined ? {} : { task: around.task }),
    },
    planFileExists,
    titleOf: (plan) => (planFileExists(plan) ? firstHeading(join(repo.plans, plan)) : ''),
    unregistered: (known) =>
      planNames(repo.plans).filter((name) => {
        const plan = planFile(name);
        return plan !== undefined && !known.has(plan) && planFileExists(plan);
      }),
    waitingSignals: () => inbox.waiting(),
    engine: () => locks.holder(repo.engineLock),
    drop(message) {
      prepare(disk, repo);
      const box = join(repo.inbox, message.session);
      dropMessage(disk, box, message, clock.now(), around?.inbox ?? box);
    },
    records: () => journal.read(START).records,
    follow: (seq, stop) => followJournal(journal, repo.journal, watchFolders, seq, stop),
    async runEngine(notify, stop, ready) {
      prepare(disk, repo);
      const { engineLock, journal: journalFolder } = repo;
      await runEngine(
        { gateway, inbox, quarantine, notify, locks, engineLock, journalFolder, watch: watchFolders },
        stop,
        ready,
      );
    },
    planStateProblem: () => planState.problem(),
    statusInFile: (plan) => {
      const read = planState.read();
      return read.kind === 'good' ? read.file.plans.get(plan)?.status : undefined;
    },
    async checkUp() {
      const { checkUp } = await import('./adapters/checkup.ts');
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
    throw new Failure('environment', 'unreadable-plan', `Could not read ${path}. Make it readable for you.`, error);
  }
}
