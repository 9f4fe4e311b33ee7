// Ends a program and everything it started, even what has left its process group, and nothing else.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { STOP_PATIENCE } from '../../core/ports/host.ts';
import {
  allProcesses,
  isOrphan,
  isThere,
  type ProcessFacts,
  processFacts,
  startTimeOf,
  tellsOfProcesses,
  wasGiven,
  wasStartedWith,
  worksIn,
} from './processes.ts';

export interface Belonging {
  /** The program. Its process group, its session and its descendants belong to it. */
  readonly leader: number | undefined;
  /** An entry in the environment of everything that it started. */
  readonly entry: string;
  /** When its first process was started, in ticks since boot. Older processes do not belong to it. */
  readonly since?: number | undefined;
  /** Where it worked. What still works there alone, and no longer has the entry, is taken for its own. */
  readonly workplace?: Workplace | undefined;
}

export interface Workplace {
  /** As a real path. */
  readonly folder: string;
  /** When its first process was started, in milliseconds since 1970. */
  readonly from: number;
}

/** How often to check while something is ending: the system does not report the end of a process that is not our child. In milliseconds. */
const LOOK_EVERY = 5;

/** A killed process is gone at once, unless it waits for a broken disk. In milliseconds. */
const KILL_PATIENCE = 5_000;

export async function endEverything(belonging: Belonging): Promise<void> {
  const found = tellsOfProcesses() ? finder(belonging) : groupOf(belonging);
  if (await ended(found, 'SIGTERM', STOP_PATIENCE)) return;
  if (await ended(found, 'SIGKILL', KILL_PATIENCE)) return;
  throw new Failure(
    'person',
    'not-stopped',
    `Process ${found.look()[0]?.name} was killed but does not end. It may be waiting for a disk that does not respond. Check it, then try again.`,
  );
}

interface Found {
  /** Everything that belongs to it and runs now. */
  look(): readonly Target[];
}

interface Target {
  readonly name: string;
  isThere(): boolean;
  signal(signal: NodeJS.Signals): void;
}

/** Signals each process that is found once, until none is left. The next look finds processes started in the meantime. */
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

/** By group, session, descent and environment. A process that was found once belongs to it even when its parent is gone. */
function finder({ leader, entry, since = 0, workplace }: Belonging): Found {
  const variable = entry.slice(0, entry.indexOf('='));
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
      // The system does not reuse the number of a group while one of its processes exists, but may do so afterwards.
      const isGroupOurs = ours.size === 0 || all.some((facts) => ours.has(nameOf(facts)));
      const isOurs = (facts: ProcessFacts): boolean =>
        (isGroupOurs && isLedBy(leader, facts)) || isMarked(facts) || isForgotten(workplace, variable, facts);
      for (const facts of all) if (isOurs(facts)) ours.add(nameOf(facts));
      addDescendants(all, ours);
      return all.filter((facts) => ours.has(nameOf(facts))).map(target);
    },
  };
}

/**
 * Whether it left its session and cleared its environment. What a person started there has a terminal, or a parent such as
 * an editor; what another session started has the variable.
 */
function isForgotten(workplace: Workplace | undefined, variable: string, facts: ProcessFacts): boolean {
  if (workplace === undefined || facts.hasTerminal || startTimeOf(facts) < workplace.from - CLOCK_ERROR) return false;
  return worksIn(facts.pid, workplace.folder) && isOrphan(facts) && wasGiven(facts.pid, variable) === false;
}

/** Start times of processes and times of files come from different clocks, in milliseconds. */
const CLOCK_ERROR = 100;

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

/** A pid may be reused; together with its start time it identifies one process. */
function nameOf({ pid, started }: ProcessFacts): string {
  return `${pid} ${started}`;
}

function target(facts: ProcessFacts): Target {
  const isSame = (): boolean => {
    const now = processFacts(facts.pid);
    return now !== undefined && !now.isZombie && now.started === facts.started;
  };
  return {
    name: nameOf(facts),
    isThere: isSame,
    signal: (signal) => {
      if (isSame()) signalIfThere(facts.pid, signal);
    },
  };
}

/** For systems that do not list processes: the program's process group. */
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
