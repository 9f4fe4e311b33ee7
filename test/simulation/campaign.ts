// Many simulated runs: a fault at every change of the disk in every script, then random stories.
import type { Plan } from './computer.ts';
import { randomFrom } from './random.ts';
import { type Outcome, simulate } from './run.ts';
import { inventedScript, SCRIPTS, type Script } from './scripts.ts';

export interface Share {
  /** The total number of runs, of which this worker does every `of`-th. */
  readonly runs: number;
  readonly worker: number;
  readonly of: number;
  /** The first ones are left out: another campaign does them. */
  readonly from?: number;
  /** Skips the systematic part, to find something sooner. */
  readonly byChance?: boolean;
  /** Only scripts whose names contain this, at every place, and then again by chance. */
  readonly story?: string;
}

export interface Tally {
  runs: number;
  kills: number;
  powerFailures: number;
  errors: number;
  /** Runs of random stories. */
  invented: number;
  faults: number;
  accepted: number;
  readonly failures: { readonly id: string; readonly violations: readonly string[] }[];
}

export const ERROR_CODES = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'EROFS', 'EINTR'] as const;

/** A run is identified by script, fault and seed, and can be repeated from its id. */
export interface Job {
  readonly script: number | 'invented';
  readonly plan: Plan;
  readonly seed: number;
}

export function idOf(job: Job): string {
  const { plan } = job;
  const fault =
    plan.kind === 'none'
      ? 'none'
      : plan.kind === 'error'
        ? `${plan.code}${plan.forGood ? '*' : ''}${plan.thenPower ? '!' : ''}@${plan.at}`
        : `${plan.kind}${plan.kind === 'kill' && plan.thenPower !== undefined ? `+${plan.thenPower}` : ''}@${plan.at}`;
  return `${job.script}/${fault}/${job.seed}`;
}

export function jobFrom(id: string): Job {
  const [script = '', fault = '', seed = ''] = id.split('/');
  const [how = '', at = ''] = fault.split('@');
  const [kind = '', later] = how.split('+');
  const place = Number(at);
  const plan: Plan =
    kind === 'none'
      ? { kind }
      : kind === 'power'
        ? { kind, at: place }
        : kind === 'kill'
          ? { kind, at: place, ...(later === undefined ? {} : { thenPower: Number(later) }) }
          : {
              kind: 'error',
              code: kind.replace(/[*!]/g, ''),
              forGood: kind.includes('*'),
              thenPower: kind.includes('!'),
              at: place,
            };
  return { script: script === 'invented' ? script : Number(script), plan, seed: Number(seed) };
}

export function runJob(job: Job): Promise<Outcome> {
  return simulate(scriptOf(job), job.plan, job.seed);
}

function scriptOf(job: Job): Script {
  const script = job.script === 'invented' ? inventedScript(randomFrom(job.seed)) : SCRIPTS[job.script];
  if (script === undefined) throw new Error(`There is no script ${job.script}.`);
  return script;
}

/** The progress of a worker, so that a long campaign can be resumed. */
export interface Progress {
  readonly number: number;
  readonly tally: Tally;
}

const SAVE_EVERY = 2_000;

export async function campaign(
  share: Share,
  stopAfter = 20,
  before?: Progress,
  save: (progress: Progress) => void = () => undefined,
): Promise<Tally> {
  const tally = before?.tally ?? {
    runs: 0,
    kills: 0,
    powerFailures: 0,
    errors: 0,
    invented: 0,
    faults: 0,
    accepted: 0,
    failures: [],
  };
  const first = before?.number ?? share.from ?? 0;
  let number = 0;
  for await (const job of jobs(share)) {
    if (number++ % share.of !== share.worker || number <= first) continue;
    if (number % SAVE_EVERY < share.of) save({ number: number - 1, tally });
    const outcome = await runJob(job);
    count(tally, job, outcome);
    if (outcome.violations.length > 0) tally.failures.push({ id: idOf(job), violations: outcome.violations });
    if (tally.failures.length >= stopAfter) break;
  }
  return tally;
}

function count(tally: Tally, job: Job, outcome: Outcome): void {
  tally.runs += 1;
  tally.faults += outcome.faults;
  tally.accepted += outcome.accepted;
  if (job.plan.kind === 'kill') tally.kills += 1;
  if (job.plan.kind === 'power') tally.powerFailures += 1;
  if (job.plan.kind === 'error') tally.errors += 1;
  if (job.script === 'invented') tally.invented += 1;
}

/** How often a random story comes between the places of the scripts. */
const CHANCE_EVERY = 20;

/**
 * Each script without a fault; then every place of every script with every kind of fault, and in between, and until there
 * are enough runs, random stories.
 */
async function* jobs({ runs, byChance = false, story }: Share): AsyncGenerator<Job> {
  const scripts = [...SCRIPTS.keys()].filter((script) => SCRIPTS[script]?.name.includes(story ?? ''));
  if (scripts.length === 0) throw new Error(`No story has "${story}" in its name.`);
  const lengths = new Map<number, Outcome>();
  for (const script of scripts) lengths.set(script, await runJob({ script, plan: { kind: 'none' }, seed: 1 }));
  for (const script of scripts) yield { script, plan: { kind: 'none' }, seed: 1 };
  const places = byChance ? [] : everyPlace(lengths, runs);
  // The scripts again, because a power failure has many outcomes at one place.
  const isWanted = (script: number): boolean => byChance || story !== undefined || careFor(script, runs) !== GLANCE;
  const again = scripts.filter(isWanted);
  for (let made = scripts.length, seed = 1; made < runs; made++) {
    const place = made % CHANCE_EVERY === 0 ? undefined : places.pop();
    yield place ?? chanceJob(seed++, { lengths, again, invents: story === undefined });
  }
}

/** In random order, so that any number of first runs is a sample of all of them. */
function everyPlace(lengths: ReadonlyMap<number, Outcome>, runs: number): Job[] {
  const all: Job[] = [];
  for (const [script, { changes, operations }] of lengths)
    for (const plan of plansUpTo(changes, operations, careFor(script, runs)))
      all.push({ script, plan, seed: all.length + 1 });
  const random = randomFrom(1);
  return all
    .map((job) => ({ job, rank: random.below(2 ** 30) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ job }) => job);
}

interface Chances {
  readonly lengths: ReadonlyMap<number, Outcome>;
  /** The scripts to pick from. */
  readonly again: readonly number[];
  /** Whether nine of ten are random stories. */
  readonly invents: boolean;
}

function chanceJob(seed: number, { lengths, again, invents }: Chances): Job {
  const random = randomFrom(seed * 7919);
  const script = !invents || random.below(10) === 0 ? random.pick(again) : 'invented';
  const { changes, operations } = (script === 'invented' ? undefined : lengths.get(script)) ?? INVENTED;
  const at = 1 + random.below(changes);
  const plan = random.pick<Plan>([
    { kind: 'power', at },
    { kind: 'power', at },
    { kind: 'kill', at },
    { kind: 'kill', at, thenPower: 1 + random.below(LATER) },
    {
      kind: 'error',
      at: 1 + random.below(operations),
      code: random.pick(ERROR_CODES),
      forGood: random.below(2) === 0,
      thenPower: random.below(3) === 0,
    },
  ]);
  return { script, plan, seed };
}

/** An estimate: the length of a random story is not known in advance. A fault planted behind its end does not happen. */
const INVENTED = { changes: 60, operations: 300 };

/** The most changes between a kill and a power failure. In between, other processes build on what the killed one left. */
const LATER = 12;

/** How thoroughly the places of a script are tried. */
interface Care {
  readonly powerFailures: number;
  /** A power failure so many changes after a kill. */
  readonly laterPower: readonly number[];
  /** Every kind of error at each place, or one kind at each place, in rotation. */
  readonly errors: 'all' | 'in turn';
  /** An error at every n-th operation. */
  readonly errorEvery: number;
}

/** Several power failures at each place, because what is left of unsynced writes is random. */
const THOROUGH: Care = { powerFailures: 6, laterPower: [2, 5, 9], errors: 'all', errorEvery: 1 };

/** For stories with several hundred similar places: each is tried, but less often. */
const BRIEF: Care = { powerFailures: 2, laterPower: [4], errors: 'in turn', errorEvery: 1 };

/** For few runs: each place once. A kill followed by a power failure is left to the random part. */
const ONCE: Care = { powerFailures: 1, laterPower: [], errors: 'in turn', errorEvery: 1 };

/** For few runs of a story that takes as long as ten others: each place once with a kill and once with a power failure. */
const GLANCE: Care = { powerFailures: 1, laterPower: [], errors: 'in turn', errorEvery: 8 };

const MANY_RUNS = 250_000;

function careFor(script: number, runs: number): Care {
  if (SCRIPTS[script]?.isLong) return runs < MANY_RUNS ? GLANCE : BRIEF;
  return runs < MANY_RUNS ? ONCE : THOROUGH;
}

/** A temporary error, a permanent one, and one followed by a power failure. */
const ERRORS = [{ forGood: false }, { forGood: true }, { forGood: false, thenPower: true }] as const;

function* plansUpTo(changes: number, operations: number, care: Care): Generator<Plan> {
  for (let at = 1; at <= changes; at++) {
    yield { kind: 'kill', at };
    for (const thenPower of care.laterPower) yield { kind: 'kill', at, thenPower };
    for (let again = 0; again < care.powerFailures; again++) yield { kind: 'power', at };
  }
  for (let at = 1, number = 0; at <= operations; at += care.errorEvery, number++)
    for (const [index, error] of ERRORS.entries()) {
      if (care.errors === 'in turn' && number % ERRORS.length !== index) continue;
      // A wrong belief about the disk after an error shows in a power failure; which error it was does not matter.
      const code =
        'thenPower' in error
          ? 'EIO'
          : ERROR_CODES[(2 * Math.floor(number / ERRORS.length) + index) % ERROR_CODES.length];
      if (code !== undefined) yield { kind: 'error', at, code, ...error };
    }
}
