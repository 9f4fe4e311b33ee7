// Ends a session's program and everything that it started, wherever that has gone, and nothing else.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { STOP_PATIENCE } from '../../core/ports/host.ts';
import {
  allProcesses,
  isThere,
  type ProcessFacts,
  processFacts,
  tellsOfProcesses,
  wasStartedWith,
} from './processes.ts';

export interface Belonging {
  /** The program: what is in its group or its session, or comes from it, belongs to it. */
  readonly leader: number | undefined;
  /** What stands in the environment of all that it started. */
  readonly entry: string;
  /** When the first of it was started, as /proc tells it: what was there before is somebody else's. */
  readonly since?: number | undefined;
}

/** How often we look while something is ending: only then, since nobody tells the end of a process that is not one's child. */
const LOOK_EVERY = 5;

/** A killed process is gone as soon as the system finds the time; one that waits for a broken disk is not. */
const KILL_PATIENCE = 5_000;

export async function endEverything(belonging: Belonging): Promise<void> {
  const found = tellsOfProcesses() ? finder(belonging) : groupOf(belonging);
  if (await ended(found, 'SIGTERM', STOP_PATIENCE)) return;
  if (await ended(found, 'SIGKILL', KILL_PATIENCE)) return;
  throw new Failure(
    'person',
    'not-stopped',
    `Process ${found.look()[0]?.name} was killed and does not end. It may wait for a disk that does not answer; look at it, then try again.`,
  );
}

interface Found {
  /** What belongs to the session and runs now. */
  look(): readonly Target[];
}

interface Target {
  readonly name: string;
  isThere(): boolean;
  signal(signal: NodeJS.Signals): void;
}

/** Signals whatever is found, once each, until nothing is found any more. What starts meanwhile is found by the next look. */
async function ended(found: Found, signal: NodeJS.Signals, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience;
  const signalled = new Set<string>();
  for (;;) {
    const targets = found.look();
    if (targets.length === 0) return true;
    for (const target of targets.filter(({ name }) => !signalled.has(name))) {
      target.signal(signal);
      signalled.add(target.name);
    }
    do {
      if (performance.now() > deadline) return false;
      await pause(LOOK_EVERY);
    } while (targets.every((target) => target.isThere()));
  }
}

/** By group, session, descent and environment. Once found, a process belongs to it, also when its parent is gone. */
function finder({ leader, entry, since = 0 }: Belonging): Found {
  const ours = new Set<string>();
  const seen = new Set<string>();

  const isMarked = (facts: ProcessFacts): boolean => {
    const name = nameOf(facts);
    if (seen.has(name)) return false;
    seen.add(name);
    return Number(facts.started) >= since && wasStartedWith(facts.pid, entry);
  };

  return {
    look() {
      const all = allProcesses().filter(({ pid }) => pid !== process.pid);
      // The number of a group is not given to another process as long as one of the group is there, and only so long.
      const leads = ours.size === 0 || all.some((facts) => ours.has(nameOf(facts)));
      for (const facts of all) if ((leads && isLedBy(leader, facts)) || isMarked(facts)) ours.add(nameOf(facts));
      addDescendants(all, ours);
      return all.filter((facts) => ours.has(nameOf(facts))).map(target);
    },
  };
}

function isLedBy(leader: number | undefined, { pid, group, session }: ProcessFacts): boolean {
  return pid === leader || group === leader || session === leader;
}

function addDescendants(all: readonly ProcessFacts[], ours: Set<string>): void {
  const parents = new Map(all.map((facts) => [facts.pid, facts]));
  const comesFromOurs = (facts: ProcessFacts): boolean => {
    if (ours.has(nameOf(facts))) return true;
    const parent = parents.get(facts.parent);
    return parent !== undefined && comesFromOurs(parent);
  };
  for (const facts of all.filter(comesFromOurs)) ours.add(nameOf(facts));
}

/** A pid may be given to another process; with its start it is one process's name. */
function nameOf({ pid, started }: ProcessFacts): string {
  return `${pid} ${started}`;
}

function target(facts: ProcessFacts): Target {
  const isStillIt = (): boolean => {
    const now = processFacts(facts.pid);
    return now !== undefined && !now.isZombie && now.started === facts.started;
  };
  return {
    name: nameOf(facts),
    isThere: isStillIt,
    signal: (signal) => {
      if (isStillIt()) signalIfThere(facts.pid, signal);
    },
  };
}

/** Where the system does not tell more of processes: the group that the program leads. */
function groupOf({ leader }: Belonging): Found {
  const group: Target = {
    name: `group ${leader}`,
    isThere: () => leader !== undefined && isThere(-leader),
    signal: (signal) => {
      if (leader !== undefined) signalIfThere(-leader, signal);
    },
  };
  return { look: () => (group.isThere() ? [group] : []) };
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}
