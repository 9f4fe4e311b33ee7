// The one way to change anything: lock, read what others wrote, decide, append, sync, project, unlock.

import { unrecordedEdits } from '../core/files/plan-state.ts';
import { fold } from '../core/journal/fold.ts';
import { gapBefore } from '../core/model/deadlines.ts';
import type { Event } from '../core/model/event.ts';
import { diskFailure, explained, Failure, systemCode } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import { EMPTY_WORLD, type World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { CommandGateway, Submission } from '../core/ports/gateway.ts';
import type { Heartbeat } from '../core/ports/heartbeat.ts';
import { type Checkpoint, type Checkpoints, type Found, type Journal, START } from '../core/ports/journal.ts';
import type { Overview } from '../core/ports/plan-state.ts';
import { decideAll, decideTogether } from '../core/rules/decide.ts';
import type { FileLock, PlanStateFound, PlanStateProjection } from './projection.ts';

/** How long a step waits for its locks before it fails and names the holder. */
export const PATIENCE = 10_000;

/** A step waits at least this long for the journal's lock, even if the lock of plan-state.json took all its patience. */
const LEAST_PATIENCE = 1_000;

export interface GatewayPorts {
  readonly journal: Journal;
  readonly checkpoints: Checkpoints;
  /** Named in messages about the disk that do not know a more specific path. */
  readonly folder: string;
  readonly planState: PlanStateProjection;
  readonly overview: Overview;
  readonly clock: Clock;
  readonly heartbeat: Pick<Heartbeat, 'last'>;
  /** Creates the folders and git ignore entries that everything else relies on. */
  readonly prepare: () => void;
}

export function openGateway(ports: GatewayPorts): CommandGateway {
  return new JournalGateway(ports);
}

class JournalGateway implements CommandGateway {
  readonly #ports: GatewayPorts;
  /** The world as far as this process has read. Dropped after a failure, so that the journal is read again. */
  #known: Checkpoint | undefined;
  #prepared = false;
  #overviewIsDue = false;
  /** The last record that a checkpoint is known to include. */
  #checkpointed = 0;
  /** Submissions of one process take turns here rather than at the lock. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  submit(events: readonly Event[], overview: 'at once' | 'then' = 'at once'): Promise<Submission> {
    return this.#inTurn(() => this.#step({ events, decide: decideAll }, overview));
  }

  async attempt(events: readonly Event[]): Promise<Submission> {
    const { decisions } = decideTogether(await this.look(), events, this.#ports.clock.now());
    if (decisions.some(({ kind }) => kind === 'refused')) return { answers: decisions, notes: [] };
    // Decided again under the lock: the world may have changed since.
    return this.#inTurn(() => this.#step({ events, decide: decideTogether }, 'at once'));
  }

  #inTurn(step: () => Promise<Submission>): Promise<Submission> {
    const mine = this.#turn.then(() => this.#explained(step));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  look(): Promise<World> {
    return this.#explained(async () => this.#withUnrecorded((await this.#follow('read')).world));
  }

  confirmed(): Promise<World> {
    return this.#explained(async () => this.#withUnrecorded((await this.#follow('readDurable')).world));
  }

  settle(): Promise<readonly string[]> {
    const { planState } = this.#ports;
    return this.#explained(async () => {
      const { world } = await this.#follow('read');
      const notes = this.#overviewIsDue ? await this.#updateOverview(world) : [];
      const problem = planState.problem();
      if (problem !== undefined) return [...notes, problem];
      const agrees = planState.agreesWith((await this.#follow('read')).world);
      return agrees ? notes : [...notes, ...(await this.submit([])).notes];
    });
  }

  async rebuildPlanState(): Promise<string | undefined> {
    const { journal, planState } = this.#ports;
    const fileLock = await planState.lock(PATIENCE);
    if (fileLock.kind === 'not-held') throw new Failure('person', 'locked', fileLock.why);
    try {
      return await this.#explained(async () => {
        const known = await this.#follow('read');
        const foundOnly = ({ records }: Found) => ({ records: [], world: folded(known.world, records) });
        const { decided } = await journal.transact(known.cursor, foundOnly, PATIENCE);
        return explained('write', planState.path, () => planState.rebuild(decided.world));
      });
    } finally {
      fileLock.lock.release();
    }
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskFailure(error, 'work in', this.#ports.folder);
    }
  }

  async #step(request: StepRequest, overview: 'at once' | 'then'): Promise<Submission> {
    const { answers, notes, records, world } = await this.#underLocks(request);
    if (records.some(changesOverview) || request.events.some((event) => event.kind === 'read'))
      this.#overviewIsDue = true;
    // Derived and shared by all repositories, so it is written without the locks of this one.
    const isWanted = this.#overviewIsDue && overview === 'at once';
    return { answers, notes: [...notes, ...(isWanted ? await this.#updateOverview(world) : [])] };
  }

  async #underLocks(request: StepRequest): Promise<Transacted> {
    const { clock, planState } = this.#ports;
    if (!this.#prepared) this.#ports.prepare();
    this.#prepared = true;
    const started = clock.elapsed();
    // The lock of plan-state.json first: another program may hold it for long, and meanwhile the journal is free.
    const fileLock = await planState.lock(PATIENCE);
    try {
      const left = Math.max(PATIENCE - (clock.elapsed() - started), LEAST_PATIENCE);
      return await this.#transact(request, fileLock, left);
    } catch (error) {
      this.#known = undefined;
      throw error;
    } finally {
      if (fileLock.kind === 'held') fileLock.lock.release();
    }
  }

  async #transact(request: StepRequest, fileLock: FileLock, patience: number): Promise<Transacted> {
    const { journal, planState } = this.#ports;
    const before = this.#known ?? (await this.#follow('read'));
    const decide = (found: Found) => this.#decide(before.world, found, request);
    const { decided, cursor, checkpointDue } = await journal.transact(before.cursor, decide, patience);
    const { world, file, records } = decided;
    this.#known = { world, cursor };
    // Only a process with the lock of the file writes it, so a commit of another process in between does no harm.
    const notes = [...decided.notes, ...planState.write(world, file, fileLock, records)];
    if (checkpointDue || isCheckpointDue(world, this.#checkpointed)) await this.#saveCheckpoint({ world, cursor });
    return { answers: decided.answers, notes, records, world };
  }

  /** Runs under the journal's lock. Gaps, repairs and edits of plan-state.json are recorded before the events. */
  #decide(known: World, found: Found, { events, decide }: StepRequest): Decided {
    const now = this.#ports.clock.now();
    const world = folded(known, found.records);
    const file = this.#ports.planState.read();
    const repairs = found.repairs.map((repair) => ({ kind: 'journal-repaired' as const, ...repair }));
    const edits = file.kind === 'good' && !file.ours ? unrecordedEdits(world, file.file) : [];
    const automatic = decideAll(world, [...this.#gap(world, now), ...repairs, ...edits], now);
    const requested = decide(automatic.world, events, now);
    return {
      file,
      answers: requested.decisions,
      notes: notesOn(automatic.records),
      records: [...automatic.records, ...requested.records],
      world: requested.world,
    };
  }

  /** Reads on from what this process knows, or from the last checkpoint. Looks may overlap with each other and with a step. */
  async #follow(read: 'read' | 'readDurable'): Promise<Checkpoint> {
    const { journal, checkpoints, planState, folder } = this.#ports;
    const before = this.#known;
    // Before the journal: a process that commits in between would otherwise make the journal look too short.
    const written = before === undefined ? planState.writtenUpTo() : 0;
    const from = before ?? (await checkpoints.load()) ?? { world: EMPTY_WORLD, cursor: START };
    if (before === undefined) this.#checkpointed = from.world.seq;
    const { records, cursor } = await journal[read](from.cursor);
    const known = { world: folded(from.world, records), cursor };
    // A journal that was lost or restored between two runs looks complete; the mark shows how far it had got.
    if (written > known.world.seq) throw recordsMissing(folder, known.world.seq, written);
    // Keep the result of a step that committed meanwhile, and let one that failed have the journal read again.
    if (this.#known === before) this.#known = known;
    return known;
  }

  /** The world with what no step has recorded yet: edits of plan-state.json, and time in which no engine was awake. */
  #withUnrecorded(world: World): World {
    const now = this.#ports.clock.now();
    const gap = this.#gap(world, now);
    // A gap is no step that anybody could wait for, so the number of the last record stays.
    const awake = gap.length === 0 ? world : { ...decideAll(world, gap, now).world, seq: world.seq };
    const file = this.#ports.planState.look();
    return file === undefined ? awake : decideAll(awake, unrecordedEdits(awake, file), now).world;
  }

  #gap(world: World, now: Date): readonly Event[] {
    return gapBefore(world, this.#ports.heartbeat.last(), now);
  }

  async #updateOverview(world: World): Promise<readonly string[]> {
    this.#overviewIsDue = false;
    try {
      await this.#ports.overview.update(world);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [`${error.message} It will be updated with the next change of a plan.`];
    }
  }

  /** A checkpoint only saves time, so failing to write one does not fail the step. */
  async #saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
    this.#checkpointed = checkpoint.world.seq;
    try {
      await this.#ports.checkpoints.save(checkpoint);
    } catch (error) {
      if (!(error instanceof Failure) && systemCode(error) === undefined) throw error;
    }
  }
}

interface StepRequest {
  readonly events: readonly Event[];
  readonly decide: typeof decideAll;
}

interface Transacted extends Submission {
  readonly records: readonly JournalRecord[];
  readonly world: World;
}

interface Decided extends Transacted {
  /** plan-state.json as it was when the step was decided. */
  readonly file: PlanStateFound;
}

/**
 * Every command reads the records after the last checkpoint, so they are kept few; a checkpoint holds every plan, so the more
 * plans there are, the rarer it is.
 */
function isCheckpointDue({ seq, plans, sessions }: World, checkpointed: number): boolean {
  return seq - checkpointed > LEAST_RECORDS + (plans.size + sessions.size) / ENTRIES_PER_RECORD;
}

const LEAST_RECORDS = 64;
/** How many plans and sessions are written in about the time in which one record is read and folded. */
const ENTRIES_PER_RECORD = 10;

/** Returns the same object if there are no records. */
function folded(world: World, records: readonly JournalRecord[]): World {
  return records.length === 0 ? world : fold(world, records);
}

/** The overview has plans, tasks and the progress of tasks, but not the statuses of plans. */
function changesOverview(record: JournalRecord): boolean {
  return OVERVIEW_EVENTS.has(record.event) || record.moves.some((move) => move.machine === 'task');
}

const OVERVIEW_EVENTS: ReadonlySet<string> = new Set(['register', 'import', 'plan_read', 'choose']);

/** Names a few imports, counts many. */
function notesOn(records: readonly JournalRecord[]): readonly string[] {
  const imports = records.filter((record) => record.event === 'import').length;
  if (imports <= MOST_NAMED_IMPORTS) return records.flatMap(noteOf);
  const others = records.filter((record) => record.event !== 'import');
  return [`${imports} plans were imported from plan-state.json.`, ...others.flatMap(noteOf)];
}

const MOST_NAMED_IMPORTS = 3;

function noteOf(record: JournalRecord): readonly string[] {
  switch (record.event) {
    case 'journal_repaired':
      return [
        `The journal ended in ${record.bytes} bytes that are not a record, left by a process that was stopped while writing. They were moved to ${record.copy}.`,
      ];
    case 'import':
      return [`${record.plan} was imported from plan-state.json.`];
    case 'plan_state_differs':
      return [
        `plan-state.json says that ${record.plan} is ${record.fileStatus}, but the journal says otherwise. The journal takes precedence unless you adopt the status in the file.`,
      ];
    default:
      return [];
  }
}

function recordsMissing(folder: string, present: number, written: number): Failure {
  return new Failure(
    'person',
    'journal-behind',
    `The journal in ${folder} ends with record ${present}, but record ${written} was written: the journal was deleted or restored from an older copy. Nothing was changed. Put the newer journal back, or move ${folder} away to start again from plan-state.json.`,
  );
}
