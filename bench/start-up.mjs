// How much longer a command takes than starting Node does.
import { median, milliseconds, quantile, ratioLimit } from './report.mjs';
import { MAIN } from './scratch.mjs';

const RUNS = 40;
const WARM_UPS = 3;
const PLANS = 100;

const COMMANDS = [
  { name: 'node -e 0', argv: ['-e', '0'] },
  { name: 'cadre --version', argv: [MAIN, '--version'], most: 1.35 },
  { name: 'cadre status', argv: [MAIN, 'status'], most: 2.5 },
];

export async function measureStartUp(scratch) {
  const repo = await scratch.repoWithPlans('start-up', PLANS);
  const samples = new Map(COMMANDS.map(({ name }) => [name, []]));
  for (let run = -WARM_UPS; run < RUNS; run++) {
    for (const { name, argv } of COMMANDS) {
      const started = performance.now();
      const { ended } = await scratch.run(argv, repo);
      if (run >= 0) samples.get(name).push(ended - started);
    }
  }
  return report(samples);
}

function report(samples) {
  const bare = median(samples.get('node -e 0'));
  const ratioOf = (name) => median(samples.get(name)) / bare;
  return {
    title: `start-up: ${RUNS} runs of each command in turn, ${PLANS} plans registered`,
    tables: [
      [
        ['command', 'median', 'p90', 'ratio'],
        ...COMMANDS.map(({ name }) => [
          name,
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
