// Runs the simulation: `npm run simulate` for the short form, `-- --runs 500000` for more, `--from 20000` to leave out the
// first ones, `--story workshop` for the stories that have this in their names, `-- --repeat <id>` for one run,
// `-- --mutants` to break the program on purpose, in every way there is (`--only <words of its name>` in one of them), and
// see the simulation notice.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, mutation } from './mutation.mjs';

const CAMPAIGN = 'test/simulation/campaign.ts';
const bundled = resolve('node_modules/.cadre/campaign.mjs');
/** There is a worker for each core, so that threads which collect garbage beside it only take time from the others. */
const ALL_CORES_ARE_BUSY = ['--single-threaded-gc', '--max-semi-space-size=64'];
const asJson = process.argv.includes('--json');
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};

if (option('worker') !== undefined) await work();
else if (process.argv.includes('--mutants')) await breakOnPurpose();
else await lead();

async function breakOnPurpose() {
  const list = resolve('node_modules/.cadre/mutants.mjs');
  await bundle(list, 'test/simulation/mutants.ts');
  const all = (await import(pathToFileURL(list).href)).MUTANTS;
  const MUTANTS = all.filter((mutant) => mutant.name.includes(option('only', '')));
  const left = MUTANTS.map((mutant, number) => ({ mutant, number }));
  const survivors = [];
  const next = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const { failures, runs } = await (one.mutant.suite === undefined ? simulated(one) : tested(one));
      if (failures.length === 0) survivors.push(one.mutant.name);
      report(one.mutant.name, runs, failures[0]);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  if (!asJson) console.log(`${MUTANTS.length - survivors.length} of ${MUTANTS.length} mutants caught`);
  process.exit(survivors.length === 0 ? 0 : 1);
}

function report(mutant, runs, failure) {
  const shown = failure?.violations[0].split('\n')[0].slice(0, 100);
  if (asJson) console.log(JSON.stringify({ mutant, caughtBy: failure?.id ?? null, runs, shown }));
  else
    console.log(
      `${mutant}: ${failure === undefined ? 'NOT CAUGHT' : `caught by "${failure.id}" after ${runs} run(s): ${shown}`}`,
    );
}

/** By chance first, which is quick for most; then a fault at every place. */
async function simulated({ mutant, number }) {
  const campaign = resolve(`node_modules/.cadre/mutant-${number}.mjs`);
  await bundle(campaign, CAMPAIGN, mutant);
  const stop = ['--stop-after', '1'];
  try {
    if (mutant.story !== undefined)
      return await startWorker(0, 1, campaign, ['--story', mutant.story, '--runs', '5000', ...stop]);
    const first = await startWorker(0, 1, campaign, ['--by-chance', '--runs', '3000', ...stop]);
    return first.failures.length > 0 ? first : await startWorker(0, 1, campaign, ['--runs', '40000', ...stop]);
  } finally {
    rmSync(campaign);
  }
}

/** By tests of the real program and of its source, both broken. */
async function tested({ mutant, number }) {
  const dist = resolve(`node_modules/.cadre/dist-${number}`);
  const { bundle: buildProgram } = await import('./build.mjs');
  await buildProgram(dist, [mutation(mutant)]);
  const { test, only } = mutant.suite;
  const words = ['vitest', 'run', test, ...(only === undefined ? [] : ['-t', only])];
  const child = spawn('npx', words, {
    env: { ...process.env, CADRE_DIST: dist, CADRE_MUTANT: JSON.stringify(mutant) },
    stdio: 'ignore',
  });
  const code = await new Promise((ended) => child.once('close', ended));
  rmSync(dist, { recursive: true });
  return { runs: 1, failures: code === 0 ? [] : [{ id: test, violations: ['the test fails'] }] };
}

async function lead() {
  await bundle(bundled, CAMPAIGN);
  if (option('repeat') !== undefined) return repeat(option('repeat'));
  const of = Number(option('workers', availableParallelism()));
  const started = performance.now();
  const shares = await Promise.all(Array.from({ length: of }, (_none, worker) => startWorker(worker, of)));
  const tally = { runs: 0, kills: 0, powerFailures: 0, errors: 0, invented: 0, faults: 0, accepted: 0, failures: [] };
  for (const share of shares)
    for (const [key, value] of Object.entries(share))
      tally[key] = Array.isArray(value) ? [...tally[key], ...value] : tally[key] + value;
  const seconds = (performance.now() - started) / 1000;
  console.log(JSON.stringify({ ...tally, seconds: Number(seconds.toFixed(1)) }));
  for (const failure of tally.failures.slice(0, 5))
    console.error(`npm run simulate -- --repeat "${failure.id}"\n  ${failure.violations.join('\n  ')}`);
  process.exit(tally.failures.length === 0 ? 0 : 1);
}

async function work() {
  // Planted errors are thrown by the million, and nobody reads where.
  Error.stackTraceLimit = 0;
  const { campaign } = await import(pathToFileURL(option('campaign', bundled)).href);
  const share = {
    runs: Number(option('runs', 100_000)),
    worker: Number(option('worker')),
    of: Number(option('of')),
    from: Number(option('from', 0)),
    byChance: process.argv.includes('--by-chance'),
    story: option('story'),
  };
  const file = option('resume') === undefined ? undefined : `${option('resume')}-${share.worker}.json`;
  const before = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const save = (progress) => {
    if (file === undefined) return;
    writeFileSync(`${file}.tmp`, JSON.stringify(progress));
    renameSync(`${file}.tmp`, file);
  };
  const tally = await campaign(share, Number(option('stop-after', 20)), before, save);
  if (file !== undefined) rmSync(file, { force: true });
  process.stdout.write(JSON.stringify(tally));
}

async function repeat(id) {
  const { jobFrom, runJob } = await import(pathToFileURL(bundled).href);
  const outcome = await runJob(jobFrom(id));
  console.log(JSON.stringify(outcome, null, 2));
  process.exit(outcome.violations.length === 0 ? 0 : 1);
}

function startWorker(worker, of, campaign = bundled, more = []) {
  const runs = more.includes('--runs') ? [] : ['--runs', String(option('runs', 100_000))];
  const resume = option('resume') === undefined ? [] : ['--resume', option('resume')];
  const from = ['--from', option('from', '0')];
  const story = option('story') === undefined ? [] : ['--story', option('story')];
  const argv = [
    '--worker',
    String(worker),
    '--of',
    String(of),
    ...runs,
    ...from,
    ...story,
    ...resume,
    '--campaign',
    campaign,
    ...more,
  ];
  const child = spawn(process.execPath, [...ALL_CORES_ARE_BUSY, 'scripts/simulate.mjs', ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    child.kill();
    process.exitCode = 1;
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  child.once('exit', () => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((done, failed) =>
    child.once('close', () => (output === '' ? failed(new Error('A worker was stopped.')) : done(JSON.parse(output)))),
  );
}
