// What an engine costs while nothing happens, with many quiet sessions in either host: a laptop's fan should stay off.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { familyTimeSoFar, processorTimeSoFar } from './processor-time.mjs';
import { milliseconds, ratioLimit } from './report.mjs';
import { MAIN, repoToBuild } from './scratch.mjs';
import { endingSessions, repoForSessions, startQuietSession, tmux } from './sessions.mjs';

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
  const repo = await repoForSessions(scratch, `idle-${host}`, host);
  return withEngine(scratch, repo, async (engine) => {
    const measured = [];
    for (let started = 0; started < COUNTS.at(-1); ) {
      await startQuietSession(scratch, repo, `quiet ${started}`);
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
    const run = scratch.start([MAIN, 'run', 'build-it', '--json'], repo);
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

/** The engine ends before the sessions: it would start its agents again. */
function withEngine(scratch, repo, work) {
  return endingSessions(repo, async () => {
    const engine = await scratch.startEngine(repo);
    try {
      return await work(engine);
    } finally {
      await scratch.end(engine, 'SIGKILL');
    }
  });
}

async function costAtRest(engine, repo, host) {
  await pause(REST);
  const serverPids = host === 'tmux' ? [Number(tmux(repo, 'display-message', '-p', '#{pid}'))] : [];
  const [before, serverBefore] = [familyTimeSoFar(engine.pid), processorTimeSoFar(serverPids)];
  await pause(MEASURED);
  return {
    engine: (familyTimeSoFar(engine.pid) - before) / MEASURED,
    server: host === 'tmux' ? (processorTimeSoFar(serverPids) - serverBefore) / MEASURED : undefined,
  };
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
