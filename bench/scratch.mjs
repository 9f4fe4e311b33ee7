// A place to measure in: repositories with a home of their own and processes that work there, all gone after `close`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
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
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { openPorts, repoName } from '../dist/program.js';

export const MAIN = resolve(import.meta.dirname, '../dist/main.js');

export function openScratch() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-bench-')));
  const children = new Set();

  const start = (argv, { root, env }) => {
    const child = spawn(process.execPath, argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };

  /** Runs a program of Node to its end. `ended` is when this process was told of it. */
  const run = async (argv, repo) => {
    const child = start(argv, repo);
    const ended = once(child, 'exit').then(([code]) => ({ code, ended: performance.now() }));
    const [stdout, result] = await Promise.all([text(child.stdout), ended]);
    if (result.code !== 0) throw new Error(`node ${argv.join(' ')} ended with ${result.code}.`);
    return { stdout, ended: result.ended };
  };

  return {
    start,
    run,
    /** `text`: of every plan; a heading alone where nothing is said. */
    repoWithPlans: (name, count, text) => repoWithPlans(join(base, name), count, text),
    /** `cadre watch`, ready to take signals. */
    async startEngine(repo) {
      const child = start([MAIN, 'watch'], repo);
      await lineStarting(child.stdout, 'Engine of');
      // What it says from now on must not fill the pipe.
      child.stdout.resume();
      return child;
    },
    async end(child, signal = 'SIGTERM') {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    /** Synchronous, so that it also does its work while the process exits. */
    close() {
      for (const child of children) child.kill('SIGKILL');
      removeFolder(base);
    },
  };
}

async function lineStarting(stream, start) {
  for await (const line of createInterface({ input: stream })) if (line.startsWith(start)) return;
  throw new Error(`A program ended without saying "${start}".`);
}

/** A killed process may still be in the middle of making a file; the retries of rmSync do not look for new ones. */
function removeFolder(folder) {
  for (let left = 50; ; left--) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (left === 0 || error.code !== 'ENOTEMPTY') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

async function repoWithPlans(folder, count, text = (plan) => `# ${plan}\n`) {
  const root = join(folder, 'repo');
  const plansFolder = join(root, 'docs', 'plans');
  const env = { PATH: process.env.PATH, HOME: folder, CADRE_HOME: join(folder, 'home'), TZ: 'UTC' };
  mkdirSync(plansFolder, { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root, env });
  const plans = Array.from({ length: count }, (_, index) => `plan-${String(index + 1).padStart(4, '0')}.md`);
  for (const plan of plans) writeFileSync(join(plansFolder, plan), text(plan));
  const repo = {
    root,
    env,
    plans,
    plansFolder,
    planState: join(plansFolder, 'plan-state.json'),
    state: join(env.CADRE_HOME, 'repos', repoName(root)),
  };
  const { gateway, planFiles } = openPorts({ cwd: root, env, pid: process.pid, command: 'cadre bench' });
  await submit(
    gateway,
    plans.map((plan) => ({
      kind: 'register',
      plan,
      by: { who: 'user' },
      description: `What ${plan} is about, in a sentence of ordinary length`,
      topic: 'bench',
      planFileExists: true,
    })),
  );
  await submit(
    gateway,
    plans.map((plan) => ({ kind: 'read', plan, outline: planFiles.read(plan).outline })),
  );
  return repo;
}

/** A repository with a plan of tasks, each the script of its agents, which run as plain processes. */
export async function repoToBuild(scratch, name, scripts, isParallel = false) {
  const { root, env, plansFolder } = await scratch.repoWithPlans(name, 0);
  const base = dirname(root);
  const programs = join(base, 'programs');
  const agent = join(dirname(MAIN), 'scripted-agent.js');
  mkdirSync(programs);
  chmodSync(agent, 0o755);
  symlinkSync(agent, join(programs, 'cadre-scripted-agent'));
  const tasks = scripts.map(
    (script, task) => `### Task ${task + 1}: Part ${task + 1}\n\n\`\`\`script\n${script}\n\`\`\`\n`,
  );
  const phase = isParallel ? '## Phase 1: All (parallel)\n\n' : '';
  writeFileSync(join(plansFolder, 'build-it.md'), `# Build it\n\n${phase}${tasks.join('\n')}`);
  writeFileSync(join(root, 'cadre.json'), '{"default_program":"cadre-scripted-agent","verify":"true"}\n');
  const its = { ...env, PATH: `${programs}:${env.PATH}`, CADRE_HOST: 'process' };
  for (const words of [
    ['config', 'user.name', 'bench'],
    ['config', 'user.email', 'bench@localhost'],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'start'],
  ])
    execFileSync('git', words, { cwd: root, env: its });
  const repos = join(env.CADRE_HOME, 'repos');
  return { root, env: its, base, programs, sessions: () => join(repos, readdirSync(repos)[0], 'sessions') };
}

/** The plan built by the program itself, with its own engine; what it recorded. */
export async function buildByCadre(scratch, repo) {
  const engine = await scratch.startEngine(repo);
  try {
    const { stdout } = await scratch.run([MAIN, 'run', 'build-it', '--json'], repo);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ seq }) => seq !== undefined);
  } finally {
    engine.kill('SIGTERM');
  }
}

/**
 * A session without a program: an implementer's, which the journal has as running, in a repository in which nothing runs.
 * Returns the environment for a process that signals as that session, and a count of its messages.
 */
export async function waitingSession(scratch, name) {
  const repo = await repoToBuild(scratch, name, ['role implementer\nsleep 600000']);
  const engine = await scratch.startEngine(repo);
  const run = scratch.start([MAIN, 'run', 'build-it', '--json'], repo);
  const isUp = ({ event, details }) => event === 'session_news' && details.news.kind === 'up';
  for await (const line of createInterface({ input: run.stdout })) if (isUp(JSON.parse(line))) break;
  for (const child of [run, engine]) child.kill('SIGKILL');
  const [session] = readdirSync(repo.sessions());
  const [holder] = readFileSync(join(repo.sessions(), session, 'holder'), 'utf8').split('\n');
  process.kill(-Number(holder), 'SIGKILL');
  const state = dirname(repo.sessions());
  const inbox = join(state, 'inbox', session);
  const worktree = join(state, 'worktrees', 'build-it', 't1-a1');
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '-m', 'done'], { cwd: worktree, env: repo.env });
  const there = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', repo.root, process.execPath, MAIN];
  const its = {
    CADRE_HOME: repo.env.CADRE_HOME,
    CADRE_SESSION: session,
    CADRE_INBOX: inbox,
    CADRE_ROLE: 'implementer',
  };
  const env = {
    ...its,
    CADRE_PLAN: 'build-it.md',
    CADRE_TASK: '1',
    CADRE_ATTEMPT: '1',
    CADRE_PROGRAM: JSON.stringify(there),
  };
  return {
    env,
    messages: () => readdirSync(inbox, { recursive: true }).filter((name) => name.endsWith('.json')).length,
  };
}

/** The gateway of the built program, opened by this process. */
export function gatewayOf({ root, env }) {
  return openPorts({ cwd: root, env, pid: process.pid, command: 'cadre bench' }).gateway;
}

export function moveOf(plan, event) {
  return { kind: 'move', plan, event, by: { who: 'user' } };
}

/** A benchmark in which a step is refused measures something else than it says. */
export async function submit(gateway, events) {
  const { answers, notes } = await gateway.submit(events);
  const wrong = answers.find((answer) => answer.kind !== 'accepted');
  if (wrong !== undefined) throw new Error(`A step of the benchmark was ${wrong.kind}: ${wrong.why ?? ''}`);
  if (notes.length > 0) throw new Error(`A step of the benchmark left notes: ${notes.join(' ')}`);
}
