// How much more processor time a command takes than starting Node does.
import { setTimeout as pause } from 'node:timers/promises';
import { processorTimeOf } from './processor-time.mjs';
import { median, milliseconds, quantile, ratioLimit } from './report.mjs';
import { MAIN } from './scratch.mjs';

const RUNS = 40;
const WARM_UPS = 3;
const PLANS = 100;
/** In milliseconds: what was read from a file is kept once the file is a few seconds old. */
const SETTLED = 3_500;

const COMMANDS = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'cadre --version', argv: [MAIN, '--version'], most: 1.35 },
  { name: 'cadre status', argv: [MAIN, 'status'], most: 2 },
];

export async function measureStartUp(scratch) {
  const repo = await scratch.repoWithPlans('start-up', PLANS);
  await pause(SETTLED);
  const samples = new Map(COMMANDS.map(({ name }) => [name, []]));
  for (let run = -WARM_UPS; run < RUNS; run++) {
    for (const { name, argv } of COMMANDS) {
      const spent = await processorTimeOf(argv, repo);
      if (run >= 0) samples.get(name).push(spent);
    }
  }
  return report(samples);
}

function report(samples) {
  // The better half: other programs on the machine only ever make a run slower.
  const typical = (name) => quantile(samples.get(name), 0.25);
  const ratioOf = (name) => typical(name) / typical('node -e 0');
  return {
    title: `start-up: ${RUNS} runs of each command in turn, ${PLANS} plans registered`,
    tables: [
      [
        ['command', 'p25', 'median', 'p90', 'ratio of p25'],
        ...COMMANDS.map(({ name }) => [
          name,
          milliseconds(typical(name)),
          milliseconds(median(samples.get(name))),
          milliseconds(quantile(samples.get(name), 0.9)),
          `${ratioOf(name).toFixed(2)} x`,
        ]),
      ],
    ],
    notes: [],
    limits: COMMANDS.filter(({ most }) => most !== undefined).map(({ name, most }) =>
      ratioLimit(`${name} / node -e 0`, ratioOf(name), most),
    ),
  };
}
