// The exhaustive search: `npm run search` for every model, `-- --model <words of its name>` for some, `-- --mutants` to switch
// the rules back one at a time (`--only <words of its name>` one of them) and see the search notice, `-- --partition` to see
// that worlds which the search takes for one go the same ways (with `--model`: the large ones have very many single worlds).
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './mutation.mjs';

const asJson = process.argv.includes('--json');
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};

const [ask] = ['mutants', 'partition'].filter((name) => process.argv.includes(`--${name}`));
process.exit((await { mutants: switchBack, partition: compareAll, undefined: searchAll }[ask]()) ? 0 : 1);

async function searchAll() {
  const { MODELS, search } = await load(undefined, 'search');
  let isGood = true;
  for (const model of MODELS.filter((one) => one.name.includes(option('model', '')))) {
    const report = search(model, { violations: 20, states: Number(option('states', 3_000_000)) });
    isGood &&= report.violations.length === 0;
    console.log(asJson ? JSON.stringify(report) : told(report));
  }
  return isGood;
}

async function compareAll() {
  const { MODELS, partition } = await load(undefined, 'search');
  let isGood = true;
  for (const model of MODELS.filter((one) => one.alike && one.name.includes(option('model', '')))) {
    const { worlds, classes, torn } = partition(model, Number(option('states', 3_000_000)));
    isGood &&= torn.length === 0;
    console.log(`${model.name}: ${worlds} worlds taken for ${classes}, ${torn.length} wrongly`);
    for (const { one, other, labels } of torn.slice(0, 3))
      console.log(`  ${one}\n  ${other}\n    ${labels.join(', ')}`);
  }
  return isGood;
}

async function switchBack() {
  const { MUTANTS, MODELS } = await load(undefined, 'search-mutants');
  const chosen = MUTANTS.filter((mutant) => mutant.name.includes(option('only', '')));
  let caught = 0;
  for (const [number, mutant] of chosen.entries()) {
    const { search } = await load(mutant, `search-mutant-${number}`);
    const model = MODELS.find((one) => one.name === mutant.model);
    const { violations, states } = search(model, { violations: 1, states: mutant.states ?? 60_000 });
    const [first] = violations;
    caught += first === undefined ? 0 : 1;
    if (asJson)
      console.log(JSON.stringify({ rule: mutant.name, model: mutant.model, states, violation: first ?? null }));
    else
      console.log(
        `${mutant.name}: ${first === undefined ? 'NOT CAUGHT' : `${first.what}\n    ${first.trace.join(', ')}`}`,
      );
  }
  console.log(asJson ? '' : `${caught} of ${chosen.length} caught`);
  return caught === chosen.length;
}

async function load(mutant, name) {
  const outfile = resolve(`node_modules/.cadre/${name}-${process.pid}.mjs`);
  await bundle(outfile, 'test/search/main.ts', mutant);
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

function told({ model, states, transitions, refused, violations, seconds }) {
  const figures = `${model}: ${states} states, ${transitions} transitions, ${refused} refused, ${violations.length} violations (${seconds.toFixed(1)} s)`;
  return [figures, ...violations.map(({ what, trace }) => `  ${what}\n    ${trace.join(', ')}`)].join('\n');
}
