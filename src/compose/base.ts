// What every command needs of a repository: its folders, locks, journal, plan files, and the gateway on top of them.
import { checkpoints } from '../adapters/journal/checkpoint.ts';
import { fileJournal } from '../adapters/journal/file-journal.ts';
import { Segments } from '../adapters/journal/segments.ts';
import { overview } from '../adapters/plans/overview.ts';
import { planFiles } from '../adapters/plans/plan-files.ts';
import { planStateStore } from '../adapters/plans/plan-state-store.ts';
import { initRepo } from '../adapters/repo/init-repo.ts';
import { findRepo } from '../adapters/repo/repo.ts';
import { signalInbox } from '../adapters/signals/inbox.ts';
import { quarantineFolder } from '../adapters/signals/quarantine.ts';
import { enclosingSession } from '../adapters/signals/speaker.ts';
import { clock } from '../adapters/system/clock.ts';
import { disk as realDisk } from '../adapters/system/disk.ts';
import { diskThatFails } from '../adapters/system/failpoints.ts';
import { fileHeartbeat } from '../adapters/system/heartbeat.ts';
import { fileLocks } from '../adapters/system/lock.ts';
import { watchFolders } from '../adapters/system/watcher.ts';
import { openGateway } from '../engine/gateway.ts';
import { planStateProjection } from '../engine/projection.ts';
import { VERSION } from '../version.ts';
import { configIn } from './config.ts';

export interface Opening {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** When to use colours, if the person said so. */
  readonly colour?: 'always' | 'never';
  readonly pid: number;
  /** How this process signs the locks it takes. */
  readonly command: string;
  /** The first words of the argument list that starts this program. */
  readonly itself?: readonly string[];
  /** Called with a sentence when something takes long. */
  readonly progress?: (sentence: string) => void;
}

export type Base = ReturnType<typeof openBase>;

export function openBase({ cwd, env, colour, pid, command, itself = [], progress }: Opening) {
  const repo = findRepo(cwd, env);
  const disk = env.CADRE_FAILPOINT ? diskThatFails(realDisk, env.CADRE_FAILPOINT) : realDisk;
  const locks = fileLocks({ command, ...(progress === undefined ? {} : { waiting: progress }) });
  const segments = new Segments(disk, repo.journal);
  const journal = fileJournal({ segments, locks, lock: repo.journalLock, watch: watchFolders });
  const store = planStateStore(disk, repo.planState, repo.planStateNote, repo.planStateSeen);
  const planState = planStateProjection(store, locks, repo.planStateLock);
  const session = enclosingSession(env, pid);
  const heartbeat = fileHeartbeat(repo.engineBeat);
  const files = planFiles(disk, repo.plans, clock, { path: repo.planReadings, version: VERSION });
  return {
    cwd,
    env,
    colour: colour ?? (env.NO_COLOR ? ('never' as const) : ('auto' as const)),
    command,
    itself,
    repo,
    disk,
    locks,
    segments,
    journal,
    planState,
    planFiles: files,
    heartbeat,
    inbox: signalInbox(disk, repo, clock),
    quarantine: quarantineFolder(disk, repo),
    config: configIn({ home: repo.home, root: repo.root, session, locks }),
    /** The session that this process runs in; undefined for a person. */
    session,
    gateway: openGateway({
      journal,
      checkpoints: checkpoints(disk, repo.checkpoint, journal),
      folder: repo.state,
      planState,
      overview: overview(disk, locks, repo.home, files),
      clock,
      heartbeat,
      prepare: () => initRepo(disk, repo),
    }),
  };
}
