// Shows the gateway at work on a temporary repository: a plan goes through its states, agents speak, and one oversteps.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const main = resolve('dist/main.js');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-demo-')));
const root = join(base, 'repo');
const env = { ...process.env, HOME: base, CADRE_HOME: join(base, 'home') };
const signals = join(root, 'docs', 'plans', '.signals');
let engine;

try {
  await demo();
} finally {
  engine?.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
}

function writePlan(...tasks) {
  const headings = tasks.map((name, index) => `### Task ${index + 1}: ${name}\n`);
  const text = ['# Full-text search\n', '**Goal:** Find things.\n', ...headings].join('\n');
  writeFileSync(join(root, 'docs', 'plans', 'search.md'), text);
}

async function demo() {
  title('A repository with one plan');
  mkdirSync(join(root, 'docs', 'plans'), { recursive: true });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=demo', '-c', 'user.email=demo@localhost', 'commit', '-q', '--allow-empty', '-m', 'start');
  writePlan('Tokenizer', 'Index');
  cadre('register', 'search');

  title('The engine starts; from now on its lines are marked with |');
  const seen = await startEngine();

  title('While it is watched, the plan is edited: a task is put in front, and the others keep what they have');
  writePlan('Measure', 'Tokenizer', 'Index');
  await seen(/file read: 3 tasks/);
  cadre('status');

  title('A person starts planning; the planner says with a file that it has finished');
  cadre('move', 'search', 'plan_start');
  drop('planner-finished-search.md');
  await seen(/planning -> ready/);

  title('A person starts implementing; the implementer speaks from its session');
  cadre('move', 'search', 'implement_start');
  const implementer = { CADRE_SESSION: 'demo-1', CADRE_ROLE: 'implementer', CADRE_PLAN: 'search.md' };
  cadreAs(implementer, 'signal', 'implement-finished');
  await seen(/implementing -> reviewing/);

  title('It tries to approve its own work, and to cancel the plan: both are refused');
  cadreAs(implementer, 'signal', 'review-approved');
  cadreAs(implementer, 'cancel', 'search');
  drop('cancel-search.md');
  await seen(/refused cancel/);
  cadre('quarantine');

  title('The reviewer asks for changes; what it wrote is in the journal before its file goes');
  drop('review-changes-search.md', 'The empty query has no test.\n');
  await seen(/reviewing -> implementing/);
  cadre('why', 'search');

  title('The engine is killed in the middle of things (kill -9); a signal waits until the next one starts');
  engine.kill('SIGKILL');
  await new Promise((gone) => engine.once('exit', gone));
  cadreAs(implementer, 'signal', 'implement-finished');
  cadre('status');
  const again = await startEngine();
  await again(/implementing -> reviewing/);

  title('Approved');
  drop('review-approved-search.md');
  await again(/reviewing -> done/);
  cadre('status');
  cadre('log');
  cadre('doctor');
}

async function startEngine() {
  engine = spawn(process.execPath, [main, 'watch'], { cwd: root, env });
  const lines = [];
  const waiting = new Set();
  for (const stream of [engine.stdout, engine.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      console.log(`    | ${line}`);
      lines.push(line);
      for (const look of waiting) look();
    });
  const seen = (pattern) =>
    new Promise((found, failed) => {
      const look = () => {
        if (!lines.some((line) => pattern.test(line))) return;
        waiting.delete(look);
        clearTimeout(limit);
        found();
      };
      const limit = setTimeout(() => failed(new Error(`The engine did not say ${pattern}.`)), 10_000);
      waiting.add(look);
      look();
    });
  await seen(/^Engine of/);
  return seen;
}

function drop(name, text = '') {
  console.log(`  $ ${text === '' ? 'touch' : `echo "${text.trim()}" >`} docs/plans/.signals/${name}`);
  writeFileSync(join(signals, name), text);
}

function cadre(...argv) {
  cadreAs({}, ...argv);
}

function cadreAs(session, ...argv) {
  const who = session.CADRE_ROLE === undefined ? '$' : `(${session.CADRE_ROLE}) $`;
  console.log(`  ${who} cadre ${argv.join(' ')}`);
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...argv], {
    cwd: root,
    env: { ...env, ...session },
    encoding: 'utf8',
  });
  for (const line of (stdout + stderr).trimEnd().split('\n')) console.log(`    ${line}`);
}

function git(...argv) {
  spawnSync('git', argv, { cwd: root, env, stdio: 'inherit' });
}

function title(text) {
  console.log(`\n== ${text}`);
}
