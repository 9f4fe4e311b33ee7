// kill -9 for real in a workshop of four rounds with questions: engines at every failpoint and at chance moments, and the
// commands of the person. It comes to the same end, nothing is asked twice, and no answer and no edit is lost.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { disk } from '../../src/adapters/system/disk.ts';
import { FAILPOINTS, WORKSHOP_FAILPOINTS } from '../../src/adapters/system/failpoints.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import { slugOf } from '../../src/plan/name.ts';
import { Checker } from '../simulation/checker.ts';
import { type Random, randomFrom } from '../simulation/random.ts';
import { DOCUMENTS, nextDecision } from '../simulation/simulated-planner.ts';
import { openPieces } from '../support/pieces.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { type Engine, eventually, MAIN, spawnEngine } from '../support/repo.ts';

const PROGRAMS = resolve('test/support/programs');

/** How many engines are killed at chance moments. */
const KILLS = Number(process.env.CADRE_WORKSHOP_KILLS ?? 2);
/** Every failpoint, and most of them twice. */
const isLong = process.env.CADRE_WORKSHOP_KILLS !== undefined;
const SHORT = ['artifact.write.mid', 'artifact.rename.after', 'edit.rename.after', 'plan-file.rename.before'] as const;

/** What an engine comes past in a workshop. No segment of the journal is full, and nothing is refused. */
const COMMON = FAILPOINTS.filter((point) => /^(?:journal\.(?:write|sync)|message\.remove)/.test(point));

/** `point` is a failpoint with a number; otherwise the engine is killed so many milliseconds after so many records. */
type Fault = { readonly point: string } | { readonly records: number; readonly wait: number };

/** At which a command of the person dies, once each in every workshop; an approval, which moves the plan, at others. */
const COMMAND_FAULTS = ['journal.write.before', 'journal.write.mid', 'journal.write.after', 'journal.sync.after'];
const APPROVAL_FAULTS = FAILPOINTS.filter((point) => /^(?:plan-state|note|overview)/.test(point));

const LIMIT = 240_000;

test('a workshop comes to the same end, however often its engine and the commands of the person are killed', {
  timeout: 3_600_000,
}, async () => {
  const random = randomFrom(Number(process.env.CADRE_SEED ?? 1));
  const faults = faultsOf(random);
  const [hit, violations]: [Set<string>, string[]] = [new Set(), []];
  const wanted = new Set(faults.flatMap((fault) => ('point' in fault ? [nameOf(fault.point)] : [])));
  let kills = 0;
  let workshops = 0;
  while (faults.length > 0) {
    workshops++;
    const left = faults.length;
    const died = await workshop(faults, APPROVAL_FAULTS[(workshops - 1) % APPROVAL_FAULTS.length]);
    kills += died.kills;
    for (const point of died.hit) hit.add(point);
    violations.push(...died.violations);
    if (faults.length === left) faults.shift();
  }
  process.stdout.write(`workshops: ${workshops}, kills: ${kills}, violations: ${violations.length}\n`);
  const result = process.env.CADRE_WORKSHOP_RESULT;
  if (result !== undefined) writeFileSync(result, JSON.stringify({ workshops, kills, violations: violations.length }));
  expect(violations).toEqual([]);
  expect(
    [...wanted].filter((point) => !hit.has(point)),
    'failpoints that no engine reached',
  ).toEqual([]);
});

function faultsOf(random: Random): Fault[] {
  const points = isLong ? [...COMMON, ...WORKSHOP_FAILPOINTS] : SHORT;
  const first = points.map((point): Fault => ({ point }));
  const second = isLong ? first.flatMap((fault) => (stageOf(fault) === -1 ? [again(fault)] : [])) : [];
  const chance = Array.from({ length: KILLS }, () => ({ records: 1 + random.below(8), wait: random.below(80) }));
  return [...first, ...second, ...chance].toSorted((one, other) => stageOf(one) - stageOf(other));
}

/** At the second time that the engine comes past it. */
function again(fault: Fault): Fault {
  return 'point' in fault ? { point: `${fault.point}:2` } : fault;
}

/** What only the end of a workshop comes past, in that order; one workshop then serves many faults. */
const LATE = ['artifact.remove', 'edit', 'plan-file'];

function stageOf(fault: Fault): number {
  return 'point' in fault ? LATE.findIndex((late) => fault.point.startsWith(late)) : -1;
}

function nameOf(point: string): string {
  return point.split(':')[0] ?? '';
}

interface Died {
  readonly kills: number;
  readonly hit: readonly string[];
  readonly violations: readonly string[];
}

/** One workshop, in which one engine after the other dies of the next fault, as long as it lasts. */
async function workshop(faults: Fault[], approvalFault: string | undefined): Promise<Died> {
  const repo = planRepo({});
  writeFileSync(repo.at('documents.json'), JSON.stringify(DOCUMENTS));
  writeFileSync(repo.at('brief.md'), briefFor(repo));
  expect(repo.cadre('plan', 'new', '--brief-file', repo.at('brief.md'), '--no-wait').stderr).toBe('');
  await repo.killEngine();
  const story = new Story(repo, approvalFault);
  await story.goOn(faults);
  await story.finish();
  return story;
}

/** The scripted agent finds what to do in its prompt, which quotes the brief. */
function briefFor(repo: PlanRepo): string {
  const planner = [process.execPath, join(PROGRAMS, 'planner.mjs'), MAIN, repo.at('documents.json')].join(' ');
  return `Notes can be searched.\n\n\`\`\`script\nrole planner\nrun ${planner}\n\`\`\`\n`;
}

class Story implements Died {
  readonly hit: string[] = [];
  kills = 0;
  readonly #repo: PlanRepo;
  readonly #checker: Checker;
  readonly #edited = new Set<string>();
  readonly #commandFaults = [...COMMAND_FAULTS];
  readonly #approvalFaults: string[];

  constructor(repo: PlanRepo, approvalFault: string | undefined) {
    this.#repo = repo;
    this.#approvalFaults = approvalFault === undefined ? [] : [approvalFault];
    this.#checker = new Checker(disk, openPieces(repo).places);
  }

  get violations(): readonly string[] {
    return this.#checker.violations;
  }

  async goOn(faults: Fault[]): Promise<void> {
    const deadline = performance.now() + LIMIT;
    while (!this.#isApproved()) {
      const fault = faults[0];
      const engine = this.#start(fault);
      const killed = fault !== undefined && !('point' in fault) ? this.#killAfter(engine, fault) : undefined;
      const isDead = await this.#decideUntilDeath(engine, deadline);
      await killed;
      if (!isDead) await engine.stop();
      else if (fault !== undefined) {
        this.kills++;
        if ('point' in fault) this.hit.push(nameOf(fault.point));
        faults.shift();
      }
      if (performance.now() > deadline) throw new Error(`The workshop does not end:\n${engine.lines.join('\n')}`);
      this.#checker.look();
    }
  }

  /** Without faults, until the files have what was said last. */
  async finish(): Promise<void> {
    const engine = this.#start(undefined);
    const { plan } = this.#plan();
    const meeting = join(this.#repo.plans, slugOf(plan), 'planning', 'meeting.jsonl');
    // The plan file is read once it has not changed for a while.
    const isDone = (): boolean =>
      this.#repo.world().outbox.size === 0 &&
      this.#plan().tasks.some(({ name, stale }) => name === 'Search' && !stale) &&
      existsSync(meeting) &&
      readFileSync(meeting, 'utf8').includes('"approval"');
    await eventually(isDone, (done) => done, LIMIT);
    await engine.line(/^Engine of/);
    await engine.stop();
    this.#checker.look();
    this.#checker.atRest();
    this.#checker.workshopsAtRest({ prompts: new Map() });
  }

  #start(fault: Fault | undefined): Engine {
    const env = fault !== undefined && 'point' in fault ? { CADRE_FAILPOINT: fault.point } : {};
    return spawnEngine({ ...this.#repo, env: { ...this.#repo.env, ...env } });
  }

  async #killAfter(engine: Engine, { records, wait }: Extract<Fault, { records: number }>): Promise<void> {
    const from = this.#repo.world().seq;
    const isDue = (): boolean =>
      this.#repo.world().seq >= from + records || this.#isApproved() || engine.process.exitCode !== null;
    await eventually(isDue, (due) => due, LIMIT);
    await new Promise((then) => setTimeout(then, wait));
    if (!this.#isApproved()) engine.process.kill('SIGKILL');
  }

  /** The person does what is asked until the plan is approved, or until the engine is killed, which returns true. */
  async #decideUntilDeath(engine: Engine, deadline: number): Promise<boolean> {
    let isDead = false;
    void engine.ended.then(() => {
      isDead = true;
    });
    while (!isDead && !this.#isApproved() && performance.now() < deadline) {
      const { plan } = this.#plan();
      const path = join(this.#repo.plans, plan);
      this.#edit();
      const existing = existsSync(path) ? readFileSync(path, 'utf8') : null;
      const event = nextDecision(this.#repo.world(), plan, existing, this.#repo.commit('HEAD'));
      if (event !== undefined) await this.#submit(event);
      await new Promise((then) => setTimeout(then, 20));
    }
    // What the approval leaves to the engine is done, or the engine dies of it.
    await eventually(
      () => isDead || !this.#isApproved() || this.#repo.world().outbox.size === 0,
      (rests) => rests,
      LIMIT,
    );
    if (isDead && engine.process.signalCode !== 'SIGKILL')
      throw new Error(`The engine ended unexpectedly:\n${engine.lines.join('\n')}`);
    return isDead;
  }

  /** The person edits the first plan where the planner's artifacts are, and later writes the plan file. */
  #edit(): void {
    const { plan, workshop: found } = this.#plan();
    if (found?.state !== 'review_ready') return;
    const artifact = join(this.#repo.plans, slugOf(plan), 'planning', 'plan.md');
    if (found.versions.length === 0 && existsSync(artifact)) this.#write(artifact, 'my plan\n');
    if (found.versions.length > 0) this.#write(join(this.#repo.plans, plan), '# My own plan\n');
  }

  #write(path: string, text: string): void {
    if (this.#edited.has(path)) return;
    this.#edited.add(path);
    this.#checker.editing(text, undefined);
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
    this.#checker.edited(text);
  }

  /** The first commands die while they write; the person repeats them if they did not count. */
  async #submit(event: Event): Promise<void> {
    const points = event.kind === 'workshop-approve' ? this.#approvalFaults : this.#commandFaults;
    const [point] = points.splice(0, 1);
    const env = { ...this.#repo.env, ...(point === undefined ? {} : { CADRE_FAILPOINT: point }) };
    const argv = [join(PROGRAMS, 'submit.mjs'), MAIN, JSON.stringify(event)];
    const child = spawn(process.execPath, argv, { cwd: this.#repo.root, env });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const signal = await new Promise((ended) => child.once('close', (_code, name) => ended(name)));
    if (signal === 'SIGKILL') this.kills++;
    if (output.endsWith('\n')) this.#checker.acknowledged(JSON.parse(output));
  }

  #plan(): PlanEntry {
    const [entry] = this.#repo.world().plans.values();
    if (entry === undefined) throw new Error('There is no plan.');
    return entry;
  }

  #isApproved(): boolean {
    const world: World = this.#repo.world();
    return [...world.plans.values()].every(({ status }) => status === 'ready');
  }
}
