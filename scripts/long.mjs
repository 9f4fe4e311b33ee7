// The long form of the tests that look for lost work, and the record of what they found: docs/reliability.json.
// Each part is taken up again where it was stopped, until all of them are done: npm run test:long
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const STATE = 'node_modules/.cadre/long';
const RUNS = 500_000;
const KILLS = 1_000;
const RUN_KILLS = 60;
const WORKSHOP_KILLS = 40;
const CHAOS_DEMOS = 20;
const FLOOD = 20_000;
const HOSTILE_RUNS = 20_000;
const RACING = 100_000;

const PARTS = {
  simulation: () =>
    JSON.parse(output(['node', 'scripts/simulate.mjs', '--runs', String(RUNS), '--resume', `${STATE}/simulation`])),
  kills: () => {
    const result = `${STATE}/kills-result.json`;
    const argv = ['npx', 'vitest', 'run', 'test/crash/kills.test.ts'];
    output(argv, { CADRE_KILLS: String(KILLS), CADRE_KILLS_RESULT: result });
    return JSON.parse(readFileSync(result, 'utf8'));
  },
  // Engines that are killed while they build plans; the test itself says what must hold.
  runKills: () => {
    const argv = ['npx', 'vitest', 'run', '--project', 'real', 'test/e2e/runs-kills.test.ts'];
    output(argv, { CADRE_RUN_KILLS: String(RUN_KILLS) });
    return { kills: RUN_KILLS };
  },
  workshopKills: () => {
    const result = `${STATE}/workshop-kills-result.json`;
    const argv = ['npx', 'vitest', 'run', '--project', 'alone', 'test/crash/workshop.test.ts'];
    output(argv, { CADRE_WORKSHOP_KILLS: String(WORKSHOP_KILLS), CADRE_WORKSHOP_RESULT: result });
    return JSON.parse(readFileSync(result, 'utf8'));
  },
  hostile: () => {
    const argv = ['npx', 'vitest', 'run', '--project', 'real', 'test/search/hostile.test.ts'];
    output(argv, { CADRE_HOSTILE_RUNS: String(HOSTILE_RUNS) });
    return { runs: HOSTILE_RUNS };
  },
  racing: () => {
    output(['npx', 'vitest', 'run', 'test/crash/racing-reads.test.ts'], { CADRE_RACING: String(RACING) });
    return { operations: RACING };
  },
  flood: () => {
    output(['npx', 'vitest', 'run', 'test/e2e/flood.test.ts'], { CADRE_FLOOD: String(FLOOD) });
    return { signals: FLOOD };
  },
  // Whole demos whose engine, git, agents and "cadre run" are killed; the test itself says what must hold.
  chaos: () => {
    const argv = ['npx', 'vitest', 'run', '--project', 'real', 'test/e2e/demo-chaos.test.ts'];
    output(argv, { CADRE_CHAOS_DEMOS: String(CHAOS_DEMOS) });
    return { demos: CHAOS_DEMOS };
  },
  mutants: () =>
    output(['node', 'scripts/simulate.mjs', '--mutants', '--json'])
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  recovery: () => JSON.parse(output(['node', 'bench/run.mjs', 'recovery', '--json']).trimEnd().split('\n').at(-1)),
};

mkdirSync(STATE, { recursive: true });
const results = {};
for (const [name, run] of Object.entries(PARTS)) {
  const done = `${STATE}/${name}.json`;
  if (!existsSync(done)) {
    console.log(`${name} ...`);
    writeFileSync(done, JSON.stringify(run()));
  }
  results[name] = JSON.parse(readFileSync(done, 'utf8'));
  console.log(`${name}: done`);
}

const { failures, ...simulation } = results.simulation;
// A campaign in which little went wrong, or little was done, would show nothing.
// The made-up stories, of which a long one has most, see less accepted than the scripts.
if (simulation.faults < RUNS * 0.8 || simulation.accepted < RUNS * 1.5 || results.kills.kills < KILLS * 0.9)
  throw new Error(`Too little happened: ${JSON.stringify({ ...simulation, ...results.kills })}`);
const figures = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  simulation: { ...simulation, violations: failures.length },
  kills: results.kills,
  runKills: results.runKills,
  workshopKills: results.workshopKills,
  chaos: results.chaos,
  racing: results.racing,
  flood: results.flood,
  hostile: results.hostile,
  mutants: results.mutants,
  recovery: results.recovery,
};
writeFileSync('docs/reliability.json', `${JSON.stringify(figures, null, 2)}\n`);
rmSync(STATE, { recursive: true });
console.log('wrote docs/reliability.json; "npm run gen" makes docs/reliability.md from it');

function output([program, ...argv], env = {}) {
  const result = spawnSync(program, argv, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0) {
    console.error(result.stdout);
    console.error(`${[program, ...argv].join(' ')} failed. Run npm run test:long again to continue from here.`);
    process.exit(1);
  }
  return result.stdout;
}
