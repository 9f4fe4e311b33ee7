// How long a fresh process needs to know everything again after the one before it was killed.
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median, milliseconds, quantile, timeLimit } from './report.mjs';

const RECORDS = 10_000;
const PLANS = 500;
const OPENINGS = 30;
const MOST = 2_000;

const WRITER = join(import.meta.dirname, 'write-until-killed.mjs');
const READER = join(import.meta.dirname, 'open-and-look.mjs');

export async function measureRecovery(scratch) {
  const repo = await scratch.repoWithPlans('recovery', PLANS);
  const told = await writeUntilKilled(scratch, repo);
  const ways = [
    { name: 'as it was left', env: repo.env, openings: [] },
    { name: 'checkpoint lost, all records folded', env: withoutCheckpoint(repo), openings: [] },
  ];
  for (let opening = 0; opening < OPENINGS; opening++)
    for (const { env, openings } of ways) openings.push(await open(scratch, { ...repo, env }, told));
  return report(ways);
}

/** kill -9 in the middle of its work. Returns the last record that it had been told was kept. */
async function writeUntilKilled(scratch, repo) {
  const writer = scratch.start([WRITER], repo);
  const ended = once(writer, 'exit');
  let told = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    told = Number(line);
    if (told >= RECORDS) writer.kill('SIGKILL');
  }
  await ended;
  if (told < RECORDS) throw new Error(`The writer exited before it was killed, at record ${told}.`);
  return told;
}

/** Another home for the same repository, with the same journal and nothing folded beforehand. */
function withoutCheckpoint({ env }) {
  const home = `${env.CADRE_HOME}-without-checkpoint`;
  cpSync(env.CADRE_HOME, home, { recursive: true });
  const repos = join(home, 'repos');
  for (const name of readdirSync(repos)) rmSync(join(repos, name, 'checkpoint.json'));
  return { ...env, CADRE_HOME: home };
}

async function open(scratch, repo, told) {
  const opening = JSON.parse((await scratch.run([READER], repo)).stdout);
  if (opening.seq < told || opening.plans !== PLANS)
    throw new Error(`Record ${told} was kept, and after the restart only ${opening.seq} were there.`);
  return opening;
}

function report(ways) {
  const opened = ({ openings }) => openings.map((opening) => opening.opened);
  const sinceStart = ({ openings }) => openings.map((opening) => opening.sinceStart);
  const [left, folded] = ways;
  return {
    title: `recovery: ${OPENINGS} openings of a journal of ${left.openings[0].seq} records and ${PLANS} plans after kill -9`,
    tables: [
      [
        ['opened', 'open and fold p50', 'p99', 'with starting Node p50', 'p99'],
        ...ways.map((way) => [
          way.name,
          milliseconds(median(opened(way))),
          milliseconds(quantile(opened(way), 0.99)),
          milliseconds(median(sinceStart(way))),
          milliseconds(quantile(sinceStart(way), 0.99)),
        ]),
      ],
    ],
    notes: [`Without the checkpoint it takes ${(median(opened(folded)) / median(opened(left))).toFixed(2)} x as long.`],
    limits: ways.map((way) => timeLimit(`${way.name}: p99 with starting Node`, quantile(sinceStart(way), 0.99), MOST)),
  };
}
