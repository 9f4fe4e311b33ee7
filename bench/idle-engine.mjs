// What an engine costs while nothing happens, with many quiet sessions in either host: a laptop's fan should stay off.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { repoName } from '../dist/program.js';
import { milliseconds, ratioLimit } from './report.mjs';
import { MAIN, repoToBuild } from './scratch.mjs';

const HOSTS = ['tmux', 'process'];
const COUNTS = [10, 50, 100];
const AGENTS = 20;

/** Longer than a program that has just started takes to come to rest, and than two of the engine's slow rescans. */
const REST = 5_000;
const MEASURED = 30_000;
const LIMITED_AT = 100;
const MOST_OF_A_CORE = 0.005;

export async function measureIdleEngine(scratch) {
  const measured = [];
  for (const host of HOSTS) {
    measured.push(...(await withSessions(scratch, host)));
    measured.push(await withAgents(scratch, host));
  }
  return report(measured);
}

/** Sessions that a person started, more and more of them. */
async function withSessions(scratch, host) {
  const repo = await scratch.repoWithPlans(`idle-${host}`, 1);
  repo.env.CADRE_HOST = host;
  const git = (...argv) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...argv], { cwd: repo.root });
  git('commit', '-q', '--allow-empty', '-m', 'start');
  return withEngine(scratch, repo, async (engine) => {
    const measured = [];
    for (let started = 0; started < COUNTS.at(-1); ) {
      const argv = [MAIN, 'session', 'new', '-p', `sh -c 'read line'`, '--title', `quiet ${started}`];
      await scratch.run(argv, repo);
      started += 1;
      if (COUNTS.includes(started))
        measured.push({ host, what: `${started} sessions`, count: started, ...(await costAtRest(engine, repo, host)) });
    }
    return measured;
  });
}

/** Agents that cadre started for tasks: their screens and reports are read too. */
async function withAgents(scratch, host) {
  const scripts = Array.from({ length: AGENTS }, () => 'role implementer\nsleep 600000');
  const repo = await repoToBuild(scratch, `agents-${host}`, scripts, true);
  repo.env.CADRE_HOST = host;
  const settings = { default_program: 'cadre-scripted-agent', verify: 'true', max_parallel: 64 };
  writeFileSync(join(repo.root, 'cadre.json'), JSON.stringify(settings));
  return withEngine(scratch, repo, async (engine) => {
    const run = scratch.start([MAIN, 'run', 'build-it'], repo);
    let left = AGENTS;
    const isUp = ({ event, details }) => event === 'session_news' && details.news.kind === 'up';
    for await (const line of createInterface({ input: run.stdout })) {
      if (isUp(JSON.parse(line))) left -= 1;
      if (left === 0) break;
    }
    run.kill('SIGKILL');
    return { host, what: `${AGENTS} agents of a plan`, count: AGENTS, ...(await costAtRest(engine, repo, host)) };
  });
}

/** Ends the sessions however the benchmark ends, and the engine before them: it would start its agents again. */
async function withEngine(scratch, repo, work) {
  const engine = await scratch.startEngine(repo);
  const end = () => {
    engine.kill('SIGKILL');
    endSessions(repo);
  };
  process.prependOnceListener('exit', end);
  try {
    return await work(engine);
  } finally {
    process.off('exit', end);
    end();
  }
}

async function costAtRest(engine, repo, host) {
  await pause(REST);
  const pids = [engine.pid, ...childrenOf(engine.pid)];
  const serverPids = host === 'tmux' ? [Number(tmux(repo, 'display-message', '-p', '#{pid}'))] : [];
  const [before, serverBefore] = [timeOf(pids), timeOf(serverPids)];
  await pause(MEASURED);
  return {
    engine: (timeOf(pids) - before) / MEASURED,
    server: host === 'tmux' ? (timeOf(serverPids) - serverBefore) / MEASURED : undefined,
  };
}

/** Processor time of these processes and all their threads, in milliseconds. The kernel's ticks would be too coarse. */
function timeOf(pids) {
  return pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`))
    .reduce((sum, path) => sum + Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6, 0);
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function serverOf({ root }) {
  return `cadre-${repoName(root).slice(-12)}`;
}

function tmux(repo, ...argv) {
  return execFileSync('tmux', ['-N', '-L', serverOf(repo), ...argv], { encoding: 'utf8', stdio: 'pipe' });
}

function endSessions(repo) {
  try {
    tmux(repo, 'kill-server');
  } catch {
    // Its sessions are in the other host.
  }
  rmSync(`/tmp/tmux-${process.getuid()}/${serverOf(repo)}`, { force: true });
  const repos = join(repo.env.CADRE_HOME, 'repos');
  for (const file of readdirSync(repos, { recursive: true }).filter((name) => /\/sessions\/[^/]+\/holder$/.test(name)))
    try {
      process.kill(-Number(readFileSync(join(repos, file), 'utf8').split('\n')[0]), 'SIGKILL');
    } catch {
      // It has ended.
    }
}

function report(measured) {
  const shown = (share) => (share === undefined ? '-' : `${(share * 100).toFixed(2)} %`);
  const limited = measured.filter(({ count }) => count === LIMITED_AT);
  return {
    title: `idle-engine: an engine at rest, over ${milliseconds(MEASURED)}, as shares of a core`,
    tables: [
      [
        ['host', 'quiet', 'engine and connection', 'tmux server'],
        ...measured.map(({ host, what, engine, server }) => [host, what, shown(engine), shown(server)]),
      ],
    ],
    notes: [],
    limits: limited.map(({ host, what, engine }) => ({
      ...ratioLimit(`${host}, ${what}: engine at rest, of a core`, engine, MOST_OF_A_CORE),
      shown: shown(engine),
      limit: shown(MOST_OF_A_CORE),
    })),
  };
}
