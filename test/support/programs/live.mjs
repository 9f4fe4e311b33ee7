// A process that uses everything cadre does, and prints what it was promised.
// Usage: node live.mjs [settle]   With "settle" it only runs the engine until nothing is pending.
import { writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { currentWorld, openPorts } = createRequire(import.meta.url)('../../../dist/program.js');

const ports = openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: 'live' });
const signals = join(ports.root, 'docs', 'plans', '.signals');
const user = { who: 'user' };

/** Synchronous, so that a promise is printed before the next step starts. */
const tell = (value) => writeSync(1, `${JSON.stringify(value)}\n`);

if (process.argv[2] === 'settle') await engineUntilQuiet(hasReadPlans);
else await live();

async function live() {
  await submit({ kind: 'register', plan: 'x.md', by: user, description: '', topic: '', planFileExists: true });
  await submit({ kind: 'register', plan: 'y.md', by: user, description: '', topic: '', planFileExists: true });
  await move('x.md', 'plan_start');
  await say('planner-finished', 'x.md', 'planner');
  touch('planner-finished-z.md');
  await engineUntilQuiet();
  await move('x.md', 'implement_start');
  touch('implement-finished-x.md');
  touch('cancel-x.md');
  touch('misspelt');
  await say('review-approved', 'x.md', 'implementer');
  await engineUntilQuiet();
  // Long feedback fills segments, so that rotation and checkpoints happen too.
  for (let round = 0; round < 3; round++) {
    await say('review-changes', 'x.md', 'reviewer', 'again\n'.repeat(15_000));
    await engineUntilQuiet();
    await say('implement-finished', 'x.md', 'implementer');
    await engineUntilQuiet();
    for (let again = 0; again < 2; again++) {
      await submit({
        kind: 'move',
        plan: 'x.md',
        event: 'review_changes_requested',
        by: user,
        feedback: 'more\n'.repeat(15_000),
      });
      await move('x.md', 'implement_finished');
    }
  }
  touch('review-changes-x.md', 'the last word\n');
  await engineUntilQuiet();
  await move('y.md', 'cancel');
}

async function submit(event) {
  const { answers } = await ports.gateway.submit([event]);
  tell({ promised: answers.flatMap((answer) => answer.records) });
}

function move(plan, event) {
  return submit({ kind: 'move', plan, event, by: user });
}

async function say(name, plan, role, body = '') {
  const entered = (await ports.gateway.look()).plans.get(plan)?.entered ?? 0;
  const session = `${role}-1`;
  ports.signals.drop({ v: 1, name, plan, session, role, entered, body });
  tell({ dropped: [name, session, plan, entered, ''].join('/') });
}

function touch(name, body = '') {
  writeFileSync(join(signals, name), body);
}

/** Whether the journal has everything that is in the plan files. */
async function hasReadPlans() {
  return (await currentWorld(ports)).world.seq === (await ports.gateway.look()).seq;
}

/** Runs the engine for at least one round, until the inbox and the outbox are empty. */
async function engineUntilQuiet(also = () => true) {
  const stop = new AbortController();
  const quiet = async () =>
    ports.signals.waiting() === 0 && (await ports.gateway.look()).outbox.size === 0 && (await also());
  let looking;
  const ready = () => {
    looking = setInterval(async () => (await quiet()) && stop.abort(), 4);
  };
  try {
    await ports.engine.run({ tell: () => undefined, warn: () => undefined }, stop.signal, ready);
  } finally {
    clearInterval(looking);
  }
}
