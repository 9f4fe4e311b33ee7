// What an engine costs while nothing happens, with many sessions that say nothing: fans should not spin for that.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { repoName } from '../dist/program.js';
import { milliseconds, ratioLimit } from './report.mjs';
import { MAIN } from './scratch.mjs';

const SESSIONS = 50;
const REST = 3_000;
const MEASURED = 20_000;
const MOST_OF_A_CORE = 0.01;

export async function measureIdleEngine(scratch) {
  const repo = await scratch.repoWithPlans('idle', 1);
  repo.env.CADRE_HOST = 'tmux';
  const git = (...argv) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...argv], { cwd: repo.root });
  git('commit', '-q', '--allow-empty', '-m', 'start');
  const server = `cadre-${repoName(repo.root).slice(-12)}`;
  const tmux = (...argv) => execFileSync('tmux', ['-N', '-L', server, ...argv], { encoding: 'utf8', stdio: 'pipe' });
  try {
    const engine = await scratch.startEngine(repo);
    for (let begun = 0; begun < SESSIONS; begun++)
      await scratch.run([MAIN, 'session', 'new', '-p', `sh -c 'read line'`, '--title', `quiet ${begun}`], repo);
    const pids = [engine.pid, ...childrenOf(engine.pid)];
    const serverPid = Number(tmux('display-message', '-p', '#{pid}'));
    await pause(REST);
    const [before, serverBefore] = [ticksOf(pids), ticksOf([serverPid])];
    await pause(MEASURED);
    const share = (ticks) => (ticks * 10) / MEASURED;
    return report(share(ticksOf(pids) - before), share(ticksOf([serverPid]) - serverBefore));
  } finally {
    try {
      tmux('kill-server');
    } catch {
      // It goes with its last session.
    }
    rmSync(`/tmp/tmux-${process.getuid()}/${server}`, { force: true });
  }
}

function ticksOf(pids) {
  return pids.flatMap(timesIn).reduce((sum, time) => sum + time, 0);
}

/** User and system, in ticks of 10 ms. */
function timesIn(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task/${pid}`).includes('children')
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    : [];
}

function report(engine, server) {
  const shown = (share) => `${(share * 100).toFixed(2)} %`;
  return {
    title: `An engine at rest with ${SESSIONS} quiet sessions, over ${milliseconds(MEASURED)}`,
    tables: [
      [
        ['whose', 'share of a core'],
        ['the engine and its connection', shown(engine)],
        ['the tmux server', shown(server)],
      ],
    ],
    notes: [],
    limits: [ratioLimit('engine at rest, of a core', engine, MOST_OF_A_CORE)],
  };
}
