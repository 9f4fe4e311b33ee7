// Runs the simulation: `npm run simulate` for the short form, `-- --runs 500000` for more, `-- --repeat <id>` for one run.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const bundled = resolve('node_modules/.cadre/campaign.mjs');
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};

if (option('worker') !== undefined) await work();
else await lead();

async function lead() {
  await build({
    entryPoints: ['test/simulation/campaign.ts'],
    outfile: bundled,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  if (option('repeat') !== undefined) return repeat(option('repeat'));
  const of = Number(option('workers', availableParallelism()));
  const started = performance.now();
  const shares = await Promise.all(Array.from({ length: of }, (_none, worker) => startWorker(worker, of)));
  const tally = { runs: 0, kills: 0, powerFailures: 0, errors: 0, faults: 0, accepted: 0, failures: [] };
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
  const { campaign } = await import(pathToFileURL(bundled).href);
  const share = { runs: Number(option('runs', 100_000)), worker: Number(option('worker')), of: Number(option('of')) };
  process.stdout.write(JSON.stringify(await campaign(share)));
}

async function repeat(id) {
  const { jobFrom, runJob } = await import(pathToFileURL(bundled).href);
  const outcome = await runJob(jobFrom(id));
  console.log(JSON.stringify(outcome, null, 2));
  process.exit(outcome.violations.length === 0 ? 0 : 1);
}

function startWorker(worker, of) {
  const argv = [
    'scripts/simulate.mjs',
    '--worker',
    String(worker),
    '--of',
    String(of),
    '--runs',
    String(option('runs', 100_000)),
  ];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((done, failed) =>
    child.once('exit', () => (output === '' ? failed(new Error('A worker died.')) : done(JSON.parse(output)))),
  );
}
