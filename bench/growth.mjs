// How the cost of what people wait for grows with plans, records and sessions, as processor time. What grows in step with
// them may cost about ten times as much for ten times as many, what does not depend on them about the same.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processorTimeOf, processorTimeSoFar } from './processor-time.mjs';
import { milliseconds, ratioLimit, timeLimit } from './report.mjs';
import { gatewayOf, MAIN, moveOf, submit } from './scratch.mjs';
import { endingSessions, repoForSessions, startQuietSession } from './sessions.mjs';

const ROUNDS = 5;
/** Of what is added by ten times as many, and of the whole where it should not grow. Noise stays below, a square does not. */
const MOST_ABOVE_LINEAR = 1.8;
const MOST_ABOVE_CONSTANT = 1.6;
/** In milliseconds: what adds less than this is noise. */
const NOISE = 20;

export async function measureGrowth(scratch) {
  const bare = await bareNode(scratch);
  const measured = [...(await byPlans(scratch)), ...(await byRecords(scratch)), ...(await bySessions(scratch))];
  return report(measured, bare);
}

async function bareNode(scratch) {
  const repo = await scratch.repoWithPlans('bare', 0);
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) samples.push(await processorTimeOf(['-e', '0'], repo));
  return Math.min(...samples);
}

const PLANS = [10, 100, 1_000, 10_000];

async function byPlans(scratch) {
  const repos = [];
  for (const count of PLANS) repos.push(await scratch.repoWithPlans(`plans-${count}`, count));
  const first = ({ plans }) => plans[0];
  return measureAll(
    'plans',
    [
      { name: 'cadre status', grows: 'linear', cost: command('status') },
      { name: 'cadre status --json', grows: 'linear', cost: command('status', '--json') },
      { name: 'cadre why', grows: 'linear', cost: (repo) => command('why', first(repo))(repo) },
      { name: 'cadre move', grows: 'linear', cost: costOfMove },
      { name: 'open and look', grows: 'linear', cost: openAndLook },
      { name: 'engine start', grows: 'linear', cost: (repo) => costOfEngineStart(scratch, repo) },
      // Last: it throws the journal away.
      { name: 'import, with a move', grows: 'linear', cost: costOfImport },
    ],
    repos.map((repo, index) => ({ count: PLANS[index], repo })),
  );
}

const RECORDS = [1_000, 10_000, 100_000];
const PLANS_WITH_RECORDS = 10;

async function byRecords(scratch) {
  const subjects = [];
  for (const count of RECORDS) {
    const repo = await scratch.repoWithPlans(`records-${count}`, PLANS_WITH_RECORDS);
    await writeRecords(repo, count);
    subjects.push({ count, repo });
  }
  return measureAll(
    'records',
    [
      { name: 'cadre status', grows: 'constant', cost: command('status') },
      { name: 'cadre why', grows: 'constant', cost: (repo) => command('why', repo.plans[0])(repo) },
      { name: 'cadre move', grows: 'constant', cost: costOfMove },
      { name: 'open and look', grows: 'constant', cost: openAndLook },
      { name: 'engine start', grows: 'constant', cost: (repo) => costOfEngineStart(scratch, repo) },
      { name: 'cadre log --limit 20', grows: 'constant', cost: command('log', '--limit', '20') },
      { name: 'look without checkpoint', grows: 'linear', cost: lookWithoutCheckpoint },
    ],
    subjects,
  );
}

/** Plans moved to and fro, a thousand records in a commit. */
async function writeRecords(repo, count) {
  const gateway = gatewayOf(repo);
  const { seq } = await gateway.look();
  const pair = (plan) => [moveOf(plan, 'plan_start'), moveOf(plan, 'planner_finished')];
  for (let written = seq; written < count; ) {
    const moves = Array.from({ length: Math.min(500, (count - written) / 2) }, (_, index) =>
      pair(repo.plans[index % 10]),
    );
    await submit(gateway, moves.flat());
    written += moves.length * 2;
  }
}

const SESSIONS = [10, 50, 100];
/** Longer than two of the engine's slow rescans. */
const WATCHED = 21_000;

/** One repository with more and more of them: each is a process, and the machine may not have room for twice as many. */
async function bySessions(scratch) {
  const repo = await repoForSessions(scratch, 'sessions', 'process');
  const operations = [
    { name: 'cadre status', grows: 'linear', cost: command('status') },
    { name: 'cadre session list', grows: 'linear', cost: command('session', 'list') },
    { name: 'engine start', grows: 'linear', cost: () => costOfEngineStart(scratch, repo) },
    { name: `idle engine, ${WATCHED / 1000} s`, grows: 'linear', rounds: 1, cost: () => costAtRest(scratch, repo) },
  ];
  return endingSessions(repo, async () => {
    const sizes = [];
    for (let started = 0; started < SESSIONS.at(-1); ) {
      await startQuietSession(scratch, repo, `quiet ${started}`);
      started += 1;
      if (SESSIONS.includes(started)) sizes.push(await measureAll('sessions', operations, [{ count: started, repo }]));
    }
    return operations.map(({ name, grows }, index) => ({
      of: 'sessions',
      name,
      grows,
      counts: SESSIONS,
      costs: sizes.map((rows) => rows[index].costs[0]),
    }));
  });
}

/** All sizes in turn, so that a machine that is busy for a while is so for each of them. */
async function measureAll(of, operations, subjects) {
  const measured = [];
  for (const { name, grows, cost, rounds = ROUNDS } of operations) {
    const samples = subjects.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [index, { repo }] of subjects.entries()) samples[index].push(await cost(repo));
    measured.push({
      of,
      name,
      grows,
      counts: subjects.map(({ count }) => count),
      costs: samples.map((some) => Math.min(...some)),
    });
  }
  return measured;
}

function command(...argv) {
  return (repo) => processorTimeOf([MAIN, ...argv], repo);
}

async function costOfMove(repo) {
  const [plan] = repo.plans;
  const there = await processorTimeOf([MAIN, 'move', plan, 'plan_start'], repo);
  const back = await processorTimeOf([MAIN, 'move', plan, 'planner_finished'], repo);
  return (there + back) / 2;
}

function openAndLook(repo) {
  return processorTimeOf([join(import.meta.dirname, 'open-and-look.mjs')], repo);
}

function lookWithoutCheckpoint(repo) {
  rmSync(join(repo.state, 'checkpoint.json'), { force: true });
  return openAndLook(repo);
}

/** The first step in a clone that has plan-state.json and no journal. */
async function costOfImport(repo) {
  rmSync(repo.env.CADRE_HOME, { recursive: true, force: true });
  return processorTimeOf([MAIN, 'move', repo.plans[0], 'plan_start'], repo).finally(() =>
    command('move', repo.plans[0], 'planner_finished')(repo),
  );
}

async function costOfEngineStart(scratch, repo) {
  const engine = await scratch.startEngine(repo);
  try {
    return processorTimeSoFar([engine.pid]);
  } finally {
    await scratch.end(engine);
  }
}

async function costAtRest(scratch, repo) {
  const engine = await scratch.startEngine(repo);
  try {
    await pause(REST);
    const before = processorTimeSoFar([engine.pid]);
    await pause(WATCHED);
    return processorTimeSoFar([engine.pid]) - before;
  } finally {
    await scratch.end(engine);
  }
}

const REST = 5_000;

function report(measured, bare) {
  const tables = ['plans', 'records', 'sessions'].map((of) => {
    const rows = measured.filter((one) => one.of === of);
    return [
      ['processor time', ...rows[0].counts.map((count) => `${count} ${of}`)],
      ...rows.map(({ name, costs }) => [name, ...costs.map(milliseconds)]),
    ];
  });
  return {
    title: `growth: the best of ${ROUNDS} rounds; starting Node takes ${milliseconds(bare)}`,
    tables,
    notes: [],
    limits: [...measured.map(growthLimit), ...measured.filter(isLookedAt).map(lookLimit)],
  };
}

function growthLimit(one) {
  const { of, name, grows } = one;
  if (grows === 'linear') return ratioLimit(`${name}, by ${of}: above linear`, aboveLinear(one), MOST_ABOVE_LINEAR);
  return ratioLimit(`${name}, by ${of}: above constant`, aboveConstant(one), MOST_ABOVE_CONSTANT);
}

/** What people wait for with the most plans, in milliseconds of processor time. */
const MOST_FOR_A_LOOK = 500;

function isLookedAt({ of, name }) {
  return of === 'plans' && ['cadre status', 'cadre why'].includes(name);
}

function lookLimit({ name, counts, costs }) {
  return timeLimit(`${name} with ${counts.at(-1)} plans`, costs.at(-1), MOST_FOR_A_LOOK);
}

/** What the last step up adds for each plan, record or session, as a multiple of what the steps before it added for each. */
function aboveLinear({ counts, costs }) {
  const [fewest, before, most] = [costs[0], costs.at(-2), costs.at(-1)];
  const each = Math.max(before - fewest, NOISE) / (counts.at(-2) - counts[0]);
  return Math.max(0, most - before) / (counts.at(-1) - counts.at(-2)) / each;
}

function aboveConstant({ costs }) {
  return costs.at(-1) / costs[0];
}
