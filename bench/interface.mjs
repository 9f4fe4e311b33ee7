// The terminal interface with many plans and many printing agents: from a key to its frame, the processor, the memory, and
// the time until the first frame. It runs on a real terminal, which "script" opens.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { processorTimeSoFar } from './processor-time.mjs';
import { median, milliseconds, quantile, ratioLimit, timeLimit } from './report.mjs';
import { MAIN } from './scratch.mjs';
import { endingSessions } from './sessions.mjs';

const [PLANS, TASKS, SESSIONS, KEYS, STARTS] = [100, 50, 50, 300, 7];
const WATCHED_FOR = 10_000;
/** Between two keys, in milliseconds: quicker than a person types, and no multiple of what repeats in the program. */
const BETWEEN_KEYS = 37;

export async function measureInterface(scratch) {
  const repo = await scratch.repoWithPlans('interface', PLANS, planText);
  repo.env.CADRE_HOST = 'tmux';
  repo.env.TERM = 'tmux-256color';
  const somebody = ['-c', 'user.name=b', '-c', 'user.email=b@b'];
  execFileSync('git', [...somebody, 'commit', '-q', '--allow-empty', '-m', 'start'], { cwd: repo.root });
  return endingSessions(repo, async () => {
    for (let count = 0; count < SESSIONS; count += 5)
      await Promise.all(
        [0, 1, 2, 3, 4].map((one) =>
          scratch.run([MAIN, 'session', 'new', '-p', PRINTING, '--title', `printer ${count + one}`], repo),
        ),
      );
    // Apart from the interface, so that what is measured is the interface.
    const engine = await scratch.startEngine(repo);
    try {
      return report(await measured(repo));
    } finally {
      await scratch.end(engine);
    }
  });
}

const PRINTING = `sh -c 'while :; do date; sleep 1; done'`;

function planText(plan) {
  const tasks = Array.from(
    { length: TASKS },
    (_, at) => `### Task ${at + 1}: Part ${at + 1} of ${plan}\n\nBuild it.\n`,
  );
  return `# ${plan}\n\n${tasks.join('\n')}`;
}

async function measured(repo) {
  const [starts, bare] = [[], []];
  for (let count = 0; count < STARTS; count++) {
    bare.push(await untilFirst(onTerminal(repo, ['-e', 'process.stdout.write("here")']), 'here'));
    const shown = onTerminal(repo, [MAIN]);
    starts.push(await untilFirst(shown, FRAME));
    await ended(shown);
  }
  const shown = onTerminal(repo, [MAIN]);
  await untilFirst(shown, 'Part 1 of');
  const pid = Number(
    execFileSync('pgrep', ['-P', `${shown.pid}`], { encoding: 'utf8' })
      .trim()
      .split('\n')[0],
  );
  await pause(2_000);
  const keys = await keysToFrames(shown);
  // The screen of a printing agent in view, as a person would watch it.
  shown.stdin.write('G');
  await pause(1_000);
  const [before, from] = [processorTimeSoFar([pid]), performance.now()];
  await pause(WATCHED_FOR);
  const share = (processorTimeSoFar([pid]) - before) / (performance.now() - from);
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  await ended(shown);
  return { starts, bare, keys, share, megabytes };
}

const FRAME = '\x1b[?2026l';

function onTerminal({ root, env }, argv) {
  const words = [process.execPath, ...argv].map((word) => `'${word}'`).join(' ');
  const line = `stty cols 160 rows 50; exec ${words}`;
  return spawn('script', ['-qfc', line, '/dev/null'], { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
}

async function untilFirst(child, text) {
  const from = performance.now();
  let seen = '';
  for await (const [chunk] of onData(child)) {
    seen += chunk;
    if (seen.includes(text)) return performance.now() - from;
  }
  throw new Error(`The terminal was closed before it showed ${JSON.stringify(text)}.`);
}

async function* onData(child) {
  while (child.exitCode === null) yield await once(child.stdout, 'data');
}

/** From writing a key to the frame in which the selection has moved. */
async function keysToFrames(child) {
  const samples = [];
  for (let count = 0; count < KEYS; count++) {
    await pause(BETWEEN_KEYS);
    const drawn = untilFirst(child, '▌');
    child.stdin.write(count % 40 < 20 ? 'j' : 'k');
    samples.push(await drawn);
  }
  return samples;
}

async function ended(child) {
  const end = once(child, 'exit');
  child.stdin.write('q');
  child.stdout.resume();
  await end;
}

function report({ starts, bare, keys, share, megabytes }) {
  const startRatio = quantile(starts, 0.25) / quantile(bare, 0.25);
  return {
    title: `interface: ${PLANS} plans of ${TASKS} tasks, ${SESSIONS} printing sessions, 160 x 50`,
    tables: [
      [
        ['', 'median', 'p99'],
        ['key to frame', milliseconds(median(keys)), milliseconds(quantile(keys, 0.99))],
        ['start to first frame', milliseconds(median(starts)), milliseconds(quantile(starts, 0.99))],
        ['bare Node on a terminal', milliseconds(median(bare)), milliseconds(quantile(bare, 0.99))],
      ],
    ],
    notes: [`${(share * 100).toFixed(1)} % of a core while watching one screen, ${megabytes.toFixed(0)} MB.`],
    limits: [
      timeLimit('key to frame, p99', quantile(keys, 0.99), 16),
      ratioLimit('processor while watching / a core', share, 0.05),
      ratioLimit('memory / 150 MB', megabytes / 150, 1),
      ratioLimit('start to first frame / bare Node', startRatio, 3),
    ],
  };
}
