// A file system in memory that forgets like a real one: in a power failure, each unsynced write and name is applied, dropped
// or garbled. Processes come and go; the disk stays.
import { constants } from 'node:os';
import type { Disk, FileFacts, Path } from '../../src/core/ports/disk.ts';
import type { Random } from './random.ts';

export type Operation = keyof Disk;

/** How an operation fails. A write may go through in part first. */
export interface Fate {
  readonly throw: Error;
  /** Bytes of a write that reach the file before the error. */
  readonly written?: number;
}

export type Judge = (operation: Operation) => Fate | undefined;

/** Operations that change what the disk contains or what it guarantees. */
export const CHANGES: ReadonlySet<Operation> = new Set<Operation>([
  'makeFolder',
  'open',
  'write',
  'truncate',
  'sync',
  'syncFolder',
  'rename',
  'remove',
]);

type FileChange =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

interface File {
  readonly kind: 'file';
  readonly inode: bigint;
  bytes: Buffer;
  synced: Buffer;
  pending: FileChange[];
  modified: bigint;
  changed: bigint;
  readonly born: bigint;
  links: number;
}

interface Folder {
  readonly kind: 'folder';
  readonly inode: bigint;
  names: Map<string, Node>;
  synced: Map<string, Node>;
  modified: bigint;
  changed: bigint;
  readonly born: bigint;
}

type Node = File | Folder;

/** Changes of names that happen together or not at all, such as the two halves of a rename. */
type NameChange = readonly { readonly folder: Folder; readonly name: string; readonly node: Node | undefined }[];

export class SimulatedDisk {
  #inodes = 1n;
  #time = 1_000_000_000n;
  #pendingNames: NameChange[] = [];
  #handles = new Map<number, { readonly file: File; readonly append: boolean; offset: number }>();
  #nextHandle = 3;
  readonly #root: Folder;

  constructor() {
    this.#root = this.#newFolder();
  }

  /** The disk as one process sees it. The judge decides about every operation before it happens. */
  seenBy(judge: Judge): Disk {
    const guarded = (operation: Operation): void => {
      const fate = judge(operation);
      if (fate !== undefined) throw fate.throw;
    };
    return {
      facts: (path) => {
        guarded('facts');
        const node = this.#find(path);
        return node === undefined ? undefined : factsOf(node);
      },
      factsOf: (file) => {
        guarded('factsOf');
        return factsOf(this.#handle(file).file);
      },
      list: (folder) => {
        guarded('list');
        return [...this.#folder(folder).names.keys()].map((name) => Buffer.from(name, 'latin1'));
      },
      names: (folder) => {
        guarded('list');
        return [...this.#folder(folder).names.keys()].map((name) =>
          ASCII.test(name) ? name : Buffer.from(name, 'latin1').toString('utf8'),
        );
      },
      makeFolder: (folder) => {
        guarded('makeFolder');
        this.#makeFolder(folder);
      },
      open: (path, mode) => {
        guarded(mode === 'read' ? 'facts' : 'open');
        return this.#open(path, mode);
      },
      close: (file) => {
        guarded('close');
        this.#handles.delete(file);
      },
      read: (file, offset, length) => {
        guarded('read');
        return Buffer.from(this.#handle(file).file.bytes.subarray(offset, offset + length));
      },
      write: (file, bytes) => {
        const fate = judge('write');
        if (fate === undefined) return this.#write(file, bytes);
        if (fate.written !== undefined) this.#write(file, bytes.subarray(0, Math.min(fate.written, bytes.length)));
        throw fate.throw;
      },
      truncate: (file, size) => {
        guarded('truncate');
        this.#truncate(file, size);
      },
      sync: (file) => {
        guarded('sync');
        const node = this.#handle(file).file;
        node.synced = node.bytes;
        node.pending = [];
      },
      syncFolder: (folder) => {
        guarded('syncFolder');
        this.#syncFolder(this.#folder(folder));
      },
      rename: (from, to) => {
        guarded('rename');
        this.#rename(from, to);
      },
      remove: (path) => {
        guarded('remove');
        this.#remove(path);
      },
    };
  }

  /** Decides what is left of every unsynced change, and closes all open files. */
  powerFailure(random: Random): void {
    this.#handles.clear();
    for (const change of this.#pendingNames) if (random.below(2) === 0) applyNames(change, 'synced');
    this.#pendingNames = [];
    this.#settle(this.#root, random);
  }

  #settle(folder: Folder, random: Random): void {
    folder.names = new Map(folder.synced);
    for (const node of folder.names.values()) {
      if (node.kind === 'folder') this.#settle(node, random);
      else {
        node.bytes = survivorOf(node, random);
        node.synced = node.bytes;
        node.pending = [];
      }
    }
  }

  #open(path: Path, mode: 'read' | 'append' | 'write' | 'overwrite'): number {
    const found = this.#find(path);
    if (found?.kind === 'folder') throw systemError('EISDIR', 'open', path);
    if (found === undefined && mode === 'read') this.#need(path, 'open');
    const file = found ?? this.#createFile(path);
    if (mode === 'write' && file.bytes.length > 0) this.#change(file, { kind: 'truncate', size: 0 });
    const handle = this.#nextHandle++;
    this.#handles.set(handle, { file, append: mode === 'append', offset: 0 });
    return handle;
  }

  #createFile(path: Path): File {
    const { folder, name } = this.#place(path);
    const now = this.#tick();
    const empty = Buffer.alloc(0);
    const file: File = {
      kind: 'file',
      inode: this.#inodes++,
      bytes: empty,
      synced: empty,
      pending: [],
      modified: now,
      changed: now,
      born: now,
      links: 1,
    };
    this.#changeNames([{ folder, name, node: file }]);
    return file;
  }

  #write(handle: number, bytes: Uint8Array): number {
    const open = this.#handle(handle);
    const offset = open.append ? open.file.bytes.length : open.offset;
    this.#change(open.file, { kind: 'write', offset, bytes: new Uint8Array(bytes) });
    open.offset = offset + bytes.length;
    return bytes.length;
  }

  #truncate(handle: number, size: number): void {
    this.#change(this.#handle(handle).file, { kind: 'truncate', size });
  }

  #change(file: File, change: FileChange): void {
    file.bytes = applyChange(file.bytes, change);
    file.pending.push(change);
    file.modified = this.#tick();
    file.changed = file.modified;
  }

  #makeFolder(path: string): void {
    const { folder, name } = this.#place(path);
    const existing = folder.names.get(name);
    if (existing?.kind === 'file') throw systemError('EEXIST', 'mkdir', path);
    if (existing === undefined) this.#changeNames([{ folder, name, node: this.#newFolder() }]);
  }

  #newFolder(): Folder {
    const now = this.#tick();
    return {
      kind: 'folder',
      inode: this.#inodes++,
      names: new Map(),
      synced: new Map(),
      modified: now,
      changed: now,
      born: now,
    };
  }

  #rename(from: Path, to: Path): void {
    // The kernel checks both folders before it looks for the file.
    const source = this.#place(from);
    const target = this.#place(to);
    const node = this.#need(from, 'rename');
    if (isInside(from, to)) throw systemError('ENOTEMPTY', 'rename', to);
    if (node.kind === 'folder' && isInside(to, from)) throw systemError('EINVAL', 'rename', to);
    const there = target.folder.names.get(target.name);
    if (there === node) return;
    if (there?.kind === 'folder' && node.kind === 'file') throw systemError('EISDIR', 'rename', to);
    if (there?.kind === 'file' && node.kind === 'folder') throw systemError('ENOTDIR', 'rename', to);
    if (there?.kind === 'folder' && there.names.size > 0) throw systemError('ENOTEMPTY', 'rename', to);
    node.changed = this.#tick();
    this.#changeNames([
      { ...source, node: undefined },
      { ...target, node },
    ]);
  }

  #remove(path: Path): void {
    const node = this.#need(path, 'unlink');
    if (node.kind === 'folder') throw systemError('EISDIR', 'unlink', path);
    const { folder, name } = this.#place(path);
    node.links = 0;
    this.#changeNames([{ folder, name, node: undefined }]);
  }

  #changeNames(change: NameChange): void {
    applyNames(change, 'names');
    for (const { folder } of change) folder.modified = folder.changed = this.#tick();
    this.#pendingNames.push(change);
  }

  /** Also makes every earlier change of the same names durable, so that their order is kept. */
  #syncFolder(folder: Folder): void {
    const taken = new Set<NameChange>();
    for (const change of this.#pendingNames.toReversed())
      if (change.some((part) => part.folder === folder) || isNeededBy(taken, change)) taken.add(change);
    if (taken.size === 0) return;
    for (const change of this.#pendingNames) if (taken.has(change)) applyNames(change, 'synced');
    this.#pendingNames = this.#pendingNames.filter((change) => !taken.has(change));
  }

  #find(path: Path): Node | undefined {
    const node = this.#walk(partsOf(path));
    return typeof node === 'string' ? undefined : node;
  }

  /** The node at the first parts of a path, or the code of the error on the way there. */
  #walk(parts: readonly string[], length = parts.length): Node | 'ENOENT' | 'ENOTDIR' {
    let node: Node = this.#root;
    for (let at = 0; at < length; at++) {
      if (node.kind !== 'folder') return 'ENOTDIR';
      const part = parts[at] ?? '';
      const next: Node | undefined = part === '' ? node : node.names.get(part);
      if (next === undefined) return 'ENOENT';
      node = next;
    }
    return node;
  }

  #need(path: Path, call: string): Node {
    const node = this.#walk(partsOf(path));
    if (typeof node === 'string') throw systemError(node, call, path);
    return node;
  }

  #folder(path: Path): Folder {
    const node = this.#need(path, 'scandir');
    if (node.kind !== 'folder') throw systemError('ENOTDIR', 'scandir', path);
    return node;
  }

  #place(path: Path): { folder: Folder; name: string } {
    const parts = partsOf(path);
    const folder = this.#walk(parts, parts.length - 1);
    if (typeof folder === 'string') throw systemError(folder, 'scandir', path);
    if (folder.kind !== 'folder') throw systemError('ENOTDIR', 'scandir', path);
    return { folder, name: parts.at(-1) ?? '' };
  }

  #handle(handle: number): { readonly file: File; readonly append: boolean; offset: number } {
    const open = this.#handles.get(handle);
    if (open === undefined) throw systemError('EBADF', 'fstat', '');
    return open;
  }

  #tick(): bigint {
    this.#time += 1_000n;
    return this.#time;
  }
}

/** A file's content after a power failure: each unsynced change was applied, lost, cut short or garbled. */
function survivorOf(file: File, random: Random): Buffer {
  let bytes = file.synced;
  for (const change of file.pending) {
    const fate = random.below(4);
    if (fate === 0) continue;
    if (change.kind === 'truncate' || fate === 1) bytes = applyChange(bytes, change);
    else if (fate === 2)
      bytes = applyChange(bytes, { ...change, bytes: change.bytes.subarray(0, random.below(change.bytes.length + 1)) });
    else bytes = applyChange(bytes, { ...change, bytes: garbled(change.bytes, random) });
  }
  return bytes;
}

/** With zeros to the end, or with a few wrong bytes. */
function garbled(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  if (copy.length === 0) return copy;
  if (random.below(2) === 0) return copy.fill(0, random.below(copy.length));
  for (let count = 1 + random.below(4); count > 0; count--) copy[random.below(copy.length)] = random.below(256);
  return copy;
}

function applyChange(bytes: Buffer, change: FileChange): Buffer {
  if (change.kind === 'truncate') {
    if (change.size <= bytes.length) return Buffer.from(bytes.subarray(0, change.size));
    return Buffer.concat([bytes, Buffer.alloc(change.size - bytes.length)]);
  }
  const end = change.offset + change.bytes.length;
  const result = Buffer.alloc(Math.max(end, bytes.length));
  bytes.copy(result);
  result.set(change.bytes, change.offset);
  return result;
}

/** Whether a later change that becomes durable has one of the same names. */
function isNeededBy(taken: ReadonlySet<NameChange>, change: NameChange): boolean {
  for (const later of taken) if (change.some((one) => later.some((two) => isSameName(one, two)))) return true;
  return false;
}

function isSameName(one: NameChange[number], other: NameChange[number]): boolean {
  return one.folder === other.folder && one.name === other.name;
}

function applyNames(change: NameChange, which: 'names' | 'synced'): void {
  for (const { folder, name, node } of change) {
    if (node === undefined) folder[which].delete(name);
    else folder[which].set(name, node);
  }
}

function factsOf(node: Node): FileFacts {
  return {
    kind: node.kind,
    inode: node.inode,
    size: node.kind === 'file' ? node.bytes.length : 0,
    modified: node.modified,
    changed: node.changed,
    born: node.born,
    links: node.kind === 'file' ? node.links : 1,
    owner: OWNER,
    mode: 0o644,
  };
}

const OWNER = process.geteuid?.() ?? 0;

/** The parts of known paths: the same few paths are looked up by the million. */
const KNOWN_PATHS = new Map<string, readonly string[]>();
const MOST_KNOWN_PATHS = 10_000;

function partsOf(path: Path): readonly string[] {
  if (typeof path !== 'string') return split(path.toString('latin1'));
  const known = KNOWN_PATHS.get(path);
  if (known !== undefined) return known;
  const parts = split(key(path));
  if (KNOWN_PATHS.size < MOST_KNOWN_PATHS) KNOWN_PATHS.set(path, parts);
  return parts;
}

/** The parts after the leading slash; an empty part is the folder before it. */
function split(text: string): readonly string[] {
  return text.slice(1).split('/');
}

function isInside(inner: Path, outer: Path): boolean {
  const [within, around] = [partsOf(inner), partsOf(outer)];
  return within.length > around.length && around.every((part, at) => part === within[at]);
}

/** Names are bytes; latin1 keeps every byte as one character. */
function key(path: Path): string {
  if (typeof path === 'string' && ASCII.test(path)) return path;
  return (typeof path === 'string' ? Buffer.from(path, 'utf8') : path).toString('latin1');
}

const ASCII = /^[\x20-\x7e]*$/;

export function systemError(code: string, call: string, path: Path): Error {
  const errno = -((constants.errno as Readonly<Record<string, number>>)[code] ?? 0);
  return Object.assign(new Error(`${code}: ${call} '${key(path)}'`), { code, errno, syscall: call });
}
