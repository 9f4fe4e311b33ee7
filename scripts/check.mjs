// What must hold besides the tests: types, lint and format, generated pages. With --quick: types, lint and most pure tests.
import { spawnSync } from 'node:child_process';

const quick = process.argv.includes('--quick');

const steps = [
  ['types', ['npx', 'tsc', '--noEmit', '-p', '.']],
  ['lint and format', ['npx', 'biome', 'ci', '.']],
  ...(quick
    ? [['pure tests', ['npx', 'vitest', 'run', '--project', 'pure']]]
    : [['generated pages', ['node', 'scripts/gen.mjs', '--check']]]),
];

let failed = 0;
for (const [name, [program, ...args]] of steps) {
  const started = performance.now();
  const result = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, CADRE_TESTS: 'short' } });
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${result.status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${took})`);
  if (result.status !== 0) {
    failed += 1;
    console.log(result.stdout + result.stderr);
  }
}
process.exit(failed === 0 ? 0 : 1);
