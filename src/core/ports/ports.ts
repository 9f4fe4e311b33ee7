// What the core and the engine need from outside. Each comment is a promise that test/contracts holds every implementation to.

import type { PlanFile } from '../../plan/name.ts';
import type { Outline } from '../../plan/outline.ts';
import type { Problem } from '../../plan/plan.ts';
import type { Sight } from '../model/activity.ts';
import type { Decision } from '../model/decision.ts';
import type { Event, SessionNews, Signal, UnreadableSignal } from '../model/event.ts';
import type { JournalRecord } from '../model/record.ts';
import type { Refused } from '../model/refusal.ts';
import type { SessionEntry } from '../model/session.ts';
import type { World } from '../model/world.ts';
import type { HostedSession, HostName } from './host.ts';

/** Time. Order never comes from it; sequence numbers give that. */
export interface Clock {
  now(): Date;
  /** Milliseconds that only ever grow, for deadlines and waiting. */
  elapsed(): number;
}

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device';
  readonly inode: bigint;
  readonly size: number;
  readonly modified: bigint;
  readonly changed: bigint;
  /** When it was made; where the file system does not tell, when it was last changed. */
  readonly born: bigint;
  readonly links: number;
  readonly owner: number;
  readonly mode: number;
}

/** Names from a folder are bytes: a name need not be UTF-8. */
export type Path = string | Buffer;

/**
 * Files, one system call a method, synchronous, so that nothing happens between two of them.
 * Errors are Node's own, with their `code`. What is written is durable only after `sync` (and, for names, `syncFolder`).
 */
export interface Disk {
  facts(path: Path): FileFacts | undefined;
  factsOf(file: number): FileFacts;
  list(folder: string): readonly Buffer[];
  /** One folder, whose parent must be there. Does nothing when the folder is there. */
  makeFolder(folder: string, mode: number): void;
  /**
   * `read` follows no link and never blocks; `append` creates; `write` creates or empties; `overwrite` creates, and writes
   * from the start over what is there.
   */
  open(path: Path, mode: 'read' | 'append' | 'write' | 'overwrite'): number;
  close(file: number): void;
  /** At most `length` bytes from `offset`; fewer only at the end of the file. */
  read(file: number, offset: number, length: number): Buffer;
  /** Returns how many bytes were written, which may be fewer than given. */
  write(file: number, bytes: Uint8Array): number;
  truncate(file: number, size: number): void;
  sync(file: number): void;
  syncFolder(folder: string): void;
  rename(from: Path, to: Path): void;
  remove(path: Path): void;
}

export interface LockHolder {
  readonly pid: number;
  readonly command: string;
}

export interface HeldLock {
  /** Whether the file under this lock's name is still the one that is locked. */
  stillOurs(): boolean;
  release(): void;
}

/** flock(2). No lock, no write: there is no answer that means "go on without". */
export interface Locks {
  /** Waits up to `patience` milliseconds, then fails with a sentence that names the holder. */
  take(path: string, patience: number): Promise<HeldLock>;
  /** The lock at once, or nothing when someone else has it. */
  tryTake(path: string): Promise<HeldLock | undefined>;
  /** Which process of cadre's holds it now, looking only. */
  holder(path: string): LockHolder | undefined;
}

/** How far a reader of the journal has come: `seq` was the last record, the next would stand at `offset` of `segment`. */
export interface Position {
  readonly seq: number;
  /** The first sequence number of the segment, which is also its name. Zero before there is any. */
  readonly segment: number;
  readonly offset: number;
  /** Tells a segment from another file that took its place. */
  readonly inode: bigint;
}

export const START: Position = { seq: 0, segment: 0, offset: 0, inode: 0n };

export interface Reading {
  readonly records: readonly JournalRecord[];
  readonly position: Position;
  /** Bytes at the very end that are no record: being written by another process now, or left by one that died. */
  readonly torn: number;
}

/** The truth. Everything but `read` is called only under the journal's lock. */
export interface JournalStore {
  /** Everything after `position`. Fails with a sentence on damage; never skips. */
  read(position: Position): Reading;
  /** Appends the records as one commit. When it returns they are durable; when it fails none of them is, or nothing more is written. */
  append(position: Position, records: readonly JournalRecord[]): Position;
  /** Makes durable what was read up to here, whoever wrote it. */
  confirm(position: Position): void;
  /** Starts a new segment if the present one has grown large. */
  rotate(position: Position): Position;
  /** Keeps a copy of the torn end, whose path it returns, and cuts it off. */
  repair(position: Position, torn: number): string;
}

/** A folded world beside the journal, so that starting is quick. Losing it loses nothing. */
export interface Checkpoints {
  load(): { readonly world: World; readonly position: Position } | undefined;
  save(world: World, position: Position): void;
}

export interface PlanStateText {
  readonly text: string;
  /** It is, byte for byte, what cadre wrote last (or was about to write when it was stopped). */
  readonly ours: boolean;
}

/** plan-state.json. Written only under its lock. */
export interface PlanStateStore {
  readonly path: string;
  read(): PlanStateText | undefined;
  /** Whether cadre has ever written it for this repository, so that the journal knows all it held. */
  everWritten(): boolean;
  /** The file for the world after record `seq`. */
  write(text: string, seq: number): void;
  /** The last `seq` that was given to `write`, in this or an earlier process; 0 where that is not known. */
  writtenUpTo(): number;
  /** Whether someone wrote it a moment ago and may not be through with it. */
  isFresh(): boolean;
  /** Puts the file under another name beside it, which it returns. */
  setAside(): string;
}

/** ~/.cadre/state.json: the plans and tasks of every repository. Entries of other repositories stay as they are. */
export interface Overview {
  update(world: World): Promise<void>;
}

export type PlanReading =
  | { readonly kind: 'read'; readonly outline: Outline; readonly problems: readonly Problem[] }
  /** There is a file, but its tasks may be other than its author means: nothing follows from it. */
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }
  | { readonly kind: 'missing' }
  /** It is, byte for byte, the file that the tasks were read from last. */
  | { readonly kind: 'known' };

/** The plans in docs/plans, which cadre only ever reads. */
export interface PlanFiles {
  /** The plans in the folder, the one that was changed last first. */
  list(): readonly PlanFile[];
  /** `known`: what stands for the text that was read last; where the file still is that, it is not taken apart again. */
  read(plan: PlanFile, known?: string): PlanReading;
  /**
   * What stands in those of these plans whose files have changed since they were `taken`, as far as nobody is writing them
   * now; and when to look again for one that someone is.
   */
  changed(plans: Iterable<PlanFile>): {
    readonly readings: readonly { readonly plan: PlanFile; readonly reading: PlanReading }[];
    readonly lookAgainIn: number | undefined;
  };
  /** What was read has been dealt with. */
  taken(plan: PlanFile): void;
  readonly folder: string;
}

/** Where signals lie: the boxes of sessions and the folders of sentinels. */
export interface Inbox {
  /** What can be taken now, oldest first, and when to look again for what is still being written. */
  scan(limit: number): Scan;
  /** Removes a signal that was committed. One whose body has changed since it was read stays. */
  remove(seen: Seen): void;
  /** How many files lie there to be taken. */
  waiting(): number;
  /** The folders in which a signal may appear, made if they should be there and are not. */
  folders(): readonly string[];
}

/** Refused signals: their original bytes, and the reason beside them. Whatever was done before is not done again. */
export interface Quarantine {
  /** Moves a refused signal aside. */
  keep(refused: Refused): void;
  /** The original's first bytes, as far as it is a file. */
  show(refused: Refused): Buffer | undefined;
  /** Puts the signal back where it came from; a message is stamped with the number at which its plan entered its state. */
  putBack(refused: Refused, entered: number): void;
  /** Deletes original and reason. */
  discard(refused: Refused): void;
}

export interface Seen {
  readonly event:
    | { readonly kind: 'signal'; readonly signal: Signal }
    | { readonly kind: 'unreadable-signal'; readonly signal: UnreadableSignal };
  readonly facts: FileFacts;
}

export interface Scan {
  readonly seen: readonly Seen[];
  /** Milliseconds until a sentinel with a body may have come to rest; undefined when none is growing. */
  readonly lookAgainIn: number | undefined;
  readonly more: boolean;
}

/** Agent programs in their terminals and worktrees. Whatever was done before is not done again. */
export interface Sessions {
  /**
   * Makes the worktree, starts the program in its place, and tells whether it is up. The program is told the how-manieth
   * of its kind it is.
   */
  start(entry: SessionEntry, prompt: string, resume: boolean, attempt: number): Promise<SessionNews>;
  stop(session: HostName): Promise<void>;
  /** Stops it, commits what it left to its branch, and gives the worktree back. Nothing is lost. */
  pause(entry: SessionEntry): Promise<void>;
  /**
   * `id` tells this text from the same one sent once more. A text is never handed over twice, and never while the program asks
   * something: Enter would be the answer.
   */
  send(entry: SessionEntry, text: string, id: string): Promise<SessionNews>;
  /** How those are that are, or were, in a terminal of this repository, and when they last wrote something. */
  list(): Promise<readonly HostedSession[]>;
  /** The same, and for those of these that run, what can be seen of what they do. */
  look(entries: readonly SessionEntry[]): Promise<readonly (HostedSession & { readonly sight?: Sight })[]>;
  screen(session: HostName): Promise<string>;
  /** The folder in which it works, as long as there is one. */
  worktreeOf(entry: SessionEntry): string | undefined;
  /** Calls back when something has become of a session; `list` tells what. */
  watch(changed: () => void): { close(): void };
  /** The program that shows the session in a person's terminal, or nothing where it has none. */
  attach(session: HostName): readonly string[] | undefined;
  /** Removes what is left of sessions that were stopped and are none of these. */
  tidy(known: ReadonlySet<HostName>): void;
  close(): void;
}

/** Worktrees, one for each place in which sessions follow one another. */
export interface Workspaces {
  /** The worktree of the place, on the branch, made from the commit where there is none. One that is there is left as it is. */
  ensure(place: HostName, branch: string, from: string): string;
  /** Commits everything in it to its branch and gives it back; one with files that git does not keep stays. */
  release(place: HostName, branch: string, message: string): void;
  /** Where the worktree of the place is, if there is one. */
  find(place: HostName): string | undefined;
}

/** Brings sentences before a person. */
export interface Notify {
  /** A step that waits for them, or an end that was reached. */
  tell(text: string): void;
  /** Something that stands in the way. */
  warn(text: string): void;
}

/** Calls back with what changed in the folders, soon but not surely; the rescan is the truth. */
export interface Watcher {
  /** The folders to watch from now on. */
  follow(folders: readonly string[]): void;
  close(): void;
}

export interface Submission {
  /** One answer an event, in the order of the events. */
  readonly answers: readonly Decision[];
  /** What a person should know besides: what was repaired, imported, or could not be written. */
  readonly notes: readonly string[];
}

/** The one way to change anything. Contract: when it answers, every record of the answers is durable. */
export interface Gateway {
  /** The overview of all repositories is brought up to date at once, or, by whoever settles soon, then. */
  submit(events: readonly Event[], overview?: 'at once' | 'then'): Promise<Submission>;
  /** The world as it stands on disk, read without a lock and without changing anything. */
  look(): World;
  /** The same for whoever acts upon it: nothing of it can be lost any more, also not by a power failure. */
  confirmed(): World;
  /** Brings journal and plan-state.json together if they have come apart. Returns what a person should know of it. */
  settle(): Promise<readonly string[]>;
  /** Makes plan-state.json anew from the journal. Returns the name under which an unreadable one was kept. */
  rebuildPlanState(): Promise<string | undefined>;
}
