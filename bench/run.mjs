// Runs the benchmarks, all of them or those named, and fails when one thing costs more of another than it may.
import { measureGrowth } from './growth.mjs';
import { measureHosts } from './hosts.mjs';
import { measureIdleEngine } from './idle-engine.mjs';
import { measureInterface } from './interface.mjs';
import { measureOverhead } from './overhead.mjs';
import { measureParallel } from './parallel.mjs';
import { writePerformance } from './performance-page.mjs';
import { measurePlanFiles } from './plan-files.mjs';
import { measureRecovery } from './recovery.mjs';
import { isMissed, printReport } from './report.mjs';
import { measureRunGit } from './run-git.mjs';
import { openScratch } from './scratch.mjs';
import { measureSignalLatency } from './signal-latency.mjs';
import { measureStartUp } from './start-up.mjs';
import { measureTransitionCost } from './transition-cost.mjs';

const BENCHMARKS = new Map([
  ['start-up', measureStartUp],
  ['signal-latency', measureSignalLatency],
  ['transition-cost', measureTransitionCost],
  ['recovery', measureRecovery],
  ['plan-files', measurePlanFiles],
  ['hosts', measureHosts],
  ['idle-engine', measureIdleEngine],
  ['run-git', measureRunGit],
  ['overhead', measureOverhead],
  ['parallel', measureParallel],
  ['growth', measureGrowth],
  ['interface', measureInterface],
]);

// A signal alone would end the process without its exit handlers, which clean up.
for (const [name, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.once(name, () => process.exit(code));

const json = process.argv.includes('--json');
const isWritten = process.argv.includes('--write');
const asked = process.argv.slice(2).filter((word) => word !== '--json' && word !== '--write');
const unknown = asked.find((name) => !BENCHMARKS.has(name));
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}". There are: ${[...BENCHMARKS.keys()].join(', ')}.`);
  process.exit(2);
}

const missed = [];
const reports = new Map();
for (const name of asked.length > 0 ? asked : BENCHMARKS.keys()) {
  const report = await inScratch(BENCHMARKS.get(name));
  if (json)
    console.log(
      JSON.stringify({ name, limits: report.limits.map(({ name: of, value, most }) => ({ of, value, most })) }),
    );
  else printReport(report);
  reports.set(name, report);
  missed.push(...report.limits.filter(isMissed));
}
if (isWritten) writePerformance(reports, [...BENCHMARKS.keys()]);
if (json) process.exitCode = missed.some(({ kind }) => kind === 'ratio') ? 1 : 0;
else conclude();

async function inScratch(measure) {
  const scratch = openScratch();
  process.once('exit', scratch.close);
  try {
    return await measure(scratch);
  } finally {
    process.off('exit', scratch.close);
    scratch.close();
  }
}

function conclude() {
  const ratios = missed.filter(({ kind }) => kind === 'ratio').length;
  const times = missed.length - ratios;
  console.log(`\nLimits missed: ${ratios} of ratios, ${times} of milliseconds.`);
  if (times > 0) console.log('Milliseconds depend on the machine, so a miss there does not fail the run.');
  process.exitCode = ratios === 0 ? 0 : 1;
}
