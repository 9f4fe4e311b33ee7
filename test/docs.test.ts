// Documents stay true: generated pages are fresh, and every path, link, script and command that a document names exists.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages } from '../scripts/pages.ts';
import { invariantsIn } from '../scripts/tests-page.ts';
import { COMMANDS, GROUPS } from '../src/surfaces/cli/table/table.ts';
import { proseOf, WORDS_TO_AVOID } from './support/prose.ts';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path) && !path.startsWith('test/fixtures/'));

const documents = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => [path, readFileSync(path, 'utf8')] as const);

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md', 'LICENSE'])(
  '%s exists',
  (path) => {
    expect(existsSync(path)).toBe(true);
  },
);

test.each(pages().map((page) => [page.path, page.text] as const))('%s is what "npm run gen" writes', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text);
});

describe.each(documents)('%s', (path, text) => {
  test('links to files and headings that exist', () => {
    for (const [, file = '', heading = ''] of proseIn(text).matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)) {
      if (/^[a-z]+:/.test(file)) continue;
      const target = file === '' ? path : join(dirname(path), file);
      expect(existsSync(target), `${path} links to ${file}`).toBe(true);
      if (heading !== '') expect(headingsIn(target), `${path} links to ${file}#${heading}`).toContain(heading);
    }
  });

  test('names paths that exist', () => {
    for (const [, named = ''] of proseIn(text).matchAll(NAMED_PATH))
      expect(existsSync(named), `${path} names ${named}`).toBe(true);
  });

  test('names npm scripts that exist', () => {
    for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g))
      expect(Object.keys(scripts), `${path}: npm run ${name}`).toContain(name);
  });

  test('names commands that exist', () => {
    const known = [...COMMANDS.map((command) => command.name), ...Object.keys(GROUPS), 'help'];
    for (const [, first = '', second = ''] of typedIn(text)) {
      const name = Object.hasOwn(GROUPS, first) && second !== '' ? `${first} ${second}` : first;
      expect(known, `${path}: cadre ${name}`).toContain(name);
    }
  });
});

test('every problem that a plan can have is explained', () => {
  const page = readFileSync('docs/plan-files.md', 'utf8');
  const sources = ['check', 'lint', 'dependencies'].map((name) => readFileSync(`src/plan/${name}.ts`, 'utf8')).join('');
  const codes = [...sources.matchAll(/'((?:[a-z]+-)+[a-z]+|empty|outside)'/g)].map((match) => match[1] ?? '');
  expect(codes.length).toBeGreaterThan(20);
  for (const code of codes) expect(page, code).toContain(`\`${code}\``);
});

test('every dependency of the program has a decision page that gives the reason', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const decisions = documents.filter(([path]) => path.startsWith('docs/decisions/')).map(([, text]) => text);
  for (const name of Object.keys(dependencies))
    expect(
      decisions.some((text) => text.includes(name)),
      name,
    ).toBe(true);
});

test('package-lock.json has every package that another one in it may need, so that `npm ci` takes it', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
  const needed = Object.values(lock.packages).flatMap(({ dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  );
  const isLocked = (name: string): boolean => lock.packages[`node_modules/${name}`] !== undefined;
  expect(needed.filter((name) => !isLocked(name))).toEqual([]);
});

interface LockedPackage {
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test('every runtime dependency is in the table of CONTRIBUTING.md, and locked with a checksum', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  for (const name of Object.keys(dependencies)) {
    expect(page, name).toContain(`| ${name} | `);
    expect(lock.packages[`node_modules/${name}`]?.integrity, name).toMatch(/^sha512-/);
  }
});

test('a page that is packed links only to what is packed too', () => {
  const { files: packed } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
  const isPacked = (path: string): boolean => packed.some((one) => path === one || path.startsWith(`${one}/`));
  // The list of the tests is about a clone.
  const pages = documents.filter(([path]) => isPacked(path) && path !== 'docs/tests.md');
  expect(pages.length).toBeGreaterThan(30);
  for (const [path, text] of pages)
    for (const [, file = ''] of proseIn(text).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!/^[a-z]+:/.test(file))
        expect(isPacked(join(dirname(path), file).replace(/\/$/, '')), `${path}: ${file}`).toBe(true);
});

test('every name that ARCHITECTURE.md points to in a file is there', () => {
  const named = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/`(src\/[\w./-]+\.ts)` \(`(\w+)`\)/g)];
  expect(named.length).toBeGreaterThan(2);
  for (const [, path = '', name = ''] of named)
    expect(readFileSync(path, 'utf8'), `${path} has no ${name}`).toMatch(
      new RegExp(`\\b(?:function|const) ${name}\\b`),
    );
});

test('every invariant of ARCHITECTURE.md names test files that exist', () => {
  const invariants = invariantsIn(readFileSync('ARCHITECTURE.md', 'utf8'));
  expect(invariants.length).toBeGreaterThanOrEqual(10);
  for (const { number, tests } of invariants) {
    expect(tests, `invariant ${number}`).not.toEqual([]);
    for (const path of tests) expect(existsSync(path), `invariant ${number} names ${path}`).toBe(true);
  }
});

test('every claim is a sentence of the README, and names something that exists and shows it', () => {
  const readme = plain(readFileSync('README.md', 'utf8'));
  const rows = [...readFileSync('docs/claims.md', 'utf8').matchAll(/^\| (?!the README|---)(.+?) \| (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  for (const [, claim = '', shown = ''] of rows) {
    expect(readme, claim).toContain(plain(claim));
    const paths = [...shown.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    expect(paths, claim).not.toEqual([]);
    for (const path of paths) expect(existsSync(path), `${claim}: ${path}`).toBe(true);
  }
});

test('every promise of the README is among its claims', () => {
  const [, section = ''] =
    /## What you can rely on\n([\s\S]*?)\nEach of these/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const promises = section.split(/^- /m).filter((text) => text.trim() !== '');
  const claims = [...readFileSync('docs/claims.md', 'utf8').matchAll(/^\| (.+?) \|/gm)].map((match) =>
    plain(match[1] ?? ''),
  );
  expect(promises.length).toBeGreaterThan(3);
  for (const promise of promises)
    expect(
      claims.some((claim) => plain(promise).includes(claim)),
      promise,
    ).toBe(true);
});

/** Without line ends and emphasis. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('**', '');
}

/** They list the words, hold text that was recorded, or have a file of that name in a script. */
const EXEMPT = [
  'docs/glossary.md',
  'test/support/prose.ts',
  'docs/reliability.md',
  'src/adapters/sessions/process/supervised-process.ts',
];

test('no text in documents, code or tests has words that the glossary rules out', () => {
  const found = files.filter(isProse).flatMap((path) => {
    const words = proseOf(path, readFileSync(path, 'utf8')).match(WORDS_TO_AVOID) ?? [];
    return words.map((word) => `${path}: ${word}`);
  });
  expect(found).toEqual([]);
});

function isProse(path: string): boolean {
  return /\.(?:md|ts|mjs|cjs)$/.test(path) && !EXEMPT.includes(path);
}

/** In backticks; what has a placeholder in angle brackets or a star in it is not a path. */
const NAMED_PATH = /`((?:src|test|scripts|bench|docs\/decisions)\/[\w./-]+)`/g;

function proseIn(text: string): string {
  return text.replace(/^(`{3,})[\s\S]*?^\1/gm, '');
}

/** Commands in backticks, and at the start of a line in a block. */
function typedIn(text: string): readonly RegExpMatchArray[] {
  const blocks = [...text.matchAll(/^(`{3,})[\s\S]*?^\1/gm)].map(([block]) => block).join('\n');
  const command = 'cadre ([a-z][\\w-]*)(?: ([a-z][\\w-]*))?';
  return [
    ...proseIn(text).matchAll(new RegExp(`\`${command}`, 'g')),
    ...blocks.matchAll(new RegExp(`^(?:\\$ )?${command}`, 'gm')),
  ];
}

/** As GitHub turns them into anchors. */
function headingsIn(path: string): readonly string[] {
  const headings = [...proseIn(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
