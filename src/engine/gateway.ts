// The one way to change anything: lock, read what others wrote, decide, append, sync, project, unlock.

import { newsOf } from '../core/files/plan-state.ts';
import { fold } from '../core/journal/fold.ts';
import type { Event } from '../core/model/event.ts';
import { diskFailure, explained, Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import { EMPTY_WORLD, type World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Gateway, Submission } from '../core/ports/gateway.ts';
import { type Checkpoints, type JournalStore, type Position, START } from '../core/ports/journal.ts';
import type { HeldLock, Locks } from '../core/ports/locks.ts';
import type { Overview } from '../core/ports/plan-state.ts';
import { decideAll } from '../core/rules/decide.ts';
import type { FileLock, PlanStateProjection } from './projection.ts';

/** How long anyone waits for a lock before its holder is named. */
export const PATIENCE = 10_000;

export interface GatewayPorts {
  readonly journal: JournalStore;
  readonly checkpoints: Checkpoints;
  readonly locks: Locks;
  readonly journalLock: string;
  /** The folder that sentences about the disk name when no nearer one is known. */
  readonly folder: string;
  readonly planState: PlanStateProjection;
  readonly overview: Overview;
  readonly clock: Clock;
  /** Makes the folders and git's ignore entries that everything else takes for granted. */
  readonly prepare: () => void;
}

export function openGateway(ports: GatewayPorts): Gateway {
  return new JournalGateway(ports);
}

interface Known {
  readonly world: World;
  readonly position: Position;
}

class JournalGateway implements Gateway {
  readonly #ports: GatewayPorts;
  /** What this process has read so far; dropped after a failure, so that the disk is asked again. */
  #known: Known | undefined;
  /** The last record that this process knows to be on the disk. */
  #durable = 0;
  #prepared = false;
  #overviewIsDue = false;
  /** What was repaired and could not be recorded yet. */
  #repairs: readonly Event[] = [];
  /** Submissions of one process take turns here rather than at the lock. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  submit(events: readonly Event[], overview: 'at once' | 'then' = 'at once'): Promise<Submission> {
    const mine = this.#turn.then(() => this.#step(events, overview)).catch((error) => this.#explain(error));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  look(): World {
    return explained('work in', this.#ports.folder, () => {
      const now = this.#follow();
      const file = this.#ports.planState.look();
      return file === undefined ? now : decideAll(now, newsOf(now, file), this.#ports.clock.now()).world;
    });
  }

  confirmed(): World {
    const world = this.look();
    const { position } = this.#known ?? {};
    if (position !== undefined) explained('work in', this.#ports.folder, () => this.#confirm(position));
    return world;
  }

  async settle(): Promise<readonly string[]> {
    const { planState, folder } = this.#ports;
    const world = explained('work in', folder, () => this.#follow());
    const notes = this.#overviewIsDue ? await this.#updateOverview(world) : [];
    const problem = explained('work in', folder, () => planState.problem());
    if (problem !== undefined) return [...notes, problem];
    const agrees = explained('work in', folder, () => planState.agreesWith(this.#follow()));
    return agrees ? notes : [...notes, ...(await this.submit([])).notes];
  }

  async rebuildPlanState(): Promise<string | undefined> {
    const { locks, planState, journalLock } = this.#ports;
    const fileLock = await planState.lock(PATIENCE);
    if (fileLock.kind === 'not-held') throw new Failure('person', 'locked', fileLock.why);
    try {
      const lock = await locks.take(journalLock, PATIENCE);
      try {
        return explained('write', planState.path, () => planState.rebuild(this.#catchUp().world));
      } finally {
        lock.release();
      }
    } finally {
      fileLock.lock.release();
    }
  }

  #explain(error: unknown): never {
    throw diskFailure(error, 'work in', this.#ports.folder);
  }

  async #step(events: readonly Event[], overview: 'at once' | 'then'): Promise<Submission> {
    const { answers, notes, records, world } = await this.#underLocks(events);
    if (records.some(changesOverview) || events.some((event) => event.kind === 'read')) this.#overviewIsDue = true;
    // Derived, shared by all repositories, and in nobody's way: so without the locks of this one.
    const isWanted = this.#overviewIsDue && overview === 'at once';
    return { answers, notes: [...notes, ...(isWanted ? await this.#updateOverview(world) : [])] };
  }

  async #underLocks(events: readonly Event[]): Promise<Transacted> {
    const { clock, locks, planState, journalLock } = this.#ports;
    if (!this.#prepared) this.#ports.prepare();
    this.#prepared = true;
    const started = clock.elapsed();
    // The lock of plan-state.json first: whoever else holds it may keep us waiting, and meanwhile the journal is free.
    const fileLock = await planState.lock(PATIENCE);
    try {
      const left = Math.max(PATIENCE - (clock.elapsed() - started), 1_000);
      const lock = await locks.take(journalLock, left);
      try {
        return this.#transact(events, lock, fileLock);
      } catch (error) {
        this.#known = undefined;
        throw error;
      } finally {
        lock.release();
      }
    } finally {
      if (fileLock.kind === 'held') fileLock.lock.release();
    }
  }

  #transact(events: readonly Event[], lock: HeldLock, fileLock: FileLock): Transacted {
    const { planState, clock } = this.#ports;
    const { world, position } = this.#catchUp();
    const now = clock.now();
    const file = planState.read();
    const news = file.kind === 'good' && !file.ours ? newsOf(world, file.file) : [];
    const unasked = decideAll(world, [...this.#repairs, ...news], now);
    const asked = decideAll(unasked.world, events, now);
    const records = [...unasked.records, ...asked.records];
    if (!lock.stillOurs()) throw lockGone();
    const after = this.#ports.journal.append(position, records);
    this.#repairs = [];
    this.#durable = after.seq;
    this.#known = { world: asked.world, position: after };
    const notes = [...notesOn(unasked.records), ...planState.write(asked.world, file, fileLock, records)];
    this.#checkpoint();
    return { answers: asked.decisions, notes, records, world: asked.world };
  }

  /** Reads what others appended, without the lock: bytes at the end that are no record may yet become one. */
  #follow(): World {
    const { world, position } = this.#known ?? this.#load();
    const reading = this.#ports.journal.read(position);
    const now = reading.records.length === 0 ? world : fold(world, reading.records);
    this.#requireWhole({ world: now, position: reading.position });
    this.#known = { world: now, position: reading.position };
    return now;
  }

  /** Reads what others appended; the lock is held, so bytes that are no record were left by one that died. */
  #catchUp(): Known {
    const { journal } = this.#ports;
    const { world, position } = this.#known ?? this.#load();
    const reading = journal.read(position);
    const now = reading.records.length === 0 ? world : fold(world, reading.records);
    const known = { world: now, position: reading.position };
    this.#requireWhole(known);
    this.#confirm(reading.position);
    if (reading.torn > 0) {
      const copy = journal.repair(reading.position, reading.torn);
      this.#repairs = [...this.#repairs, { kind: 'journal-repaired', bytes: reading.torn, copy }];
    }
    return known;
  }

  /** Nothing is built on a record that could still be lost, because whoever wrote it was killed before the sync. */
  #confirm(position: Position): void {
    if (position.seq <= this.#durable) return;
    this.#ports.journal.confirm(position);
    this.#durable = position.seq;
  }

  /** A journal that was lost or restored between two runs looks whole; what was written from it knows better. */
  #requireWhole({ position }: Known): void {
    const written = this.#known === undefined ? this.#ports.planState.writtenUpTo() : 0;
    if (written > position.seq) throw recordsMissing(this.#ports.folder, position.seq, written);
  }

  #load(): Known {
    return this.#ports.checkpoints.load() ?? { world: EMPTY_WORLD, position: START };
  }

  async #updateOverview(world: World): Promise<readonly string[]> {
    this.#overviewIsDue = false;
    try {
      await this.#ports.overview.update(world);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [`${error.message} It will be brought up to date with the next change of a plan.`];
    }
  }

  /** A checkpoint saves time and nothing else, so a failure to write one is no failure of the step. */
  #checkpoint(): void {
    const known = this.#known;
    if (known === undefined) return;
    try {
      const position = this.#ports.journal.rotate(known.position);
      if (position === known.position) return;
      this.#known = { ...known, position };
      this.#ports.checkpoints.save(known.world, position);
    } catch {
      this.#known = undefined;
    }
  }
}

/** Statuses of plans are not in it; which plans and tasks there are, and how far these have come, is. */
function changesOverview(record: JournalRecord): boolean {
  return OVERVIEW_EVENTS.has(record.event) || record.moves.some((move) => move.machine === 'task');
}

const OVERVIEW_EVENTS: ReadonlySet<string> = new Set(['register', 'import', 'plan_read', 'choose']);

interface Transacted extends Submission {
  readonly records: readonly JournalRecord[];
  readonly world: World;
}

/** A few imports are named, many are counted. */
function notesOn(records: readonly JournalRecord[]): readonly string[] {
  const imports = records.filter((record) => record.event === 'import').length;
  if (imports <= MOST_NAMED) return records.flatMap(noteOf);
  const others = records.filter((record) => record.event !== 'import');
  return [`${imports} plans were imported from plan-state.json.`, ...others.flatMap(noteOf)];
}

const MOST_NAMED = 3;

function noteOf(record: JournalRecord): readonly string[] {
  switch (record.event) {
    case 'journal_repaired':
      return [
        `The journal ended in ${record.bytes} bytes that are no record, left by a process that was stopped while writing. They are kept in ${record.copy}.`,
      ];
    case 'import':
      return [`${record.plan} was imported from plan-state.json.`];
    case 'plan_state_differs':
      return [
        `plan-state.json says that ${record.plan} is ${record.fileStatus}; the journal says otherwise and holds. "cadre adopt ${record.plan}" takes the file's side.`,
      ];
    default:
      return [];
  }
}

function recordsMissing(folder: string, present: number, written: number): Failure {
  return new Failure(
    'person',
    'journal-behind',
    `The journal in ${folder} ends with record ${present}, although record ${written} had been written: it was deleted or restored from an older copy. Nothing was changed. Put the newer one back; or, to begin anew from plan-state.json, move ${folder} away.`,
  );
}

function lockGone(): Failure {
  return new Failure(
    'person',
    'lock-gone',
    'The lock of the journal was deleted while it was held. Nothing was written. Try again; if it happens again, find out what deletes files in the state folder.',
  );
}
