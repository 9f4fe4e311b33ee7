// Runs test/programs: cadre with the real agent programs, in a network that has nothing but this machine, against a model
// that follows a script. `npm run test:agents -- claude codex` tries only these, `-- claude workshop` only that story.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const PROGRAMS = JSON.parse(readFileSync('test/programs/programs.json', 'utf8'));
const CACHE = resolve(process.env.CADRE_AGENTS_CACHE ?? join(homedir(), '.cache', 'cadre-agents'));
const STORIES = readdirSync('test/programs').flatMap((name) => /^(.+)\.test\.ts$/.exec(name)?.slice(1) ?? []);
const words = process.argv.slice(2);
const stories = words.filter((word) => STORIES.includes(word));
const wanted = words.filter((word) => !STORIES.includes(word));

const unknown = wanted.filter((name) => !Object.hasOwn(PROGRAMS, name));
if (unknown.length > 0)
  end(2, `Not known: ${unknown.join(', ')}. There are ${[...Object.keys(PROGRAMS), ...STORIES].join(', ')}.`);
/** Loopback alone, and sockets of tmux that nobody else sees and that go with all the rest. */
const FIRST =
  'ip link set lo up && mkdir -p -m 700 "/tmp/tmux-$(id -u)" && mount -t tmpfs -o mode=700 none "/tmp/tmux-$(id -u)"';
const apart = waysApart().find(([program, ...argv]) => spawnSync(program, [...argv, FIRST]).status === 0);
if (apart === undefined)
  end(
    5,
    'This machine allows no namespace for network and processes (unshare(1), ip(8)), and the agent programs are not run with a network. Run it as root, or where user namespaces are allowed.',
  );
if (spawnSync('tmux', ['-V']).status !== 0) end(5, 'tmux is not installed, and half of the cells need it.');

const names = wanted.length === 0 ? Object.keys(PROGRAMS) : wanted;
const folders = [];
for (const name of names) folders.push(await install(name, PROGRAMS[name]));
removeLeftovers();
// Not in /tmp, where sandboxes of these programs let anything be written.
const base = mkdtempSync(join(CACHE, `run-${process.pid}-`));
try {
  process.exitCode = await runApart(apart, base);
  printTable(join(base, 'results.ndjson'));
} finally {
  rmSync(base, { recursive: true, force: true });
}

/**
 * In a process namespace whatever is left running ends with its first process, however that ends, and there is nothing
 * else to be seen in it. A user that is not root needs a user namespace around the others.
 */
function waysApart() {
  const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc', '--', 'sh', '-c'];
  return [
    ['unshare', ...namespaces],
    ['unshare', '--map-root-user', ...namespaces],
  ];
}

/** Into a separate folder, which gets its name only when it is complete. The packages' own scripts do not run. */
async function install(name, { package: from, version, file }) {
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(join(part, 'bin'), { recursive: true });
  const path = file.replace('{platform}', process.platform).replace('{arch}', process.arch);
  symlinkSync(join('..', 'node_modules', path), join(part, 'bin', name));
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const began = performance.now();
  const telling = setInterval(() => {
    console.log(`installing ${name} ${version} into ${CACHE}: ${Math.round((performance.now() - began) / 1000)} s`);
  }, 1_000);
  const status = await statusOf(spawn('npm', ['install', ...options, '--prefix', part, `${from}@${version}`]));
  clearInterval(telling);
  if (status !== 0 || !existsSync(join(part, 'bin', name)))
    end(1, `${from} ${version} could not be installed, or holds no program for this machine. npm says above why.`);
  renameSync(part, folder);
  return folder;
}

/** Of runs that were killed themselves. */
function removeLeftovers() {
  for (const name of readdirSync(CACHE)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

async function runApart([program, ...argv], folder) {
  // sh stays, as the first process of the namespace, because it waits for whatever loses its parent.
  const files = stories.map((story) => `test/programs/${story}.test.ts`).join(' ');
  const tests = `${FIRST} && npx vitest run --config test/programs/vitest.config.ts ${files}; exit $?`;
  const child = spawn(program, [...argv, tests], {
    env: {
      ...process.env,
      TMPDIR: folder,
      CADRE_AGENTS: names.join(','),
      CADRE_AGENTS_RESULTS: join(folder, 'results.ndjson'),
      PATH: [...folders.map((one) => join(one, 'bin')), process.env.PATH].join(':'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGKILL'));
  return (await statusOf(child)) === 0 ? 0 : 1;
}

function statusOf(child) {
  child.stderr?.pipe(process.stderr);
  child.stdout?.resume();
  return new Promise((ended) => child.once('close', ended).once('error', () => ended(1)));
}

function printTable(results) {
  if (!existsSync(results)) return;
  console.log();
  const rows = readFileSync(results, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const cells = [['program', 'version', 'host', 'seconds', 'seen'], ...rows];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => String(row[column]).length)));
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function end(code, sentence) {
  console.error(sentence);
  process.exit(code);
}
