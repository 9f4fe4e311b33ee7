// The planner of a workshop, as a program that an agent runs: hands in the document that the workshop needs next, and
// another one where that is invalid. What it hands in depends on the workshop alone.
// Usage: node planner.mjs <main.js of cadre> <file with the documents, by their names>
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const [main, documents] = process.argv.slice(2);
const { openPorts } = createRequire(import.meta.url)(join(dirname(main), 'program.js'));
const ports = openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: 'planner' });
const texts = JSON.parse(readFileSync(documents, 'utf8'));

for (let tries = 0; tries < 5; tries++) {
  const { workshop } = (await ports.gateway.look()).plans.get(process.env.CADRE_PLAN);
  writeFileSync('document.json', texts[nameOf(workshop)]);
  const argv = [main, 'signal', 'round-finished', '--body-file', 'document.json'];
  if (spawnSync(process.execPath, argv, { stdio: 'inherit' }).status === 0) break;
}

/** As `nextName` of test/simulation/simulated-planner.ts. */
function nameOf({ state, versions, questions, invalid }) {
  if (state === 'formalizing') return versions.length > 0 ? 'second' : 'first';
  if (versions.length > 0) return 'again';
  if (state === 'clarifying') return 'asks';
  if (questions.some(({ id }) => id === 'limit')) return 'ready';
  return invalid === 0 ? 'invalid' : 'limit';
}
