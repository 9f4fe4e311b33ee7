// Documents that cannot lie: generated pages are fresh, and every path, link and script they name exists.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pages } from '../scripts/pages.ts';
import { COMMANDS, GROUPS } from '../src/surfaces/cli/table/table.ts';

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(path) && !path.startsWith('test/fixtures/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md', 'LICENSE'])(
  '%s is there',
  (path) => {
    expect(existsSync(path)).toBe(true);
  },
);

test.each(pages().map((page) => [page.path, page.text] as const))('%s is what "npm run gen" writes', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test.each(documents.map((document) => [document.path, document.text] as const))(
  'every link and path in %s exists',
  (path, text) => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '');
    for (const link of links.filter((target) => !/^[a-z]+:/.test(target)))
      expect(existsSync(join(dirname(path), link)), `${path} links to ${link}`).toBe(true);
    for (const named of namedPaths(text)) expect(existsSync(named), `${path} names ${named}`).toBe(true);
  },
);

test.each(documents.map((document) => [document.path, document.text] as const))(
  'every npm script in %s exists',
  (path, text) => {
    for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g))
      expect(Object.keys(scripts), `${path}: npm run ${name}`).toContain(name);
  },
);

test.each(documents.map((document) => [document.path, document.text] as const))(
  'every cadre command in %s exists',
  (path, text) => {
    const known = [...COMMANDS.map((command) => command.name), ...Object.keys(GROUPS), 'help'];
    const typed = [...text.matchAll(/(?:^|`|\$ )cadre ([a-z][\w-]*)(?: ([a-z][\w-]*))?/gm)];
    for (const [, first = '', second = ''] of typed) {
      const name = Object.hasOwn(GROUPS, first) && second !== '' ? `${first} ${second}` : first;
      expect(known, `${path}: cadre ${name}`).toContain(name);
    }
  },
);

test('every problem that a plan can have is explained', () => {
  const page = readFileSync('docs/plan-files.md', 'utf8');
  const sources = ['check', 'lint', 'dependencies'].map((name) => readFileSync(`src/plan/${name}.ts`, 'utf8')).join('');
  const codes = [...sources.matchAll(/'((?:[a-z]+-)+[a-z]+|empty|outside)'/g)].map((match) => match[1] ?? '');
  expect(codes.length).toBeGreaterThan(20);
  for (const code of codes) expect(page, code).toContain(`\`${code}\``);
});

test('every dependency of the program has a page that says why it is there', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const decisions = documents
    .filter((document) => document.path.startsWith('docs/decisions/'))
    .map((document) => document.text);
  for (const name of Object.keys(dependencies))
    expect(
      decisions.some((text) => text.includes(name)),
      name,
    ).toBe(true);
});

test('every invariant of ARCHITECTURE.md names a test file that exists', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  const section = /## Invariants\n([\s\S]*?)(?=\n## |$)/.exec(text)?.[1] ?? '';
  const items = section.split('\n').filter((line) => /^\d+\. /.test(line));
  expect(items.length).toBeGreaterThanOrEqual(10);
  for (const item of items) {
    const tests = [...item.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? '');
    expect(tests, item).not.toEqual([]);
    for (const path of tests) expect(existsSync(path), `${item} names ${path}`).toBe(true);
  }
});

/** Paths of this repository in backticks, outside of examples; a placeholder in angle brackets or a star is no path. */
function namedPaths(text: string): readonly string[] {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1/gm, '');
  return [...prose.matchAll(/`((?:src|test|scripts|bench|docs\/decisions)\/[\w./-]+)`/g)].map(
    (match) => match[1] ?? '',
  );
}
