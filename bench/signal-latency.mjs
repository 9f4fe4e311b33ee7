// How long after an agent has spoken plan-state.json shows it, with an engine at rest and few or many plans.
import { closeSync, fdatasyncSync, openSync, readFileSync, statSync, watch, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, milliseconds, quantile, timeLimit } from './report.mjs';
import { gatewayOf, MAIN, moveOf, submit } from './scratch.mjs';

const PLAN_COUNTS = [1, 1000];
const COMMAND_SAMPLES = 60;
const SENTINEL_SAMPLES = 200;
const WARM_UPS = 5;
const MOST_IN_THE_MIDDLE = 10;
const MOST_AT_THE_END = 50;

/** Longer than the engine needs to finish what the step back has left it to do, and never in step with its rescan. */
const REST = { least: 30, spread: 30 };
const GIVE_UP_AFTER = 5_000;

const WAYS = [
  { name: 'cadre signal', samples: COMMAND_SAMPLES, speak: speakByCommand },
  { name: 'touch', samples: SENTINEL_SAMPLES, speak: speakByFile },
];

export async function measureSignalLatency(scratch) {
  const measured = [];
  for (const count of PLAN_COUNTS) {
    const repo = await scratch.repoWithPlans(`signals-${count}`, count);
    const engine = await scratch.startEngine(repo);
    for (const way of WAYS) measured.push({ way, count, ...(await samplesOf(scratch, way, repo, engine)) });
    engine.kill('SIGKILL');
  }
  return report(measured);
}

async function samplesOf(scratch, way, repo, engine) {
  const gateway = gatewayOf(repo);
  const plan = repo.plans[Math.floor(repo.plans.length / 2)];
  const latencies = [];
  const appends = [];
  for (let sample = -WARM_UPS; sample < way.samples; sample++) {
    await submit(gateway, [moveOf(plan, 'plan_start')]);
    await pause(REST.least + Math.random() * REST.spread);
    if (engine.exitCode !== null || engine.signalCode !== null) throw new Error('The engine has ended.');
    const append = timeOfBareAppend(join(repo.root, 'bare-append'));
    const latency = await latencyOf(scratch, way, repo, plan);
    if (sample < 0) continue;
    appends.push(append);
    latencies.push(latency);
  }
  return { latencies, appends };
}

/** What a disk needs to keep one line of the journal's length: the least that any durable step can cost. */
function timeOfBareAppend(path) {
  const file = openSync(path, 'a');
  try {
    const started = performance.now();
    writeSync(file, `${'x'.repeat(299)}\n`);
    fdatasyncSync(file);
    return performance.now() - started;
  } finally {
    closeSync(file);
  }
}

/**
 * Time from the end of speaking to the new file being seen; 0 when it was there before.
 * Heard through fs.watch, because looking without a pause takes a core from the engine and from the disk's driver:
 * with two cores it more than doubled what it measured.
 */
async function latencyOf(scratch, way, repo, plan) {
  const before = versionOf(repo.planState);
  const change = firstChange(repo.plansFolder, () => versionOf(repo.planState) !== before);
  try {
    const spoken = await way.speak(scratch, repo, plan);
    const seen = await change.seen;
    requireStatus(repo, plan, 'ready');
    return Math.max(0, seen - spoken);
  } finally {
    change.forget();
  }
}

/** When something in the folder first made it true; fails when nothing does. */
function firstChange(folder, holds) {
  let watcher;
  let timer;
  const seen = new Promise((resolve, reject) => {
    watcher = watch(folder, () => {
      if (holds()) resolve(performance.now());
    });
    timer = setTimeout(
      () => reject(new Error(`plan-state.json did not change in ${GIVE_UP_AFTER} ms.`)),
      GIVE_UP_AFTER,
    );
  });
  // If signalling failed, nobody waits for this, and its own failure is not news.
  seen.catch(() => undefined);
  return {
    seen,
    forget() {
      watcher.close();
      clearTimeout(timer);
    },
  };
}

/** plan-state.json is replaced as a whole, so every version is another file. */
function versionOf(path) {
  const { ino, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${mtimeNs}`;
}

function requireStatus(repo, plan, status) {
  const found = JSON.parse(readFileSync(repo.planState, 'utf8')).plans[plan].status;
  if (found !== status) throw new Error(`plan-state.json changed, and says that ${plan} is ${found}, not ${status}.`);
}

/** Speaking has ended when this process has been told of the command's end, as an agent's shell would be. */
async function speakByCommand(scratch, repo, plan) {
  return (await scratch.run([MAIN, 'signal', 'planner-finished', '--plan', plan], repo)).ended;
}

async function speakByFile(_scratch, { plansFolder }, plan) {
  writeFileSync(join(plansFolder, '.signals', `planner-finished-${plan}`), '');
  return performance.now();
}

function report(measured) {
  const named = ({ way, count }) => `${way.name}, ${count} plan${count === 1 ? '' : 's'}`;
  return {
    title: 'signal-latency: from the end of speaking to plan-state.json showing it, beside one bare append + fdatasync',
    tables: [
      [
        ['spoken by', 'samples', 'there before', 'p50', 'p99', 'append p50', 'append p99', 'ratio of p50'],
        ...measured.map((one) => [
          named(one),
          String(one.latencies.length),
          String(one.latencies.filter((latency) => latency === 0).length),
          milliseconds(median(one.latencies)),
          milliseconds(quantile(one.latencies, 0.99)),
          milliseconds(median(one.appends)),
          milliseconds(quantile(one.appends, 0.99)),
          `${(median(one.latencies) / median(one.appends)).toFixed(1)} x`,
        ]),
      ],
    ],
    notes: [],
    limits: measured.flatMap((one) => [
      timeLimit(`${named(one)}: p50`, median(one.latencies), MOST_IN_THE_MIDDLE),
      timeLimit(`${named(one)}: p99`, quantile(one.latencies, 0.99), MOST_AT_THE_END),
    ]),
  };
}
