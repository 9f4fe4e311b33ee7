// Who may import whom. Pure folders know no clock, disk, environment or chance; nothing goes in circles.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../src/surfaces/cli/table/table.ts';

const SRC = resolve('src');

/** The pure folders from the bottom up: each may import from those before it. A folder brings its subfolders unless they are listed. */
const PURE = [
  'text',
  'machines',
  'plan/markdown',
  'plan',
  'workshop',
  'reviews',
  'plan/foreign',
  'signals',
  'agents',
  'core/settings',
  'core/model',
  'core/ports',
  'core/journal',
  'core/files',
  'core/rules/run',
  'core/rules/plan',
  'core/rules/workshop',
  'core/rules/session',
  'core/rules/signal',
  'core/rules',
  'core/views',
  'surfaces/tui/terminal',
];

/** The adapters from the bottom up. They know the pure folders, and neither the engine nor a surface. */
const ADAPTERS = [
  'adapters/system',
  'adapters/terminal',
  'adapters/repo',
  'adapters/notify',
  'adapters/journal',
  'adapters/plans',
  'adapters/config',
  'adapters/signals',
  'adapters/git',
  'adapters/walls',
  'adapters/worktrees',
  'adapters/kept',
  'adapters/sessions',
  'adapters/doctor',
  'adapters/cleanup',
];

const OPEN_TO_SURFACES = PURE.filter((folder) => !/^core\/(?:rules|journal|files)/.test(folder));

/** The pure parts of the terminal interface from the bottom up. They know the views of the app, and no terminal. */
const TUI = ['surfaces/tui/model', 'surfaces/tui/keys', 'surfaces/tui/view'];

/** Each group of folders with those it may import from, besides itself. */
const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map([
  ...PURE.map((folder, index) => [folder, PURE.slice(0, index)] as const),
  ...ADAPTERS.map((folder, index) => [folder, [...PURE, ...ADAPTERS.slice(0, index)]] as const),
  ['engine', PURE],
  ['app', PURE],
  ['surfaces', [...OPEN_TO_SURFACES, 'app', ...TUI]],
  ...TUI.map((folder, index) => [folder, [...OPEN_TO_SURFACES, 'app', 'surfaces', ...TUI.slice(0, index)]] as const),
  // A separate program, which knows cadre's words and none of its parts.
  ['scripted-agent', ['text', 'plan', 'workshop', 'reviews', 'signals', 'core/model', 'core/ports', 'core/files']],
  ['compose', [...PURE, ...ADAPTERS, 'app', 'engine', 'surfaces', 'scripted-agent', '.']],
  ['.', ['compose']],
]);

/** Files that are pure in folders that are not. */
const PURE_FILES = [
  'scripted-agent/script.ts',
  'scripted-agent/default-script.ts',
  'surfaces/cli/repl/parse-line.ts',
  'surfaces/cli/repl/complete-line.ts',
];

const MOST_IN_A_FOLDER = 23;

/** Words with which a pure function would reach for the world around it. */
const AMBIENT =
  /\b(?:process|globalThis|performance|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|Buffer|require|console)\b(?=[.(])|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/;

const files = filesBelow(SRC).map((path) => ({ path, name: relative(SRC, path), text: readFileSync(path, 'utf8') }));

test('there are files to look at in every folder', () => {
  expect([...new Set(files.map((file) => groupOf(file.name)))].sort()).toEqual([...MAY_IMPORT.keys()].sort());
});

test.each(files.map((file) => [file.name, file] as const))('%s imports only from where it may', (name, file) => {
  const own = groupOf(name);
  for (const target of importsOf(file.text).filter(isRelative)) {
    const group = groupOf(relative(SRC, resolve(dirname(file.path), target)));
    expect([own, ...(MAY_IMPORT.get(own) ?? [])], `${name} imports ${target}`).toContain(group);
  }
});

test.each(files.filter(isPure).map((file) => [file.name, file] as const))('%s is pure', (name, file) => {
  expect(
    importsOf(file.text).filter((target) => !isRelative(target)),
    `${name} imports a package`,
  ).toEqual([]);
  expect(withoutCommentsAndTexts(file.text)).not.toMatch(AMBIENT);
});

test('other programs are started in one file only', () => {
  const starters = files.filter((file) => importsOf(file.text).includes('node:child_process'));
  expect(starters.map((file) => file.name)).toEqual(['adapters/system/exec.ts']);
});

test('no file imports itself, directly or through others', () => {
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file.text)
        .filter(isRelative)
        .map((target) => resolve(dirname(file.path), target)),
    ]),
  );
  expect(cycleIn(graph)?.map((path) => relative(SRC, path))).toBeUndefined();
});

test('a cycle is found where there is one', () => {
  expect(
    cycleIn(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual(['b', 'c', 'b']);
});

test('states of plans are named in the machines and in what shows them, not in the engine or the adapters', () => {
  const literal = /'(?:planning|implementing|reviewing|cancelled)'/;
  const speakers = files.filter((file) => /^(?:engine|adapters)\//.test(file.name) && literal.test(file.text));
  expect(speakers.map((file) => file.name)).toEqual([]);
});

test('sets of Unicode letters are built when they are used, not when the program starts', () => {
  const constant = /^(?:export )?const \w+ =\s*\/.*\\[pP]\{/m;
  expect(constant.test('const LETTERS = /[\\p{L}]/u;')).toBe(true);
  expect(files.filter((file) => constant.test(file.text)).map((file) => file.name)).toEqual([]);
});

test('only surfaces and prompts contain commands; everything else suggests actions', () => {
  const command = new RegExp(`\\bcadre (?:${COMMANDS.map(({ name }) => name.split(' ')[0]).join('|')})\\b`);
  expect(command.test('"cadre thaw" ends that.')).toBe(true);
  const elsewhere = files.filter(({ name }) => !/^(?:surfaces|agents\/prompts|scripted-agent|compose)\//.test(name));
  const found = elsewhere.flatMap(({ name, text }) =>
    textsIn(text)
      .filter((one) => command.test(one))
      .map((one) => `${name}: ${one}`),
  );
  expect(found).toEqual([]);
});

test('there is no folder or file for things without a name', () => {
  const vague = /(?:^|\/)(?:utils?|helpers?|common|shared|services?|managers?|types|constants|index)(?:\.ts|\/)/;
  expect(files.map((file) => file.name).filter((name) => vague.test(name))).toEqual([]);
});

test('every file says in its first line what it is for', () => {
  for (const file of files) expect(file.text.replace(/^#!.*\n/, ''), file.name).toMatch(/^\/\/ \S/);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : []));
}

function isPure({ name }: { readonly name: string }): boolean {
  return PURE.includes(groupOf(name)) || TUI.includes(groupOf(name)) || PURE_FILES.includes(name);
}

/** The listed folder that holds the file, the nearest where one holds another. */
function groupOf(name: string): string {
  let folder = dirname(name);
  while (!MAY_IMPORT.has(folder) && folder !== '.') folder = dirname(folder);
  return folder;
}

test('no folder holds more files than one reads at a glance', () => {
  const counts = new Map<string, number>();
  for (const { name } of files) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_IN_A_FOLDER)).toEqual([]);
});

function importsOf(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';$|^import '([^']+)';$/gm);
  const calls = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [...statements, ...calls].map((match) => match[1] ?? match[2] ?? '');
}

function isRelative(target: string): boolean {
  return target.startsWith('.');
}

/** The texts in quotes, without comments. */
function textsIn(text: string): readonly string[] {
  const parts = text.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/gm);
  return [...parts].map(([part]) => part).filter((part) => !part.startsWith('/'));
}

function withoutCommentsAndTexts(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''");
}

/** The first cycle a walk comes upon, as the path around it. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>();
  const walk = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = walk(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
