// What Linux tells about processes in /proc, with an honest "unknown" where there is no /proc.
import { readFileSync } from 'node:fs';

/** Who holds a flock, by the inode of the locked file; nothing where the system does not tell. */
export function holdersByInode(): ReadonlyMap<number, number> | undefined {
  const text = readProc('/proc/locks');
  if (text === undefined) return undefined;
  const holders = new Map<number, number>();
  for (const line of text.split('\n')) {
    const [, kind, , , pid, place] = line.split(/\s+/);
    const inode = place?.split(':').at(-1);
    // A line with "->" is a waiter, and moves the columns.
    if (kind === 'FLOCK' && pid !== undefined && inode !== undefined) holders.set(Number(inode), Number(pid));
  }
  return holders;
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
  const stat = readProc(`/proc/${pid}/stat`);
  // The command stands in parentheses and may hold any character; the fields after it are plain.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const parent = fields?.[1];
  return parent === undefined ? undefined : Number(parent);
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
