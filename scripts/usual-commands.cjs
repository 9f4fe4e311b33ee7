// Runs the usual commands with a built program: node usual-commands.cjs <folder of the build> <starts of its packs> [keep]
// Prints to descriptor 3 which modules each kind of command is the first to use. With "keep", it stores what V8 made of them.
const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync, writeSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');
const { PassThrough } = require('node:stream');

/** The first is what is run most often. What none of them uses is loaded when it is needed, all at once. */
const KINDS = [
  [['status']],
  [
    ['move', 'x', 'plan_start'],
    ['signal', 'planner-finished', '--plan', 'x'],
    ['why', 'x'],
    ['status', '--json'],
  ],
  // Without a command: the terminal interface, and in it the engine.
  [[]],
];

const folder = resolve(process.argv[2]);
const starts = JSON.parse(process.argv[3]);
const isKept = process.argv[4] === 'keep';
const { compiledPath, openPacks, packPath } = require(join(folder, 'packs.js'));

const base = mkdtempSync(join(tmpdir(), 'cadre-build-'));
process.once('exit', () => rmSync(base, { recursive: true, force: true }));
const root = join(base, 'repo');
/** So many that there is a checkpoint. */
const PLANS = ['x.md', ...Array.from({ length: 99 }, (_, at) => `plan-${at}.md`)];
mkdirSync(join(root, 'docs', 'plans'), { recursive: true });
for (const plan of PLANS)
  writeFileSync(join(root, 'docs', 'plans', plan), `# ${plan}\n\n## Phase 1: One\n\n### Task 1: A\n\n### Task 2: B\n`);
execFileSync('git', ['init', '-q', '.'], { cwd: root });
process.chdir(root);
process.env.CADRE_HOME = join(base, 'home');

runUsual().then(() => process.exit(0));

async function runUsual() {
  await register(openPacks(folder, starts).use(0));
  const packs = openPacks(folder, starts);
  const kinds = [];
  for (const [at, commands] of KINDS.entries()) {
    const before = new Set(packs.used());
    for (const words of commands) await (words.length > 0 ? run(packs, words) : runOnTerminal(packs));
    kinds.push(packs.used().filter((module) => !before.has(module)));
    // Now, without what the other kinds of command use of it: the less there is, the sooner it is loaded.
    if (isKept) keep(packs, at);
  }
  if (isKept) keep(packs, KINDS.length);
  writeSync(3, JSON.stringify(kinds));
}

/** As it is in a repository in use: the engine has read the plan files, and there are records after the checkpoint. */
async function register({ openPorts }) {
  const { gateway, planFiles } = openPorts({ cwd: root, env: process.env, pid: process.pid, command: 'cadre' });
  const facts = { by: { who: 'user' }, description: '', topic: '', planFileExists: true };
  await gateway.submit(PLANS.map((plan) => ({ kind: 'register', plan, ...facts })));
  await gateway.submit(PLANS.map((plan) => ({ kind: 'read', plan, outline: planFiles.read(plan).outline })));
  await gateway.submit([{ kind: 'move', plan: 'plan-0.md', event: 'plan_start', by: facts.by }]);
}

async function run(packs, words) {
  if ((await packs.use(0).run(words)) !== 0) throw new Error(`cadre ${words.join(' ')} failed.`);
}

/** A terminal on which somebody quits when everything has started. */
async function runOnTerminal(packs) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: none });
  for (const [name, value] of Object.entries({ stdin, stdout: { ...SCREEN, on: none, off: none }, stderr: SCREEN }))
    Object.defineProperty(process, name, { value });
  let before = 0;
  const looking = setInterval(() => {
    const { length } = packs.used();
    if (length === before) stdin.write('q');
    before = length;
  }, SETTLED);
  await run(packs, []);
  clearInterval(looking);
}

/** In milliseconds: when no other module was used for this long, nothing more is going to start. */
const SETTLED = 700;
const SCREEN = { isTTY: true, columns: 120, rows: 40, write: none };

function none() {}

function keep(packs, at) {
  const path = compiledPath(packPath(folder, at));
  writeFileSync(`${path}.tmp`, packs.compiled(at));
  renameSync(`${path}.tmp`, path);
}
