// Who may import whom. Pure folders know no clock, disk, environment or chance; nothing goes in circles.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve('src');

/** Each folder of src with the folders it may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  machines: [],
  plan: ['machines'],
  signals: ['machines', 'plan'],
  agents: ['machines', 'plan', 'signals'],
  core: ['machines', 'plan', 'signals', 'agents'],
  engine: ['machines', 'plan', 'signals', 'agents', 'core'],
  adapters: ['machines', 'plan', 'signals', 'agents', 'core'],
  surfaces: ['machines', 'plan', 'signals', 'agents', 'core'],
  // A program of its own, which knows cadre's words and none of its parts.
  'scripted-agent': ['plan', 'signals', 'core'],
  // The files directly in src put everything together.
  '.': ['machines', 'plan', 'signals', 'agents', 'core', 'engine', 'adapters', 'surfaces', 'scripted-agent'],
};

const PURE = ['machines', 'plan', 'signals', 'agents', 'core'];

/** Files that are pure in folders that are not. */
const PURE_FILES = ['scripted-agent/script.ts', 'scripted-agent/by-itself.ts'];

/** Words with which a pure function would reach for the world around it. */
const AMBIENT =
  /\b(?:process|globalThis|performance|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|Buffer|require|console)\b(?=[.(])|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/;

const files = filesBelow(SRC).map((path) => ({ path, name: relative(SRC, path), text: readFileSync(path, 'utf8') }));

test('there are files to look at in every folder', () => {
  for (const folder of Object.keys(MAY_IMPORT)) expect(files.some((file) => folderOf(file.name) === folder)).toBe(true);
  expect([...new Set(files.map((file) => folderOf(file.name)))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
});

test.each(files.map((file) => [file.name, file] as const))('%s imports only from where it may', (name, file) => {
  const own = folderOf(name);
  for (const target of importsOf(file.text).filter(isRelative)) {
    const folder = folderOf(relative(SRC, resolve(dirname(file.path), target)));
    expect([own, ...(MAY_IMPORT[own] ?? [])], `${name} imports ${target}`).toContain(folder);
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
  expect(starters.map((file) => file.name)).toEqual(['adapters/exec.ts']);
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
  const speakers = files.filter(
    (file) => ['engine', 'adapters'].includes(folderOf(file.name)) && literal.test(file.text),
  );
  expect(speakers.map((file) => file.name)).toEqual([]);
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
  return PURE.includes(folderOf(name)) || PURE_FILES.includes(name);
}

function folderOf(name: string): string {
  return name.includes('/') ? (name.split('/')[0] ?? '') : '.';
}

function importsOf(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';$|^import '([^']+)';$/gm);
  const calls = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [...statements, ...calls].map((match) => match[1] ?? match[2] ?? '');
}

function isRelative(target: string): boolean {
  return target.startsWith('.');
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
