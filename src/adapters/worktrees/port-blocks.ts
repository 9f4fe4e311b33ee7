// Blocks of ports, one for each worktree on this machine, recorded in one file for all repositories.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { PORTS_EACH } from '../../core/ports/worktrees.ts';
import { ensureFolder, readWhole, replaceDerived } from '../system/files.ts';

export interface PortBlocks {
  /** The first port of the worktree's block: the same as long as the worktree exists, and shared with no other. */
  claim(worktree: string): Promise<number>;
  release(worktree: string): Promise<void>;
  /** The worktrees that have ports, also those that no longer exist. */
  holders(): readonly string[];
}

/** Below the ports that systems assign automatically, above the well-known ones. */
const FIRST = 20_000;
const LAST = 32_000;

const LOCK_PATIENCE = 10_000;

export interface PortOptions {
  readonly disk: Disk;
  readonly locks: Locks;
  /** `~/.cadre`. */
  readonly home: string;
  readonly isFree?: (port: number) => Promise<boolean>;
}

export function portBlocks({ disk, locks, home, isFree = canListen }: PortOptions): PortBlocks {
  const file = join(home, 'ports.json');

  const underLock = async <T>(work: (claims: Map<number, string>) => Promise<T>): Promise<T> => {
    ensureFolder(disk, home, 0o700);
    const lock = await locks.take(join(home, 'ports.lock'), LOCK_PATIENCE);
    try {
      return await work(readClaims(readWhole(disk, file)));
    } finally {
      lock.release();
    }
  };
  const write = (claims: ReadonlyMap<number, string>): void => {
    // A worktree that no longer exists loses its claim.
    const alive = [...claims].filter(([, worktree]) => existsSync(worktree));
    replaceDerived(disk, file, Buffer.from(`${JSON.stringify(Object.fromEntries(alive), null, 2)}\n`));
  };

  return {
    async claim(worktree) {
      // The file is replaced atomically, so an existing claim can be read without the lock.
      const known = blockOf(readClaims(readWhole(disk, file)), worktree);
      if (known !== undefined) return known;
      return underLock(async (claims) => {
        const own = blockOf(claims, worktree);
        if (own !== undefined) return own;
        const taken = new Set([...claims].filter(([, holder]) => existsSync(holder)).map(([port]) => port));
        const base = await firstFree(taken, isFree);
        write(claims.set(base, worktree));
        return base;
      });
    },
    holders: () => [...readClaims(readWhole(disk, file)).values()],
    release: (worktree) =>
      underLock(async (claims) => {
        const own = blockOf(claims, worktree);
        if (own === undefined) return;
        claims.delete(own);
        write(claims);
      }),
  };
}

function blockOf(claims: ReadonlyMap<number, string>, worktree: string): number | undefined {
  return [...claims].find(([, holder]) => holder === worktree)?.[0];
}

/** An unreadable file counts as empty: ports in use are not assigned anyway. */
function readClaims(bytes: Buffer | undefined): Map<number, string> {
  try {
    const claims: unknown = JSON.parse(bytes?.toString('utf8') ?? '{}');
    const entries = Object.entries(Object(claims)).map(([port, worktree]) => [Number(port), worktree] as const);
    return new Map(entries.flatMap(([port, worktree]) => (typeof worktree === 'string' ? [[port, worktree]] : [])));
  } catch {
    return new Map();
  }
}

async function firstFree(taken: ReadonlySet<number>, isFree: (port: number) => Promise<boolean>): Promise<number> {
  for (let first = FIRST; first < LAST; first += PORTS_EACH) {
    if (taken.has(first)) continue;
    const all = Array.from({ length: PORTS_EACH }, (_, index) => isFree(first + index));
    if ((await Promise.all(all)).every(Boolean)) return first;
  }
  throw new Failure(
    'environment',
    'no-ports',
    `Every port from ${FIRST} to ${LAST} is in use or assigned to a worktree. Remove worktrees that are no longer needed.`,
  );
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((answer) => {
    server.once('error', () => answer(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => answer(true)));
  });
}
