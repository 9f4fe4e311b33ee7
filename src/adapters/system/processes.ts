// What Linux tells about processes in /proc, with an honest "unknown" where there is no /proc.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';

export interface ListedLock {
  readonly pid: number;
  /** Major and minor number of the device, as the kernel writes them. */
  readonly device: string;
  readonly inode: number;
}

/** Every flock on this machine; nothing where the system does not tell. */
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

/** The number of a device in stat(2), taken apart as /proc writes it. */
export function deviceName(device: number): string {
  const number = BigInt(device);
  const major = ((number >> 8n) & 0xfffn) | ((number >> 32n) & 0xfffff000n);
  const minor = (number & 0xffn) | ((number >> 12n) & 0xffffff00n);
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
}

/** Whether a process has a file open; nothing where the system does not tell. */
export function hasOpen(pid: number, path: string): boolean | undefined {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === path);
  } catch {
    return undefined;
  }
}

/** A descriptor may be closed between listing and looking. */
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

/** The environments in which this process's ancestors were started, nearest first. */
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
  /** When it was started, in ticks since the machine was: with the pid, the name of one process and no other. */
  readonly started: string;
  /** It has ended, and only its parent has not looked yet. */
  readonly isZombie: boolean;
}

export function processFacts(pid: number): ProcessFacts | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** When it was started, in ticks since the machine was. */
export function startOf(pid: number): number | undefined {
  const started = processFacts(pid)?.started;
  return started === undefined ? undefined : Number(started);
}

/** The text of /proc/<pid>/stat. */
export function parseStat(stat: string): ProcessFacts | undefined {
  // The command stands in parentheses and may hold any character; the fields after it are plain.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: started.trim(),
    isZombie: /[ZX]/.test(state),
  };
}

/** Whether the system tells which processes there are. */
export function tellsOfProcesses(): boolean {
  return processFacts(process.pid) !== undefined;
}

/** Every process that runs on this machine. */
export function allProcesses(): readonly ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processFacts(Number(name)) ?? [])
    .filter((facts) => !facts.isZombie);
}

/** Whether a process was started with this entry in its environment, as far as we may know. */
export function wasStartedWith(pid: number, entry: string): boolean {
  const text = readProc(`/proc/${pid}/environ`);
  return text?.split('\0').includes(entry) ?? false;
}

/** The values that a variable has in the environments of processes, as far as the system tells and we may know. */
export function startedWith(variable: string): readonly string[] {
  if (!tellsOfProcesses()) return [];
  return allProcesses().flatMap(({ pid }) => {
    const text = readProc(`/proc/${pid}/environ`);
    return (text === undefined ? undefined : parseEnvironment(text).get(variable)) ?? [];
  });
}

/** Whether there is a process with this number, or, with a minus before it, one in this group. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one too.
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
