// Submits random events to plans through the built program's gateway, and prints each answer as a line of JSON.
// Usage: node fire-events.mjs <events> <plans> <seed>
import { pathToFileURL } from 'node:url';

const { openPorts } = await import(
  pathToFileURL(
    process.env.CADRE_DIST
      ? `${process.env.CADRE_DIST}/program.js`
      : new URL('../../../dist/program.js', import.meta.url).pathname,
  ).href
);

const [events, plans, seed] = process.argv.slice(2).map(Number);
const EVENTS = [
  'plan_start',
  'planner_finished',
  'implement_start',
  'implement_finished',
  'review_approved',
  'review_changes_requested',
  'start_over',
  'cancel',
  'reopen',
];

const { gateway } = openPorts({
  cwd: process.cwd(),
  env: process.env,
  pid: process.pid,
  command: `fire-events ${seed}`,
});
const random = mulberry(seed);
for (let number = 0; number < events; number++) {
  const plan = `p${Math.floor(random() * plans)}.md`;
  const event = EVENTS[Math.floor(random() * EVENTS.length)];
  const { answers } = await gateway.submit([{ kind: 'move', plan, event, by: { who: 'user' } }]);
  const [answer] = answers;
  process.stdout.write(`${JSON.stringify({ kind: answer.kind, record: answer.records[0] ?? null })}\n`);
}

/** A small seeded generator of numbers between 0 and 1. */
function mulberry(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
