// What it costs to know how many sessions are, over one connection and with one process a session, and how soon output is news.
import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { median, milliseconds, quantile, ratioLimit, timeLimit } from './report.mjs';

const COUNTS = [10, 50, 100];
/** Enough that the system's clock for processors, which ticks every 10 ms, measures something. */
const EXCHANGES = 400;
const SWEEPS = 4;
const OUTPUTS = 400;

const LEAST_SAVED_AT = 50;
const MOST_OF_A_SWEEP = 1 / 20;
const MOST_LATENCY = 50;

const runProgram = promisify(execFile);

export async function measureHosts() {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-bench-hosts-'));
  const server = `cadre-bench-${process.pid}`;
  const tmux = (...argv) => runProgram('tmux', ['-N', '-L', server, ...argv], { env: outsideOfTmux() });
  const host = await openHost(folder, server);
  try {
    const measured = [];
    let started = 0;
    for (const count of COUNTS) {
      for (; started < count; started++) await host.start(idleSession(`s${started}`, folder));
      measured.push({ count, ...(await measureCosts(host, tmux, count)) });
    }
    return report(measured, await latencies(host, tmux));
  } finally {
    host.close();
    await tmux('kill-server').catch(() => undefined);
    rmSync(`/tmp/tmux-${process.getuid()}/${server}`, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The host of the program, bundled separately. One process needs no locks against others. */
async function openHost(folder, server) {
  const outfile = join(folder, 'tmux-host.cjs');
  await build({
    entryPoints: ['src/adapters/sessions/tmux/tmux-host.ts'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outfile,
    external: ['koffi'],
    logLevel: 'warning',
  });
  const { TmuxHost } = createRequire(outfile)(outfile);
  const locks = { take: async () => ({ release() {}, stillOurs: () => true }) };
  return new TmuxHost({ server, folder: join(folder, 'sessions'), locks });
}

function idleSession(session, cwd) {
  return { session, place: session, argv: ['/bin/sh', '-c', 'read line'], cwd, env: { PATH: '/usr/bin:/bin' } };
}

async function measureCosts(host, tmux, count) {
  const serverPid = Number((await tmux('display-message', '-p', '#{pid}')).stdout);
  const byConnection = await costOf(serverPid, EXCHANGES, async () => requireRunning(await host.list(), count));
  const byProcesses = await costOf(serverPid, SWEEPS, () =>
    inPairs(
      Array.from({ length: count }, (_, number) => `s${number}`),
      (session) => tmux('list-panes', '-t', `=${session}:`, '-F', '#{pane_dead} #{pane_dead_status}'),
    ),
  );
  return { byConnection, byProcesses };
}

/** Processor time of this process, of all that it has started and of the server, and time on the wall, for one round. */
async function costOf(serverPid, rounds, work) {
  await work();
  const before = processorTime(serverPid);
  const started = performance.now();
  for (let round = 0; round < rounds; round++) await work();
  return {
    processor: (processorTime(serverPid) - before) / rounds,
    wall: (performance.now() - started) / rounds,
  };
}

/** As many at a time as a machine of two cores can use. */
async function inPairs(sessions, ask) {
  const left = [...sessions];
  const worker = async () => {
    for (let session = left.shift(); session !== undefined; session = left.shift()) await ask(session);
  };
  await Promise.all([worker(), worker()]);
}

/** In milliseconds. */
function processorTime(serverPid) {
  const own = process.cpuUsage();
  const ended = timesIn('self').slice(2);
  const running = childrenOf(process.pid).flatMap((pid) => timesIn(pid).slice(0, 2));
  const ticks = [...ended, ...running, ...timesIn(serverPid)].reduce((sum, time) => sum + time, 0);
  return (own.user + own.system) / 1000 + ticks * 10;
}

/** User, system, and the same of the children that have ended, in ticks. */
function timesIn(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
  } catch {
    return [];
  }
}

function childrenOf(parent) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(parent);
    } catch {
      return false;
    }
  });
}

/** From a byte written to a session's terminal, as its program would write it, to the news of it. */
async function latencies(host, tmux) {
  const { stdout } = await tmux('list-panes', '-a', '-F', '#{@cadre_session}:#{pane_tty}');
  const terminals = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(':'))
      .filter(([session]) => session),
  );
  let heard = () => undefined;
  const watching = host.watch(({ kind, session }) => {
    if (kind === 'output') heard(session);
  });
  await host.list();
  // A host does not keep a process from ending that only waits for news.
  const awake = setInterval(() => undefined, 1000);
  const samples = [];
  for (let sample = 0; sample < OUTPUTS; sample++) {
    const session = `s${(sample * 37) % terminals.size}`;
    const file = openSync(terminals.get(session), constants.O_WRONLY | constants.O_NOCTTY);
    const news = new Promise((done) => {
      heard = (from) => {
        if (from === session) done(performance.now());
      };
    });
    const written = performance.now();
    writeSync(file, '.');
    samples.push((await news) - written);
    closeSync(file);
  }
  clearInterval(awake);
  watching.close();
  return samples;
}

function requireRunning(sessions, count) {
  const running = sessions.filter(({ life }) => life.kind === 'running').length;
  if (running !== count) throw new Error(`${running} of ${count} sessions run.`);
}

function outsideOfTmux() {
  const { TMUX: _, TMUX_TMPDIR: __, ...env } = process.env;
  return env;
}

function report(measured, samples) {
  const shareOf = ({ byConnection, byProcesses }) => byConnection.processor / byProcesses.processor;
  const [at] = measured.filter(({ count }) => count === LEAST_SAVED_AT);
  const late = quantile(samples, 0.99);
  return {
    title: `hosts: the state of all sessions, over one connection (${EXCHANGES} times) and with a process a session (${SWEEPS} times)`,
    tables: [
      [
        ['sessions', 'connection, processor', 'processes, processor', 'saved', 'connection, time', 'processes, time'],
        ...measured.map((one) => [
          String(one.count),
          milliseconds(one.byConnection.processor),
          milliseconds(one.byProcesses.processor),
          `${(1 / shareOf(one)).toFixed(0)} x`,
          milliseconds(one.byConnection.wall),
          milliseconds(one.byProcesses.wall),
        ]),
      ],
      [
        ['output to news', 'samples', 'p50', 'p99', 'p99 / sweep of processes'],
        [
          `${COUNTS.at(-1)} sessions`,
          String(samples.length),
          milliseconds(median(samples)),
          milliseconds(late),
          `${(late / at.byProcesses.wall).toFixed(3)} x`,
        ],
      ],
    ],
    notes: [],
    limits: [
      ratioLimit(`${LEAST_SAVED_AT} sessions: connection / processes`, shareOf(at), MOST_OF_A_SWEEP),
      ratioLimit(`output to news, p99 / sweep of ${LEAST_SAVED_AT} processes`, late / at.byProcesses.wall, 1),
      timeLimit('output to news: p99', late, MOST_LATENCY),
    ],
  };
}
