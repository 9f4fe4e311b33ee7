// One simulated run: a script, one planted fault, recovery, and a phase without faults in which everything must settle.

import { dirname } from 'node:path';
import { planningFiles } from '../../src/adapters/plans/planning-files.ts';
import { replaceFile, writeDurably } from '../../src/adapters/system/files.ts';
import { readPlanStateFile } from '../../src/core/files/plan-state.ts';
import type { Decision } from '../../src/core/model/decision.ts';
import type { Event } from '../../src/core/model/event.ts';
import { Failure } from '../../src/core/model/failure.ts';
import { judgedBy, type WithFindings } from '../../src/core/model/review/finding.ts';
import { treeOfSession } from '../../src/core/model/run-name.ts';
import { stateSeqFor } from '../../src/core/model/signal.ts';
import type { TaskEntry } from '../../src/core/model/world.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { type Message, messageId } from '../../src/signals/message.ts';
import type { Role } from '../../src/signals/registry.ts';
import { Checker } from './checker.ts';
import { Computer, Killed, PLACES, type Plan, type Process } from './computer.ts';
import { randomFrom } from './random.ts';
import type { Script, Step } from './scripts.ts';
import { nextDecision, nextDocument } from './simulated-planner.ts';

export interface Outcome {
  /** One sentence for each broken promise. */
  readonly violations: readonly string[];
  /** Changes of the disk, and operations of any kind, during the script: the places where faults can be planted. */
  readonly changes: number;
  readonly operations: number;
  readonly faults: number;
  readonly accepted: number;
}

const SETTLING_ROUNDS = 60;

/** Steps of programs other than cadre, which may fail in any way. */
const PROGRAMS: ReadonlySet<Step['do']> = new Set(['touch', 'edit', 'write-plan', 'change-file']);

/** How many steps the story continues after a fault, before everything must settle. */
const STEPS_AFTER_FAULT = 3;

export async function simulate(script: Script, plan: Plan, seed: number): Promise<Outcome> {
  const story = new Story(new Computer(randomFrom(seed), plan));
  try {
    let left = script.steps.length;
    for (const step of script.steps) {
      if (left-- === 0) break;
      await story.take(step);
      if (story.computer.faults > 0) left = Math.min(left, STEPS_AFTER_FAULT);
    }
    const { changes, operations } = story.computer;
    await story.settle();
    story.checker.atRest();
    story.checker.sessionsAtRest(story.computer.sessions);
    story.checker.runsAtRest(story.computer.runs);
    story.checker.workshopsAtRest(story.computer.sessions);
    return {
      violations: story.checker.violations,
      changes,
      operations,
      faults: story.computer.faults,
      accepted: story.checker.accepted,
    };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      violations: [...story.checker.violations, why],
      changes: story.computer.changes,
      operations: story.computer.operations,
      faults: story.computer.faults,
      accepted: 0,
    };
  }
}

class Story {
  readonly computer: Computer;
  readonly checker: Checker;
  #engine: Process | undefined;
  #turn: Promise<void> = Promise.resolve();
  #sent: Message[] = [];
  readonly #hasSignalled = new Set<string>();
  readonly #hasCommitted = new Set<string>();

  constructor(computer: Computer) {
    this.computer = computer;
    this.checker = new Checker(
      computer.disk.seenBy(() => undefined),
      PLACES,
    );
    const disk = computer.disk.seenBy(() => undefined);
    for (const name of ['x.md', 'y.md']) {
      const file = disk.open(`${PLACES.plans}/${name}`, 'write');
      disk.sync(file);
      disk.close(file);
    }
    disk.syncFolder(PLACES.plans);
  }

  async take(step: Step): Promise<void> {
    const lostPowerBefore = this.computer.hasLostPower;
    if (step.do === 'together') await Promise.all(step.steps.map((one) => this.#attempt(one)));
    else await this.#attempt(step);
    if (this.computer.hasLostPower && !lostPowerBefore) {
      this.computer.restart();
      this.checker.afterPowerFailure();
    }
    this.checker.look();
  }

  /** Without further faults, engines run until nothing changes. */
  async settle(): Promise<void> {
    this.computer.heal();
    this.#engine?.kill();
    this.#engine = undefined;
    this.#removeUnusablePlanState();
    // An agent whose signal was lost gets to signal again.
    this.#hasSignalled.clear();
    // No process is killed from now on, so that one speaks for all agents and sees what they see.
    const process = this.computer.start();
    for (let round = 0, quiet = 0; quiet < 2; round++) {
      if (round > SETTLING_ROUNDS) throw new Error('The engine does not settle.');
      const before = this.computer.changes;
      await this.#agents(process);
      await this.#round();
      await this.#endIncidents(process);
      await this.#endWorkshops(process);
      quiet = this.computer.changes === before ? quiet + 1 : 0;
    }
    this.checker.look();
  }

  /** What waits for a person's word is restored. */
  async #endIncidents(process: Process): Promise<void> {
    for (const { plan, work } of (await process.gateway.look()).plans.values())
      if (work?.incident != null) await this.#submit({ kind: 'incident-restore', plan, by: { who: 'user' } });
  }

  /** A workshop that somebody has stopped continues, and what it asks for is decided, until its plan is approved. */
  async #endWorkshops(process: Process): Promise<void> {
    const by = { who: 'user' } as const;
    for (const { plan, status, paused, workshop } of (await process.gateway.look()).plans.values()) {
      if (workshop === undefined) continue;
      if (paused) await this.#submit({ kind: 'resume', plan, by });
      if (status === 'cancelled') await this.#submit({ kind: 'move', plan, event: 'reopen', by });
      await this.#decide(plan);
    }
  }

  /** A conflict, or an unreadable file that cadre never wrote, waits for a person, who deletes it. */
  #removeUnusablePlanState(): void {
    const disk = this.computer.disk.seenBy(() => undefined);
    const text = textOf(disk, PLACES.planState);
    const read = text === undefined ? undefined : readPlanStateFile(text);
    if (read?.kind !== 'bad') return;
    if (read.code === 'conflict' || disk.facts(PLACES.planStateNote) === undefined) disk.remove(PLACES.planState);
  }

  /** The story continues after a process that was killed, or that failed with a sentence. */
  async #attempt(step: Step): Promise<void> {
    try {
      await this.#perform(step);
    } catch (error) {
      if (error instanceof Killed || error instanceof Failure) return;
      if (PROGRAMS.has(step.do)) return;
      throw error;
    }
  }

  async #perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'register':
        return this.#submit({
          kind: 'register',
          plan: step.plan,
          by: { who: 'user' },
          description: '',
          topic: '',
          planFileExists: true,
        });
      case 'move':
        return this.#submit({
          kind: 'move',
          plan: step.plan as PlanFile,
          event: step.event,
          by: { who: 'user' },
          ...(step.feedback === undefined ? {} : { feedback: step.feedback }),
        });
      case 'adopt':
        return this.#submit({ kind: 'adopt', plan: step.plan as PlanFile, by: { who: 'user' } });
      case 'say':
        return this.#say(step);
      case 'say-again': {
        const [oldest] = this.#sent;
        if (oldest !== undefined) this.#drop(oldest);
        return;
      }
      case 'touch':
        return this.#asProcess(async (process) => process.touch(step.name, step.body));
      case 'round':
        return this.#round();
      case 'restart-engine':
        this.#engine?.kill();
        this.#engine = undefined;
        return;
      case 'retry':
      case 'drop':
        return this.#resolveRefused(step.do);
      case 'edit':
        return this.#edit(step.edit);
      case 'session':
        return this.#submitForSession(step.what);
      case 'jump':
        this.computer.jump(step.hours * 3_600_000);
        return;
      case 'end-program':
        this.computer.sessions.endOne();
        return;
      case 'write-plan':
        return this.#asProcess(async (process) => writePlan(process.disk, step.plan, step.tasks, step.parallel));
      case 'run':
        return this.#submit({ kind: 'run', plan: step.plan as PlanFile, by: { who: 'user' } });
      case 'pause':
      case 'resume':
        return this.#submit({
          kind: step.do,
          by: { who: 'user' },
          ...(step.plan === undefined ? {} : { plan: step.plan as PlanFile }),
        });
      case 'agents':
        return this.#asProcess((process) => this.#agents(process));
      case 'move-branch':
        this.computer.runs.moveBranch(step.plan);
        return;
      case 'delete-branch':
        this.computer.runs.deleteBranch(step.plan);
        return;
      case 'incident':
        return this.#decideIncident(step);
      case 'plan-new': {
        const brief = 'Notes can be searched.';
        return this.#submit({ kind: 'workshop-open', plan: step.plan, by: { who: 'user' }, brief, from: 'c0ffee' });
      }
      case 'decide':
        return this.#decide(step.plan as PlanFile);
      case 'change-file':
        return this.#changeFile(step);
      case 'task': {
        const { plan, task, act } = step;
        return this.#submit({ kind: 'act', act, plan: plan as PlanFile, task, by: { who: 'user' } });
      }
      case 'together':
        throw new Error('Parallel steps cannot be nested.');
    }
  }

  async #submit(event: Event): Promise<void> {
    await this.#asProcess(async (process) => {
      const { answers } = await process.gateway.submit([event]);
      this.#acknowledge(process, answers);
    });
  }

  /** A person does what the workshop asks for, having looked at the plan file. */
  async #decide(plan: PlanFile): Promise<void> {
    await this.#asProcess(async (process) => {
      const existing = planningFiles(process.disk, PLACES.plans).published(plan);
      const event = nextDecision(await process.gateway.look(), plan, existing);
      if (event === undefined) return;
      const { answers } = await process.gateway.submit([event]);
      this.#acknowledge(process, answers);
    });
  }

  /** The way editors do it: under another name, synced, and renamed. */
  async #changeFile({ file, text }: Extract<Step, { do: 'change-file' }>): Promise<void> {
    await this.#asProcess(async ({ disk }) => {
      const path = `${PLACES.plans}/${file}`;
      const before = textOf(disk, path);
      if (text === null) return disk.remove(path);
      this.checker.editing(text, before);
      writeDurably(disk, `${path}~`, Buffer.from(text));
      disk.rename(`${path}~`, path);
      disk.syncFolder(dirname(path));
      this.checker.edited(text);
    });
  }

  async #submitForSession(what: Extract<Step, { do: 'session' }>['what']): Promise<void> {
    const by = { who: 'user' } as const;
    const program = { role: 'unknown', program: 'agent', flags: [], env: [], prompt: 'work' } as const;
    if (what === 'new') return this.#submit({ kind: 'session-new', by, title: 'work', ...program, from: 'c0ffee' });
    const session = [...(await this.computer.start().gateway.look()).sessions.keys()].at(-1) ?? 'none';
    switch (what) {
      case 'switch':
        return this.#submit({ kind: 'session-switch', by, session, ...program });
      case 'resume':
        return this.#submit({ kind: 'session-resume', by, session, prompt: '' });
      case 'stop':
        return this.#submit({ kind: 'session-stop', by, session });
      case 'pause':
        return this.#submit({ kind: 'session-pause', by, session });
      case 'send':
        return this.#submit({ kind: 'session-send', by, session, text: 'continue' });
    }
  }

  /** A person takes the branch as they found it, or has it restored. */
  async #decideIncident({ plan: name, how }: Extract<Step, { do: 'incident' }>): Promise<void> {
    const plan = name as PlanFile;
    const by = { who: 'user' } as const;
    if (how === 'restore') return this.#submit({ kind: 'incident-restore', plan, by });
    const found = this.computer.runs.tips.get(plan) ?? '';
    return this.#submit({ kind: 'incident-take', plan, by, found, missing: [] });
  }

  /** Only an answer that a live process received counts as acknowledged. */
  #acknowledge(process: Process, answers: readonly Decision[]): void {
    if (process.alive) for (const answer of answers) this.checker.acknowledged(answer.records);
  }

  async #say(step: Extract<Step, { do: 'say' }>): Promise<void> {
    await this.#asProcess(async (process) => {
      const entered = (await process.gateway.look()).plans.get(step.plan as PlanFile)?.entered ?? 0;
      const { name, plan, session, role, body = '' } = step;
      this.#drop({ v: 1, name, plan, session, role, entered, body }, process);
    });
  }

  /** Each running program does its work once: it commits or reviews, and signals that with a durable message. */
  async #agents(process: Process): Promise<void> {
    if (this.computer.sessions.starts.size === 0) return;
    const world = await process.gateway.look();
    for (const session of world.sessions.values()) {
      const tree = treeOfSession(session);
      const runs = this.computer.sessions.lifeOf(session.id).kind === 'running';
      if (tree === undefined || session.plan === undefined || !runs) continue;
      // A planner whose document was invalid hands in another one.
      const turn = session.plans ? `${session.id} ${stateSeqFor(world, session.plan, session.id)}` : session.id;
      if (this.#hasSignalled.has(turn)) continue;
      if (session.role === 'implementer' && !this.#hasCommitted.has(session.id)) {
        this.#hasCommitted.add(session.id);
        this.computer.runs.commit(tree);
      }
      const { id, role, plan, task } = session;
      const workshop = session.plans ? world.plans.get(plan)?.workshop : undefined;
      const found = world.plans.get(plan)?.tasks.find((one) => one.id === task);
      const body = workshop === undefined ? reviewBy(role, found, world.plans.get(plan)) : nextDocument(workshop);
      const finished = role === 'implementer' ? 'implement-finished' : 'review-approved';
      const name = session.plans ? 'round-finished' : finished;
      const entered = stateSeqFor(world, plan, id);
      const key = this.computer.sessions.keys.get(id);
      const about = { ...(task === undefined ? {} : { task }), ...(key === undefined ? {} : { key }) };
      this.#drop({ v: 1, name, plan, session: id, role, entered, body, ...about }, process);
      // One whose command was killed signals again.
      if (process.alive) this.#hasSignalled.add(turn);
    }
  }

  #drop(message: Message, process: Process = this.computer.start()): void {
    const path = process.drop(message);
    if (!process.alive) return;
    this.#sent.push(message);
    this.checker.dropped(messageId(message), path);
  }

  /** Rounds of the one engine run one after another, even if several are requested at once. */
  #round(): Promise<void> {
    const mine = this.#turn.then(() => this.#oneRound());
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #oneRound(): Promise<void> {
    if (!this.#engine?.alive) this.#engine = this.computer.start();
    const engine = this.#engine;
    try {
      await engine.engineRound();
    } catch (error) {
      // An engine that stops with a sentence is started again by the person who reads it.
      engine.kill();
      throw error;
    }
  }

  async #resolveRefused(how: 'retry' | 'drop'): Promise<void> {
    const [id] = (await this.computer.start().gateway.look()).refused.keys();
    if (id === undefined) return;
    await this.#submit({ kind: how === 'retry' ? 'quarantine-retry' : 'quarantine-drop', id, by: { who: 'user' } });
  }

  async #edit(edit: Extract<Step, { do: 'edit' }>['edit']): Promise<void> {
    await this.#asProcess(async (process) => {
      const text = textOf(process.disk, PLACES.planState);
      const edited = editedText(edit, text);
      if (edited === undefined) {
        if (text !== undefined) process.disk.remove(PLACES.planState);
        return;
      }
      const file = process.disk.open(`${PLACES.planState}.edited`, 'write');
      process.disk.write(file, Buffer.from(edited));
      process.disk.sync(file);
      process.disk.close(file);
      process.disk.rename(`${PLACES.planState}.edited`, PLACES.planState);
      process.disk.syncFolder(PLACES.plans);
    });
  }

  async #asProcess(work: (process: Process) => Promise<void>): Promise<void> {
    const process = this.computer.start();
    try {
      await work(process);
    } finally {
      process.kill();
    }
  }
}

function editedText(edit: Extract<Step, { do: 'edit' }>['edit'], text: string | undefined): string | undefined {
  switch (edit) {
    case 'flat':
      return JSON.stringify({ 'x.md': { status: 'in_progress', note: 'kept' }, 'y.md': 'completed' });
    case 'status':
      return text?.replace(/"status": "\w+"/, '"status": "reviewing"') ?? '{"plans":{}}';
    case 'add':
      return JSON.stringify({
        ...JSON.parse(text ?? '{"plans":{}}'),
        plans: { ...JSON.parse(text ?? '{"plans":{}}').plans, 'added.md': { status: 'ready' } },
      });
    case 'conflict':
      return `<<<<<<< HEAD\n${text ?? ''}=======\n>>>>>>> other\n`;
    case 'truncate':
      return (text ?? '').slice(0, -5);
    case 'delete':
      return undefined;
  }
}

function writePlan(disk: Process['disk'], plan: string, tasks: readonly string[], parallel = false): void {
  const phase = parallel ? '## Phase 1: All (parallel)\n\n' : '';
  const text = tasks.map((name, index) => `### Task ${index + 1}: ${name}\n\nText of ${name}.\n\n`).join('');
  replaceFile(disk, `${PLACES.plans}/${plan}`, Buffer.from(`# Plan\n\n${phase}${text}`));
}

function textOf(disk: Process['disk'], path: string): string | undefined {
  if (disk.facts(path) === undefined) return undefined;
  const file = disk.open(path, 'read');
  try {
    return disk.read(file, 0, disk.factsOf(file).size).toString('utf8');
  } finally {
    disk.close(file);
  }
}

/** A reviewer calls everything addressed; the second one also has a remark. */
function reviewBy(role: Role, task: TaskEntry | undefined, plan: WithFindings = {}): string {
  if (role === 'reviewer')
    return judgedBy('plan', plan)
      .map(({ id }) => `${id}: ADDRESSED`)
      .join('\n');
  if (task === undefined || (role !== 'spec-reviewer' && role !== 'quality-reviewer')) return '';
  const stage = role === 'spec-reviewer' ? 'spec' : 'quality';
  const lines = judgedBy(stage, task).map(({ id }) => `${id}: ADDRESSED`);
  return [...lines, ...(stage === 'quality' ? ['- [minor] a.ts:1: A name is odd.'] : [])].join('\n');
}
