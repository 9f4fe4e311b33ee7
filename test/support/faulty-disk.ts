// The real disk with faults planted in it: the n-th call of its kind fails, writes short, or comes just after something else happened.
import { constants } from 'node:os';
import { disk as realDisk } from '../../src/adapters/system/disk.ts';
import type { Disk, Path } from '../../src/core/ports/disk.ts';

export type Operation = keyof Disk;

export interface Place {
  readonly on: Operation;
  /** Only calls about a path that ends like this; others neither fail nor count. */
  readonly path?: string;
  /** Which of these calls, counted from one and from now. The first, unless told. */
  readonly nth?: number;
  /** That call and every later one, until the disk is healed. */
  readonly forGood?: boolean;
}

export interface Call {
  readonly on: Operation;
  readonly path: string;
}

export interface FaultyDisk {
  readonly disk: Disk;
  /** Every call so far, also those that failed. */
  readonly calls: readonly Call[];
  fail(place: Place, code: string): void;
  /** The write takes this many bytes and says so; the next write to the same file fails, as on a disk that is full. */
  writeShort(place: Omit<Place, 'on'>, bytes: number, code: string): void;
  /** Lets something happen right before the call. */
  before(place: Place, happens: () => void): void;
  heal(): void;
}

interface Rule {
  readonly place: Place;
  seen: number;
  /** Throws, answers in place of the real disk, or lets the call through by answering nothing. */
  act(call: Call, bytes: Uint8Array | undefined, file: number | undefined): number | undefined;
}

export function faultyDisk(): FaultyDisk {
  const calls: Call[] = [];
  const rules = new Set<Rule>();
  const paths = new Map<number, string>();

  const add = (place: Place, act: Rule['act']): void => void rules.add({ place, seen: 0, act });

  const consult = (on: Operation, path: string, bytes?: Uint8Array, file?: number): number | undefined => {
    const call = { on, path };
    calls.push(call);
    for (const rule of [...rules]) {
      if (!isDue(rule, call)) continue;
      const answer = rule.act(call, bytes, file);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };

  const around = <T>(on: Operation, path: Path, go: () => T): T => {
    consult(on, textOf(path));
    return go();
  };
  const aroundFile = <T>(on: Operation, file: number, go: () => T): T => around(on, paths.get(file) ?? '', go);

  const fail: FaultyDisk['fail'] = (place, code) =>
    add(place, (call) => {
      throw systemError(code, call);
    });

  return {
    calls,
    fail,
    writeShort: ({ forGood = false, ...place }, bytes, code) =>
      add({ ...place, on: 'write' }, (call, given, file) => {
        fail({ on: 'write', path: place.path ?? call.path, forGood }, code);
        return realDisk.write(file as number, (given as Uint8Array).subarray(0, bytes));
      }),
    before: (place, happens) =>
      add(place, () => {
        happens();
        return undefined;
      }),
    heal: () => rules.clear(),
    disk: {
      facts: (path) => around('facts', path, () => realDisk.facts(path)),
      factsOf: (file) => aroundFile('factsOf', file, () => realDisk.factsOf(file)),
      list: (folder) => around('list', folder, () => realDisk.list(folder)),
      names: (folder) => around('list', folder, () => realDisk.names(folder)),
      makeFolder: (folder, mode) => around('makeFolder', folder, () => realDisk.makeFolder(folder, mode)),
      open(path, mode) {
        const file = around('open', path, () => realDisk.open(path, mode));
        paths.set(file, textOf(path));
        return file;
      },
      close: (file) => aroundFile('close', file, () => realDisk.close(file)),
      read: (file, offset, length) => aroundFile('read', file, () => realDisk.read(file, offset, length)),
      write: (file, bytes) => consult('write', paths.get(file) ?? '', bytes, file) ?? realDisk.write(file, bytes),
      truncate: (file, size) => aroundFile('truncate', file, () => realDisk.truncate(file, size)),
      sync: (file) => aroundFile('sync', file, () => realDisk.sync(file)),
      syncFolder: (folder) => around('syncFolder', folder, () => realDisk.syncFolder(folder)),
      rename: (from, to) => around('rename', from, () => realDisk.rename(from, to)),
      remove: (path) => around('remove', path, () => realDisk.remove(path)),
    },
  };
}

function isDue(rule: Rule, call: Call): boolean {
  const { on, path, nth = 1, forGood = false } = rule.place;
  if (on !== call.on || (path !== undefined && !call.path.endsWith(path))) return false;
  rule.seen += 1;
  return forGood ? rule.seen >= nth : rule.seen === nth;
}

/** An error as Node makes them from what the system answered. */
function systemError(code: string, { on, path }: Call): Error {
  const errno = -((constants.errno as Readonly<Record<string, number>>)[code] ?? 0);
  return Object.assign(new Error(`${code}: planted fault, ${on} '${path}'`), { code, errno, syscall: on, path });
}

function textOf(path: Path): string {
  return typeof path === 'string' ? path : path.toString('latin1');
}
