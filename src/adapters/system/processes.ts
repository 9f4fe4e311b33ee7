// What Linux reports about processes in /proc, and "unknown" on systems without it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { systemCode } from '../../core/model/failure.ts';

export interface ListedLock {
  readonly pid: number;
  /** Major and minor number of the device, as the kernel writes them. */
  readonly device: string;
  readonly inode: number;
}

/** Every flock on this machine; undefined if the system does not list them. */
export function listedLocks(): readonly ListedLock[] | undefined {
  return (
    readProc('/proc/locks')
      ?.split('\n')
      .map((line) => line.split(/\s+/))
      // A line with "->" is a waiter, and moves the columns.
      .filter(([, kind]) => kind === 'FLOCK')
      .map(([, , , , pid = '', place = '']) => {
        const [major = '', minor = '', inode = ''] = place.split(':');
        return { pid: Number(pid), device: `${major}:${minor}`, inode: Number(inode) };
      })
  );
}

/** A device number from stat(2), split as /proc writes it. */
export function deviceName(device: number): string {
  const number = BigInt(device);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & 0xfffff000n);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
}

/** Whether a process has a file open; undefined if the system does not say. */
export function hasOpen(pid: number, path: string): boolean | undefined {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === path);
  } catch {
    return undefined;
  }
}

/** Undefined if the descriptor was closed after it was listed, or the process is not ours. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

export function commandOf(pid: number): string | undefined {
  const text = readProc(`/proc/${pid}/cmdline`);
  return text === undefined || text === '' ? undefined : text.split('\0').filter(Boolean).join(' ');
}

/** The environments that this process's ancestors were started with, nearest first. */
export function* ancestorEnvironments(pid: number): Generator<ReadonlyMap<string, string>> {
  for (let next = parentOf(pid); next !== undefined && next > 1; next = parentOf(next)) {
    const text = readProc(`/proc/${next}/environ`);
    if (text !== undefined) yield parseEnvironment(text);
  }
}

function parentOf(pid: number): number | undefined {
  return processFacts(pid)?.parent;
}

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It belongs to a terminal, as what a person starts in a shell does. */
  readonly hasTerminal: boolean;
  /** In clock ticks since boot. Together with the pid it identifies one process. */
  readonly started: string;
  /** It has ended, but its parent has not collected its status yet. */
  readonly isZombie: boolean;
}

export function processFacts(pid: number): ProcessFacts | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** When it was started, in clock ticks since boot. */
export function startOfProcess(pid: number): number | undefined {
  const started = processFacts(pid)?.started;
  return started === undefined ? undefined : Number(started);
}

/** The text of /proc/<pid>/stat. */
export function parseStat(stat: string): ProcessFacts | undefined {
  // The command is in parentheses and may contain any character; the fields after it are plain.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session, terminal] = fields;
  const started = fields[19];
  if (started === undefined) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    hasTerminal: terminal !== '0',
    started: started.trim(),
    isZombie: /[ZX]/.test(state),
  };
}

/** Whether the system lists its processes. */
export function tellsOfProcesses(): boolean {
  return processFacts(process.pid) !== undefined;
}

/** Every process on this machine that has not ended. */
export function allProcesses(): readonly ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processFacts(Number(name)) ?? [])
    .filter((facts) => !facts.isZombie);
}

/** Whether a process was started with this entry in its environment. False if we may not read it. */
export function wasStartedWith(pid: number, entry: string): boolean {
  const text = readProc(`/proc/${pid}/environ`);
  return text?.split('\0').includes(entry) ?? false;
}

/** The values of a variable in the environments of all processes that we may read. */
export function startedWith(variable: string): readonly string[] {
  if (!tellsOfProcesses()) return [];
  return allProcesses().flatMap(({ pid }) => {
    const text = readProc(`/proc/${pid}/environ`);
    return (text === undefined ? undefined : parseEnvironment(text).get(variable)) ?? [];
  });
}

/** In milliseconds since 1970. Linux has counted in hundredths of a second, on every machine, for twenty years. */
export function startTimeOf({ started }: ProcessFacts): number {
  return Date.now() - uptime() * 1000 + Number(started) * 10;
}

/** Its parent has ended, and the system has given it another. */
export function isOrphan({ parent }: ProcessFacts): boolean {
  return parent === 1 || /^(?:\S*\/)?systemd --user\b/.test(commandOf(parent) ?? '');
}

/** Whether it works in this folder, or in one below, also if the folder was removed since. */
export function worksIn(pid: number, folder: string): boolean {
  const works = linkOf(`/proc/${pid}/cwd`)?.replace(/ \(deleted\)$/, '');
  return `${works}/`.startsWith(`${folder}/`);
}

/** Whether the variable was in its environment; undefined if we may not read that. */
export function wasGiven(pid: number, variable: string): boolean | undefined {
  const text = readProc(`/proc/${pid}/environ`);
  return text === undefined ? undefined : parseEnvironment(text).has(variable);
}

/** Whether a process with this pid exists; for a negative number, whether that process group has one. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists too.
    return systemCode(error) === 'EPERM';
  }
}

function parseEnvironment(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\0')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
