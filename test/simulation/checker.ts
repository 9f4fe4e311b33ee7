// The promises of the program, checked from outside after every step, no matter what was killed, lost or garbled.

import { BEGINNING, type Position, Segments } from '../../src/adapters/journal/segments.ts';
import { readPlan } from '../../src/adapters/plans/plan-files.ts';
import type { Repo } from '../../src/adapters/repo/repo.ts';
import { readWhole } from '../../src/adapters/system/files.ts';
import { readPlanStateFile } from '../../src/core/files/plan-state.ts';
import { planningFolder } from '../../src/core/files/planning-folder.ts';
import { fold } from '../../src/core/journal/fold.ts';
import type { JournalRecord, Move } from '../../src/core/model/record.ts';
import type { RefusedSignal } from '../../src/core/model/refused-signal.ts';
import type { WorkshopEntry } from '../../src/core/model/workshop/entry.ts';
import { EMPTY_WORLD, type PlanEntry, type World } from '../../src/core/model/world.ts';
import type { Disk } from '../../src/core/ports/disk.ts';
import { mayContinueAlone } from '../../src/core/views/why.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { projectPlan } from '../../src/workshop/project-plan.ts';
import { ANSWERS, FINAL_PLAN } from './simulated-planner.ts';
import type { SimulatedRuns } from './simulated-runs.ts';
import type { SimulatedSessions } from './simulated-sessions.ts';

export class Checker {
  readonly violations: string[] = [];
  readonly #disk: Disk;
  readonly #segments: Segments;
  #position: Position = BEGINNING;
  #records: JournalRecord[] = [];
  #folded: { readonly records: number; readonly world: World } | undefined;
  /** The essences of records that are in the journal, computed on demand. */
  #essences = new Map<number, string>();
  /** Records that were confirmed to somebody. */
  readonly #promised = new Map<number, string>();
  /** Messages that were confirmed to their sender as durable: their ids, and their files if known. */
  readonly #dropped = new Map<string, string | undefined>();
  readonly #states = new Map<string, string>();
  readonly #signals = new Map<string, 'accepted' | 'refused'>();
  /** Files that were refused; one that could not be read is only known by its path. */
  readonly #refusedFiles = new Set<string | undefined>();
  readonly #decided = new Set<string>();
  readonly #done = new Set<string>();
  /** What people wrote into files of workshops, or may have written. */
  readonly #edits = new Set<string>();
  readonly #drafts = new Set<string>();
  /** Those of them that were written after a plan was approved, so that they may stay in its place. */
  readonly #later = new Set<string>();
  /** meeting.jsonl of each plan, when it was last looked at. */
  readonly #meetings = new Map<string, string>();

  readonly #places: Repo;

  constructor(disk: Disk, places: Repo) {
    this.#disk = disk;
    this.#places = places;
    this.#segments = new Segments(disk, places.journal);
  }

  get accepted(): number {
    return this.#records.filter((record) => record.moves.length > 0).length;
  }

  acknowledged(records: readonly JournalRecord[]): void {
    for (const record of records) this.#promised.set(record.seq, essence(record));
  }

  dropped(id: string, path?: string): void {
    this.#dropped.set(id, path);
  }

  /** A person is about to write a file. `before`: what is there now; where that is an edit too, it is theirs to replace. */
  editing(text: string, before: string | undefined): void {
    this.#edits.delete(before ?? '');
    this.#drafts.add(text);
    for (const { status, workshop } of this.#world().plans.values())
      if (status === 'ready' && workshop !== undefined) this.#later.add(text);
  }

  edited(text: string): void {
    this.#edits.add(text);
  }

  /** The journal may have lost unconfirmed records, so it is read again. */
  afterPowerFailure(): void {
    this.#position = BEGINNING;
    this.#records = [];
    this.#folded = undefined;
    this.#essences.clear();
    for (const memory of [this.#states, this.#signals, this.#refusedFiles, this.#decided, this.#done]) memory.clear();
    // A name that was not synced may be gone, and with it what was written last.
    this.#meetings.clear();
  }

  /** Reads new records and checks them against everything known. */
  look(): void {
    const reading = this.#segments.read(this.#position);
    this.#position = reading.position;
    for (const record of reading.records) this.#check(record);
    for (const [seq, promised] of this.#promised)
      this.#require(this.#essenceOf(seq) === promised, `record ${seq} was confirmed and is missing or different`);
    this.#lookAtMeetings();
  }

  /** Nothing that was said disappears from meeting.jsonl, except while somebody's edit is in its place. */
  #lookAtMeetings(): void {
    for (const plan of this.#names(this.#places.plans)) {
      if (this.#disk.facts(`${this.#places.plans}/${plan}`)?.kind !== 'folder') continue;
      const text = this.#textAt(`${plan}/planning/meeting.jsonl`);
      if (text === undefined || this.#drafts.has(text)) continue;
      const before = this.#meetings.get(plan) ?? '';
      this.#require(text.startsWith(before), `meeting.jsonl of ${plan} has lost something that it had`);
      this.#meetings.set(plan, text);
    }
  }

  #essenceOf(seq: number): string | undefined {
    const record = this.#records[seq - 1];
    if (record !== undefined && !this.#essences.has(seq)) this.#essences.set(seq, essence(record));
    return this.#essences.get(seq);
  }

  /** The fold of all records, cached for the checks at rest. */
  #world(): World {
    if (this.#folded?.records !== this.#records.length)
      this.#folded = { records: this.#records.length, world: fold(EMPTY_WORLD, this.#records) };
    return this.#folded.world;
  }

  /** When nothing changes, nothing may be left undone. */
  atRest(): void {
    const world = this.#world();
    this.#require(world.outbox.size === 0, `effects were never acknowledged: ${[...world.outbox.keys()]}`);
    this.#require(
      this.#names(this.#places.signals).length === 0,
      `sentinels were left: ${this.#names(this.#places.signals)}`,
    );
    for (const session of this.#names(this.#places.inbox)) {
      const left = this.#names(`${this.#places.inbox}/${session}/new`);
      this.#require(left.length === 0, `messages were left: ${left}`);
    }
    for (const [id, path] of this.#dropped)
      this.#require(
        this.#signals.has(id) || this.#refusedFiles.has(path),
        `the message ${id} was confirmed, but neither accepted nor refused`,
      );
    for (const refused of world.refused.values()) this.#checkKept(refused);
    for (const entry of world.plans.values()) this.#checkTasks(entry);
    this.#checkPlanState(new Map([...world.plans].map(([plan, entry]) => [plan, entry.status])));
  }

  /** Each session is in the wanted state, and none was started twice. */
  sessionsAtRest(programs: SimulatedSessions): void {
    for (const [session, count] of programs.starts) this.#require(count === 1, `${session} was started ${count} times`);
    for (const entry of this.#world().sessions.values()) {
      const runs = programs.lifeOf(entry.id).kind === 'running';
      if (entry.wanted === 'running')
        this.#require(
          runs || entry.ended !== undefined,
          `${entry.id} should run, does not, and the journal does not know`,
        );
      else this.#require(!runs, `${entry.id} runs although it is ${entry.wanted}`);
    }
  }

  /** Every finished run was merged once, at its pinned commit, and no plan is stuck that could continue automatically. */
  runsAtRest(git: SimulatedRuns): void {
    this.#require(git.deceived.length === 0, `verified with other files than those of the commit: ${git.deceived}`);
    const world = this.#world();
    for (const entry of world.plans.values()) {
      const tip = entry.work?.tip ?? null;
      const merged = git.mergedInto(tip);
      this.#require(new Set(merged).size === merged.length, `${entry.plan} has a commit merged twice: ${merged}`);
      const done = entry.tasks.flatMap(({ run }) => (run?.state === 'DONE' ? [run.pinned] : []));
      this.#require(
        JSON.stringify([...merged].sort()) === JSON.stringify([...done].sort()),
        `${entry.plan} has merged [${merged}], but its finished runs have pinned [${done}]`,
      );
    }
    for (const record of this.#records) {
      if (record.event === 'incident')
        this.#require(git.touched.has(record.plan), `record ${record.seq} is an incident that nobody caused`);
      if (record.event === 'setup_failed')
        this.#require(record.cause?.endsWith('in time.') ?? false, `record ${record.seq}: ${record.cause}`);
    }
    for (const { plan, work, status } of world.plans.values())
      if (work?.tip != null && (status === 'implementing' || status === 'reviewing'))
        this.#require(git.tips.get(plan) === work.tip, `the branch of ${plan} is not where the journal has it`);
    for (const entry of world.plans.values())
      if (entry.work?.going && entry.status === 'implementing')
        this.#require(!mayContinueAlone(world, entry), `${entry.plan} could continue automatically and does not`);
  }

  /** Every workshop has come to the same end, its files are those of the journal, and nothing that people wrote is lost. */
  workshopsAtRest(programs: Pick<SimulatedSessions, 'prompts'>): void {
    for (const { plan, workshop, status } of this.#world().plans.values()) {
      if (workshop === undefined) continue;
      this.#require(status === 'ready', `${plan} is ${status}, and its workshop ${workshop.state}`);
      this.#require(
        JSON.stringify(workshop.document) === JSON.stringify(FINAL_PLAN),
        `the plan of ${plan} is "${workshop.document?.title}", and not the one that was worked out`,
      );
      this.#checkQuestions(plan, workshop);
      this.#checkPrompts(plan, programs);
      this.#checkArtifacts(plan, workshop);
    }
    const kept = [...this.#filesBelow('')].map(([, text]) => text);
    for (const edit of this.#edits) this.#require(kept.includes(edit), `somebody's edit is lost: ${edit}`);
  }

  #checkArtifacts(plan: string, workshop: WorkshopEntry): void {
    const { files } = planningFolder(workshop);
    const folder = `${plan.replace(/\.md$/, '')}/planning`;
    const found = this.#filesBelow(`${folder}/`);
    for (const [name, text] of files)
      this.#require(found.get(`${folder}/${name}`) === text, `${folder}/${name} is not what the journal says`);
    for (const name of found.keys())
      this.#require(
        files.has(name.slice(folder.length + 1)) || name.startsWith(`${folder}/edited/`) || /\.tmp$|~$/.test(name),
        `${name} is there, and nobody knows why`,
      );
    const published = this.#textAt(plan);
    this.#require(
      published === projectPlan(FINAL_PLAN) || this.#later.has(published ?? ''),
      `the published plan of ${plan} is not the approved one`,
    );
    const meeting = found.get(`${folder}/meeting.jsonl`) ?? '';
    const rounds = meeting
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).round);
    this.#require(
      rounds.every((one, index) => index === 0 || one >= rounds[index - 1]),
      `the rounds of ${plan} decrease: ${rounds}`,
    );
  }

  /** Each question was asked once and has the answer that a person gave. */
  #checkQuestions(plan: string, { questions, transcript }: WorkshopEntry): void {
    const asked = transcript.flatMap(({ kind, question }) => (kind === 'question' ? [question] : []));
    this.#require(new Set(asked).size === asked.length, `${plan} was asked twice: ${asked}`);
    const given = questions.map(({ id, answer = null }) => [id, answer]);
    this.#require(
      JSON.stringify(given) === JSON.stringify(Object.entries(ANSWERS)),
      `${plan} has the answers ${JSON.stringify(given)}`,
    );
  }

  /** A planner is told every answer that was given before it was started. */
  #checkPrompts(plan: string, { prompts }: Pick<SimulatedSessions, 'prompts'>): void {
    const answers: string[] = [];
    for (const record of this.#records) {
      if (record.event === 'session_begun' && record.begun.plan === plan && record.begun.plans) {
        const prompt = prompts.get(record.begun.id);
        for (const answer of answers)
          this.#require(prompt?.includes(answer) ?? true, `${record.begun.id} was not told "${answer}"`);
      }
      for (const change of record.changes ?? [])
        if (change.of === 'workshop' && change.plan === plan && record.event === 'workshop_answered')
          answers.push(...(change.says ?? []).flatMap(({ kind, content }) => (kind === 'answer' ? [content] : [])));
    }
  }

  /** The files below docs/plans whose path starts like this, with their texts. */
  #filesBelow(start: string, folder = ''): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const name of this.#names(`${this.#places.plans}/${folder}`, true)) {
      const path = `${folder}${name}`;
      if (this.#disk.facts(`${this.#places.plans}/${path}`)?.kind === 'folder')
        for (const [below, text] of this.#filesBelow(start, `${path}/`)) found.set(below, text);
      else if (path.startsWith(start)) found.set(path, this.#textAt(path) ?? '');
    }
    return found;
  }

  #textAt(path: string): string | undefined {
    return readWhole(this.#disk, `${this.#places.plans}/${path}`)?.toString('utf8');
  }

  /** The tasks are those of the file, and no earlier task is lost. */
  #checkTasks({ plan, tasks }: PlanEntry): void {
    const present = tasks.filter((task) => !task.stale).map((task) => `${task.address} ${task.name}`);
    const wanted = this.#tasksOfFile(plan) ?? present;
    this.#require(
      JSON.stringify(present) === JSON.stringify(wanted),
      `${plan} has the tasks [${present}], its file has [${wanted}]`,
    );
    const ids = new Set(tasks.map((task) => task.id));
    for (const record of this.#records)
      for (const task of record.event === 'plan_read' && record.plan === plan ? record.tasks : [])
        this.#require(ids.has(task.id), `${plan} has lost its task ${task.id} (${task.name})`);
  }

  /** Undefined if the file cannot be read. One without task headings leaves a plan the tasks it had. */
  #tasksOfFile(plan: PlanFile): readonly string[] | undefined {
    const reading = readPlan(this.#disk, `${this.#places.plans}/${plan}`);
    if (reading.kind !== 'read') return undefined;
    const { tasks, whole } = reading.outline;
    const reads = this.#records.flatMap((record) =>
      record.event === 'plan_read' && record.plan === plan ? [record] : [],
    );
    const last = reads.at(-1);
    const counts = whole === true && last?.whole === false ? last.tasks : tasks;
    return counts.map((task) => `${task.address} ${task.name}`);
  }

  /** A refused signal has its reason, and its original if that was durable. */
  #checkKept({ id, file }: RefusedSignal): void {
    const kept = (ending: string): boolean =>
      this.#disk.facts(`${this.#places.quarantine}/${id}.${ending}`) !== undefined;
    this.#require(kept('json'), `${id} was refused and has no reason in quarantine`);
    if ([...this.#dropped.values()].includes(file.path))
      this.#require(kept('original'), `${id} was refused and its original is missing`);
  }

  #check(record: JournalRecord): void {
    this.#records.push(record);
    this.#require(record.seq === this.#records.length, `record ${record.seq} is at place ${this.#records.length}`);
    for (const move of record.moves) {
      this.#require(
        mayCause(record, move.event),
        `record ${record.seq}: ${record.role ?? record.by} caused ${move.event}`,
      );
      const subject = subjectOf(move);
      const before = this.#states.get(subject) ?? FIRST[move.machine];
      this.#require(
        move.from === before,
        `record ${record.seq} moves ${subject} from ${move.from}, but it was ${before}`,
      );
      this.#states.set(subject, move.to);
    }
    // No story lasts as long as a deadline, apart from the time in which no engine was awake.
    this.#require(!isLate(record), `record ${record.seq}: ${record.event}, although nobody took too long`);
    if (record.signal !== undefined) this.#checkSignal(record, record.signal.id);
    if (record.event === 'signal_refused') this.#refusedFiles.add(record.refused.file.path);
    for (const effect of record.effects ?? []) this.#decided.add(effect.id);
    const done = record.event === 'effect_done' ? record.effect : 'result' in record ? record.result : undefined;
    if (done !== undefined) {
      this.#require(this.#decided.has(done), `the effect ${done} was done and never decided`);
      this.#require(!this.#done.has(done), `the effect ${done} was acknowledged twice`);
      this.#done.add(done);
    }
  }

  /** Accepted at most once. It may be refused as often as it is sent, each time in its own file. */
  #checkSignal(record: JournalRecord, id: string): void {
    this.#require(this.#signals.get(id) !== 'accepted', `the signal ${id} counted again in record ${record.seq}`);
    this.#signals.set(id, record.event === 'signal_refused' ? 'refused' : 'accepted');
  }

  #checkPlanState(states: ReadonlyMap<string, string>): void {
    if (states.size === 0) return;
    const read = readPlanStateFile(readWhole(this.#disk, this.#places.planState)?.toString('utf8') ?? '');
    if (read.kind === 'bad') return this.#require(false, `plan-state.json cannot be read at rest: ${read.why}`);
    for (const [plan, status] of states)
      this.#require(
        read.file.plans.get(plan as never)?.status === status,
        `plan-state.json says ${read.file.plans.get(plan as never)?.status} of ${plan}, the journal ${status}`,
      );
  }

  #names(folder: string, all = false): readonly string[] {
    if (this.#disk.facts(folder) === undefined) return [];
    return this.#disk
      .list(folder)
      .map((name) => name.toString('latin1'))
      .filter((name) => all || !name.startsWith('.'));
  }

  #require(holds: boolean, otherwise: string): void {
    if (!holds) this.violations.push(otherwise);
  }
}

/** The initial state of each machine; a plan is introduced by its first move. */
const FIRST = { plan: null, task: 'planned', coder: 'WAITING', workshop: 'draft' } as const;

function subjectOf(move: Move): string {
  switch (move.machine) {
    case 'plan':
      return move.plan;
    case 'task':
      return `${move.plan}#${move.task}`;
    case 'coder':
      return `${move.plan}#${move.task} attempt ${move.attempt}`;
    case 'workshop':
      return `${move.plan} workshop`;
  }
}

const REVIEW = ['reviewer', 'outside'];
const AGENTS_MAY: Readonly<Record<string, readonly string[]>> = {
  register: ['planner', 'outside'],
  planner_finished: ['planner', 'outside'],
  implement_finished: ['implementer', 'outside'],
  review_approved: REVIEW,
  review_changes_requested: REVIEW,
  code_complete: ['implementer'],
  fix_done: ['implementer'],
  verify_start: ['implementer'],
  review_pass: ['spec-reviewer'],
  approve: ['quality-reviewer'],
  plan_synthesized: ['planner'],
};

/** Who may cause what, independent of the program's own tables. */
function mayCause(record: JournalRecord, event: string): boolean {
  return record.by !== 'agent' || (AGENTS_MAY[event]?.includes(record.role ?? '') ?? false);
}

/** A record without the fields that depend on its place in a commit. */
function essence(record: JournalRecord): string {
  const { first: _first, last: _last, ...rest } = record;
  return JSON.stringify(rest);
}

function isLate(record: JournalRecord): boolean {
  if (['session_overdue', 'reviewer_overdue', 'planner_overdue'].includes(record.event)) return true;
  return 'cause' in record && /time limit|in time\.$/.test(record.cause ?? '');
}
