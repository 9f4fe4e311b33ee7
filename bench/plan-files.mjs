// How quickly plans are read: against a markdown library, and ten times the text against the text ten times.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { median, milliseconds, ratioLimit } from './report.mjs';

const SHORT = 100_000;
const TIMES = 10;
const ROUNDS = 7;
/** In milliseconds. What is parsed faster is parsed several times for one sample. */
const SAMPLE = 50;
const PLAN = readFileSync('test/fixtures/plans/generated-5000.md', 'utf8');

const INPUTS = {
  'a plan': repeated(PLAN.slice(0, 40_000)),
  'an unclosed fence': repeated('```\n### Task 1: x\n', 'code\n'),
  'one line': repeated('word '),
  hashes: repeated('#'),
  'list markers': repeated('- '),
  'short paragraphs': repeated('a\n\n'),
};

export async function measurePlanFiles() {
  const outfile = resolve('node_modules/.cadre/parse.mjs');
  await build({ entryPoints: ['src/plan/parse.ts'], outfile, bundle: true, format: 'esm', platform: 'node' });
  const { parse } = await import(pathToFileURL(outfile).href);
  const rows = Object.entries(INPUTS).map(([name, make]) => ({ name, ...proportion(parse, make) }));
  const { ours, theirs } = againstLibrary(parse);
  return {
    title: 'plan files: processor time of the best round for the ratio, medians for the library',
    tables: [
      [
        ['input', '10 x 100 KB', '1 MB', 'times one'],
        ...rows.map(({ name, short, long, ratio }) => [
          name,
          milliseconds(short),
          milliseconds(long),
          `${ratio.toFixed(1)} x`,
        ]),
      ],
      [
        ['50 KB of a plan', 'median'],
        ['cadre, with phases, tasks, files and steps', milliseconds(ours)],
        ['mdast-util-from-markdown, the tree alone', milliseconds(theirs)],
      ],
    ],
    notes: [`mdast takes ${(theirs / ours).toFixed(0)} x as long.`],
    limits: [
      ratioLimit('1 MB / 100 KB, the worst', Math.max(...rows.map(({ ratio }) => ratio)), 12),
      ratioLimit('20 x cadre / mdast', (20 * ours) / theirs, 1),
    ],
  };
}

/**
 * Both sides parse the same amount of text and keep the results, so that both fill the memory alike. The processor time of
 * the best round counts: other programs on the machine only ever make a round slower.
 */
function proportion(parse, make) {
  const [short, long] = [make(SHORT), make(SHORT * TIMES)];
  parse(long);
  const repeats = Math.max(1, Math.ceil(SAMPLE / processorTimeOf(() => parse(long))));
  let [ten, one] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    ten = Math.min(ten, processorTimeOf(() => Array.from({ length: repeats * TIMES }, () => parse(short))) / repeats);
    one = Math.min(one, processorTimeOf(() => Array.from({ length: repeats }, () => parse(long))) / repeats);
  }
  return { short: ten, long: one, ratio: (one / ten) * TIMES };
}

function processorTimeOf(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function againstLibrary(parse) {
  const text = PLAN.slice(0, 50_000);
  const ours = [];
  const theirs = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let time = 0; time < 5; time++) ours.push(timeOf(() => parse(text)));
    theirs.push(timeOf(() => fromMarkdown(text)));
  }
  return { ours: median(ours), theirs: median(theirs) };
}

function timeOf(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function repeated(first, rest = first) {
  return (length) => (first + rest.repeat(Math.ceil(length / rest.length))).slice(0, length);
}
