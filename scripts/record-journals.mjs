// Records the journals that must replay for ever: node scripts/record-journals.mjs <dist> <folder>. Run once for each release,
// with its own build; what it writes is never recorded again. test/fixtures/journals/README.md says what is in them.
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const [dist = 'dist', target = 'recorded'] = process.argv.slice(2).map((path) => resolve(path));
const MAIN = join(dist, 'main.js');
const AGENT = 'cadre-scripted-agent';
const PATIENCE = 60_000;
/** From a worktree to the folder beside the repository. */
const OUTSIDE = '../../../../../..';

const STORIES = { demo, long, migrated };
for (const [name, story] of Object.entries(STORIES)) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-record-')));
  try {
    const repo = await story(base);
    save(repo, join(target, name));
    console.log(`${name}: ${repo.json('log').length} records`);
  } finally {
    killProcessesOf(base);
    rmSync(base, { recursive: true, force: true });
  }
}

/** The demo: five tasks, a failing test, a review with changes, a conflict, and an agent that oversteps. */
async function demo(base) {
  const env = { PATH: process.env.PATH, HOME: base, TZ: 'UTC', TMPDIR: base };
  execFileSync(process.execPath, [MAIN, 'demo', '--keep'], { cwd: base, env });
  const [folder] = readdirSync(base).filter((name) => name.startsWith('cadre-demo-'));
  return repoAt(join(base, folder, 'repository'), { ...env, CADRE_HOME: join(base, folder, 'home') });
}

/** Everything that people, agents and the engine do to one plan, with a second one and sessions beside it. */
async function long(base) {
  const repo = newRepo(base, {
    default_program: AGENT,
    verify: ['sh', '-c', 'test ! -e broken.txt'],
    max_parallel: 4,
    land: 'local',
    profiles: { reviewer: { program: 'sh', flags: ['-c', 'exec sleep 600'] } },
  });
  repo.write('docs/plans/build-it.md', planText(Object.entries(tasks())));
  repo.write('docs/plans/by-hand.md', '# By hand\n\n### Task 1: Talk\n\nTalk.\n\n### Task 2: Write\n\nWrite.\n');
  repo.write('docs/plans/again.md', '# Again\n');
  repo.git('add', '--all');
  repo.git('commit', '--quiet', '-m', 'start');
  repo.run();
  await drivePlan(repo);
  await driveOtherPlan(repo);
  await driveSessions(repo);
  await repo.cadre('engine', 'stop');
  return repo;
}

function built(name) {
  return `append ${name}.txt made\ncommit ${name}\nsignal implement-finished`;
}

function gated(name) {
  return `role implementer\nwait-for ${OUTSIDE}/go-${name}\n${built(name)}`;
}

/** Task names with their scripts; an empty one leaves the agent to do its role's work. */
function tasks() {
  return {
    Plain: '',
    'Changed by the spec review':
      'role spec-reviewer\nsignal review-changes Say what it is for.\nattempt 2\nsignal review-approved',
    'Changed by the quality review':
      'role quality-reviewer\nsignal review-changes Shorter, please.\nattempt 2\nsignal review-changes Still too long.\nattempt 3\nsignal review-approved',
    'Fails its tests': `role implementer\nappend broken.txt x\n${built('four')}\nattempt 2\ndelete broken.txt\ncommit repaired\nsignal fix-finished`,
    'Asks first': `role implementer\nask Which colour?\nhang\nattempt 2\n${built('five')}`,
    Oversteps: `role implementer\nappend six.txt made\ncommit six\nsignal review-approved\nrun cadre approve build-it#6\nsentinel review-approved\nsignal implement-finished`,
    'Waits while the plan is cancelled': gated('seven'),
    'Waits while cadre is frozen': gated('eight'),
    'Judged by a person': `role implementer\n${built('nine')}\nrole spec-reviewer\nhang\nrole quality-reviewer\nhang`,
    'Done by a person': 'role implementer\nhang',
    'Leaves the file': gated('eleven'),
    Crashes: `role implementer\ncrash\nattempt 2\nrun sh -c 'test -e "$HOME/go-twelve" || { sleep 6; kill -9 $PPID; }'\n${built('twelve')}`,
    'Abandoned and reverted': `role implementer\nask What now?\nhang\nattempt 3\n${built('thirteen')}`,
  };
}

function planText(all) {
  const sections = all.map(([name, script], index) => {
    const body = script === '' ? 'Do it.' : `\`\`\`script\n${script}\n\`\`\``;
    return `### Task ${index + 1}: ${name}\n\n${body}\n`;
  });
  return `# Build it\n\n## Phase 1: All (parallel)\n\n${sections.join('\n')}`;
}

async function drivePlan(repo) {
  await repo.reaches('5', 'QUESTION');
  await repo.cadre('answer', 'build-it#5', 'Blue.');
  await repo.reaches('7', 'CODING');
  await repo.cadre('cancel', 'build-it');
  await repo.cadre('reopen', 'build-it');
  await repo.cadre('move', 'build-it', 'planner_finished');
  repo.run();
  await repo.reaches('8', 'CODING');
  await repo.cadre('freeze');
  repo.go('eight');
  await repo.reaches('8', 'TESTING');
  await repo.cadre('thaw');
  repo.go('seven');
  await repo.reaches('9', 'CODE_REVIEW');
  await repo.cadre('reject', 'build-it#9', '--feedback', 'It is not tested.\nTest it.');
  await repo.reaches('9', 'CODE_REVIEW');
  await repo.cadre('approve', 'build-it#9');
  await repo.cadre('back', 'build-it#9', '--feedback', 'Once more.');
  await repo.reaches('9', 'CODE_REVIEW');
  await repo.cadre('approve', 'build-it#9');
  await repo.cadre('approve', 'build-it#9');
  await repo.reaches('10', 'CODING');
  await repo.cadre('mark-done', 'build-it#10');
  await repo.reaches('11', 'CODING');
  const left = Object.entries(tasks()).map(([name, script]) => [name, script === '' ? 'say edited' : script]);
  const edited = planText(left).replace(/### Task 11:[^#]*(?=### Task 12)/, '');
  repo.write('docs/plans/build-it.md', edited);
  await repo.until(() => repo.task('11')?.stale);
  repo.go('eleven');
  await repo.reaches('11', 'AWAIT_MERGE');
  await repo.cadre('merge-anyway', 'build-it#11');
  await repo.until(() => repo.task('12')?.halted);
  repo.go('twelve');
  await repo.cadre('retry', 'build-it#12');
  await repo.reaches('13', 'QUESTION');
  await repo.cadre('abandon', 'build-it#13');
  await repo.cadre('retry', 'build-it#13');
  await repo.reaches('13', 'QUESTION');
  await repo.cadre('revert', 'build-it#13');
  await repo.cadre('launch', 'build-it#13');
  await repo.status('build-it.md', 'reviewing');
  await repo.cadre('reject', 'build-it', '--feedback', 'Words about it are missing.');
  await repo.until(() => repo.task('R1')?.state === 'done');
  await repo.status('build-it.md', 'reviewing');
  await repo.cadre('approve', 'build-it');
  await repo.status('build-it.md', 'done');
  await repo.until(() => repo.json('engine', 'status').toDo === 0);
}

async function driveOtherPlan(repo) {
  await repo.cadre('register', 'by-hand');
  await repo.cadre('move', 'by-hand', 'plan_start');
  repo.signal('planner-finished-by-hand.md');
  await repo.status('by-hand.md', 'ready');
  await repo.cadre('move', 'by-hand', 'implement_start');
  repo.signal('misspelt');
  repo.signal('cancel-by-hand.md');
  await repo.until(() => repo.quarantined().some(({ name }) => name === 'cancel'));
  const [first, ...rest] = repo.quarantined().map(({ id }) => id);
  await repo.cadre('quarantine', 'drop', first);
  await repo.cadre('quarantine', 'retry', rest.at(-1));
  repo.signal('implement-finished-by-hand.md');
  await repo.status('by-hand.md', 'reviewing');
  repo.signal('review-changes-by-hand.md', 'More words.\n');
  await repo.status('by-hand.md', 'implementing');
  appendFileSync(join(repo.root, 'docs/plans/by-hand.md'), '\n### Task 3: Read\n\nRead.\n');
  await repo.until(() => repo.plan('by-hand.md').tasks.length === 3);
  await repo.cadre('register', 'again');
  for (const event of ['implement_start', 'implement_finished', 'review_approved', 'start_over'])
    await repo.cadre('move', 'again', event);
  await repo.cadre('plan', 'use', 'by-hand');
  await repo.cadre('config', 'set', '--project', 'max_parallel', '2');
  await repo.until(() => repo.records().filter(({ event }) => event === 'policy_set').length > 1);
}

async function driveSessions(repo) {
  const start = async (title) =>
    JSON.parse(await repo.cadre('session', 'new', '--json', '--title', title, '-p', `sh -c 'exec cat'`)).session
      .session;
  const one = await start('one');
  const two = await start('two');
  await repo.cadre('session', 'send', one, 'Go on.');
  await repo.cadre('session', 'pause', one);
  await repo.cadre('session', 'resume', one);
  await repo.cadre('session', 'switch', two, '-p', `sh -c 'exec sleep 600'`);
  for (const { session } of repo.json('session', 'list').sessions.filter(({ state }) => state !== 'stopped'))
    await repo.cadre('session', 'stop', session);
  await repo.until(() => repo.json('engine', 'status').toDo === 0);
}

/** A repository that had an older program: its flat plan-state.json is imported, edited and adopted from. */
async function migrated(base) {
  const repo = newRepo(base, { verify: 'none' });
  for (const name of ['alpha', 'beta', 'gamma', 'delta', 'later'])
    repo.write(`docs/plans/${name}.md`, `# ${name}\n\n### Task 1: First\n\nText.\n\n### Task 2: Second\n\nText.\n`);
  const path = 'docs/plans/plan-state.json';
  const older = {
    schema: 'of an older program',
    topics: { search: ['alpha.md'] },
    'alpha.md': { status: 'in_progress', description: 'The first', topic: 'search', owner: 'someone', priority: 3 },
    'beta.md': 'completed',
    'gamma.md': { status: 'reviewing', branch: 'feature/gamma', implemented: '2026-01-02', notes: { a: [1, null] } },
    'delta.md': { status: 'no status that cadre knows' },
  };
  repo.write(path, `${JSON.stringify(older, null, 4)}\n`);
  await repo.cadre('move', 'alpha', 'implement_finished');
  const file = () => JSON.parse(readFileSync(join(repo.root, path), 'utf8'));
  const edit = (change) => repo.write(path, JSON.stringify(change(file())));
  edit((now) => ({ ...now, plans: { ...now.plans, 'later.md': { status: 'ready', extra: true } }, more: 'kept' }));
  await repo.cadre('move', 'later', 'implement_start');
  edit((now) => ({ ...now, plans: { ...now.plans, 'beta.md': { ...now.plans['beta.md'], status: 'reviewing' } } }));
  await repo.cadre('move', 'later', 'implement_finished');
  await repo.cadre('adopt', 'beta');
  appendFileSync(join(journalOf(repo), '000000000001.log'), '0badc0de {"v":1,"seq":13,"at"');
  edit((now) => ({ ...now, plans: { ...now.plans, 'gamma.md': { ...now.plans['gamma.md'], description: 'Other' } } }));
  await repo.cadre('move', 'gamma', 'review_changes_requested', '--feedback', 'tests are missing');
  edit((now) => ({ ...now, plans: { ...now.plans, 'alpha.md': { ...now.plans['alpha.md'], status: 'ready' } } }));
  await repo.cadre('cancel', 'later');
  await repo.cadre('plan', 'use', 'alpha');
  await repo.cadre('engine', 'start');
  await repo.until(() => repo.records().filter(({ event }) => event === 'plan_read').length === 4);
  await repo.cadre('engine', 'stop');
  return repo;
}

function newRepo(base, settings) {
  const env = {
    PATH: `${join(base, 'bin')}:${process.env.PATH}`,
    HOME: base,
    CADRE_HOME: join(base, 'home'),
    CADRE_HOST: 'process',
    TZ: 'UTC',
  };
  const root = join(base, 'repo');
  for (const folder of [join(root, 'docs/plans'), join(base, 'bin')]) mkdirSync(folder, { recursive: true });
  chmodSync(join(dist, 'scripted-agent.js'), 0o755);
  symlinkSync(join(dist, 'scripted-agent.js'), join(base, 'bin', AGENT));
  const repo = repoAt(root, env);
  repo.git('init', '--quiet', '-b', 'main');
  repo.git('config', 'user.name', 'a person');
  repo.git('config', 'user.email', 'person@localhost');
  repo.write('cadre.json', `${JSON.stringify(settings)}\n`);
  repo.git('add', '--all');
  repo.git('commit', '--quiet', '-m', 'settings');
  return { ...repo, go: (name) => writeFileSync(join(base, `go-${name}`), '') };
}

function repoAt(root, env) {
  const git = (...argv) => execFileSync('git', argv, { cwd: root, env, encoding: 'utf8' });
  const now = (...argv) => execFileSync(process.execPath, [MAIN, ...argv], { cwd: root, env, encoding: 'utf8' });
  const json = (...argv) => {
    const text = now(...argv, '--json').trimEnd();
    return argv[0] === 'log' ? text.split('\n').map((line) => JSON.parse(line)) : JSON.parse(text);
  };
  const plan = (name) => json('status').plans.find((one) => one.plan === name);
  const task = (address) => plan('build-it.md')?.tasks.find((one) => one.task === address);
  const until = async (holds) => {
    const deadline = performance.now() + PATIENCE;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`${now('status')}\n${holds}`);
      await pause(100);
    }
  };
  return {
    root,
    env,
    git,
    now,
    json,
    plan,
    task,
    until,
    records: () => json('log'),
    quarantined: () => json('quarantine').quarantined,
    reaches: (address, state) => until(() => task(address)?.run?.state === state),
    status: (name, wanted) => until(() => plan(name)?.status === wanted),
    write: (path, text) => writeFileSync(join(root, path), text),
    signal: (name, body = '') => writeFileSync(join(root, 'docs/plans/.signals', name), body),
    run: () => spawn(process.execPath, [MAIN, 'run', 'build-it'], { cwd: root, env, stdio: 'ignore' }),
    cadre: (...argv) =>
      new Promise((done, failed) =>
        execFile(process.execPath, [MAIN, ...argv], { cwd: root, env }, (error, stdout, stderr) =>
          error === null ? done(stdout) : failed(new Error(`cadre ${argv.join(' ')}: ${stderr}${stdout}`)),
        ),
      ),
  };
}

function journalOf({ env }) {
  const [state] = readdirSync(join(env.CADRE_HOME, 'repos'));
  return join(env.CADRE_HOME, 'repos', state, 'journal');
}

/** Engines, followers and agents that were left running. */
function killProcessesOf(base) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`=${base}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or belongs to somebody else.
    }
}

/** The journal, and what the program that wrote it says about it. */
function save(repo, folder) {
  const { now, json } = repo;
  const journal = journalOf(repo);
  if (existsSync(folder)) throw new Error(`${folder} is recorded already.`);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(journal).filter((one) => one.endsWith('.log')))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(journal, name)), { level: 9 }));
  const status = json('status');
  const expected = {
    recordedWith: now('--version').trim(),
    seq: json('log').at(-1).seq,
    outbox: json('engine', 'status').toDo,
    frozen: json('engine', 'status').frozen,
    plans: status.plans.map(({ plan, status, branch, topic, description, feedback, difference, tasks }) => ({
      ...{ plan, status, branch, topic, description, feedback, difference: difference?.status ?? null },
      tasks: tasks.map(({ task, name, state, stale, held, run }) => ({
        ...{ task, name, state, stale, held },
        run: run === null ? null : { attempt: run.attempt, state: run.state, branch: run.branch, commit: run.commit },
      })),
    })),
    sessions: json('session', 'list', '--all').sessions.map(({ session, title, role, branch }) => ({
      ...{ session, title, role, branch },
    })),
    quarantined: json('quarantine').quarantined.map(({ id, code }) => ({ id, code })),
  };
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
}
