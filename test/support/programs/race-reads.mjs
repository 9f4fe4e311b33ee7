// Reads and moves plans by turns, each read as a new process would: with nothing in memory. Prints how often it did what,
// and everything that a person would have been told.
// Usage: node race-reads.mjs <times> <plans> <seed>
import { pathToFileURL } from 'node:url';

const { openPorts } = await import(
  pathToFileURL(
    process.env.CADRE_DIST
      ? `${process.env.CADRE_DIST}/program.js`
      : new URL('../../../dist/program.js', import.meta.url).pathname,
  ).href
);

const [times, plans, seed] = process.argv.slice(2).map(Number);
/** One in so many is a write. */
const WRITE_EVERY = 5;
const EVENTS = ['plan_start', 'planner_finished'];

const open = () =>
  openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: `race-reads ${seed}` }).gateway;
const writer = open();
const done = { reads: 0, writes: 0, told: [] };
let newest = 0;
for (let number = 0; number < times; number++) {
  try {
    if ((number + seed) % WRITE_EVERY === 0) await write(number);
    else await read();
  } catch (error) {
    done.told.push(`${error.code}: ${error.message}`);
  }
}
process.stdout.write(`${JSON.stringify(done)}\n`);

async function read() {
  const { seq } = await open().look();
  if (seq < newest) done.told.push(`record ${seq} was the last after ${newest} had been`);
  newest = Math.max(newest, seq);
  done.reads++;
}

async function write(number) {
  const plan = `p${(number + seed) % plans}.md`;
  const event = EVENTS[number % EVENTS.length];
  const { notes } = await writer.submit([{ kind: 'move', plan, event, by: { who: 'user' } }]);
  done.told.push(...notes);
  done.writes++;
}
