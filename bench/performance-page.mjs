// Writes docs/performance.md: what was measured, against what, and the limit it is held to. A run of some benchmarks
// replaces only their part of the page.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { isMissed } from './report.mjs';

const FIGURES = 'docs/performance.json';
const PAGE = 'docs/performance.md';

/** `reports`: by the name of the benchmark. `order`: all names, in the order of the page. */
export function writePerformance(reports, order) {
  const before = existsSync(FIGURES) ? JSON.parse(readFileSync(FIGURES, 'utf8')) : {};
  const surroundings = { at: new Date().toISOString().slice(0, 10), ...machine() };
  const measured = Object.fromEntries([...reports].map(([name, report]) => [name, figures(report, surroundings)]));
  const all = { ...before, ...measured };
  const known = Object.fromEntries(order.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
  writeFileSync(FIGURES, `${JSON.stringify(known, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(known, order));
}

function machine() {
  return { cores: cpus().length, node: process.versions.node, load: Number((loadavg()[0] ?? 0).toFixed(1)) };
}

function figures({ title, tables, notes, limits }, surroundings) {
  return {
    ...surroundings,
    title,
    tables,
    notes,
    limits: limits.map((limit) => ({
      ...{ name: limit.name, kind: limit.kind, shown: limit.shown, limit: limit.limit },
      missed: isMissed(limit),
    })),
  };
}

export function pageOf(known, order) {
  const missing = order.filter((name) => known[name] === undefined);
  return [
    '<!-- Written by "npm run bench -- --write". -->',
    '',
    '# Performance',
    '',
    'Each line compares two things that were measured in the same run: what cadre costs, and what another way of doing the',
    'same costs, or what the machine cannot do without. So it holds on any machine, and a miss fails the benchmark. Lines in',
    'milliseconds depend on the machine; a miss there is shown and fails nothing. The benchmark `growth` says how cost grows:',
    'with ten times as many plans, records or sessions.',
    '',
    ...(missing.length === 0 ? [] : [`Not measured yet: ${missing.map((name) => `\`${name}\``).join(', ')}.`, '']),
    ...Object.entries(known).flatMap(([name, one]) => section(name, one)),
  ].join('\n');
}

function section(name, { at, cores, node, load, title, tables, notes, limits }) {
  return [
    `## ${name}`,
    '',
    `${sentence(title)} Measured on ${at} with Node ${node} on ${cores} cores, load ${load}.`,
    '',
    ...markdown([
      ['measured', 'value', 'goal', ''],
      ...limits.map((one) => [one.name, one.shown, `at most ${one.limit}`, one.missed ? '**missed**' : 'ok']),
    ]),
    '',
    ...tables.flatMap((table) => [...markdown(table), '']),
    ...notes.flatMap((note) => [note, '']),
  ];
}

function sentence(title) {
  const text = title.charAt(0).toUpperCase() + title.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}

function markdown([header, ...rows]) {
  const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(header), row(header.map(() => '---')), ...rows.map(row)];
}
