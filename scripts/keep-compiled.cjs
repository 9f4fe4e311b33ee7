// Runs a built program once and keeps what V8 made of it: node keep-compiled.cjs <folder of the build>
const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv[2]);
const { keptFor, loadCompiled } = require(join(folder, 'compiled.js'));
const path = join(folder, 'program.js');
const base = mkdtempSync(join(tmpdir(), 'cadre-build-'));
process.once('exit', () => rmSync(base, { recursive: true, force: true }));

const root = join(base, 'repo');
mkdirSync(join(root, 'docs', 'plans'), { recursive: true });
writeFileSync(join(root, 'docs', 'plans', 'x.md'), '# X\n\n## Phase 1: One\n\n### Task 1: A\n\n### Task 2: B\n');
execFileSync('git', ['init', '-q', '.'], { cwd: root });
process.chdir(root);
process.env.CADRE_HOME = join(base, 'home');

const program = loadCompiled(path);
run().then(() => {
  writeFileSync(`${keptFor(path)}.tmp`, program.compiled());
  renameSync(`${keptFor(path)}.tmp`, keptFor(path));
});

/** What is run most; the rest is compiled when it is first needed, as ever. */
async function run() {
  for (const words of ['register x', 'status', 'move x plan_start', 'why x', 'status --json'])
    if ((await program.exports.run(words.split(' '))) !== 0) throw new Error(`cadre ${words} failed.`);
}
