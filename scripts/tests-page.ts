// docs/tests.md: every test file with the line in which it says what it shows.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SLOW_SUITES } from '../test/support/tier.ts';
import { markdownTable } from './markdown-table.ts';

interface TestFile {
  readonly path: string;
  readonly shows: string;
}

export function testsPage(notice: string): string {
  const files = testFiles();
  const missing = SLOW_SUITES.filter((slow) => !files.some(({ path }) => path === slow));
  if (missing.length > 0) throw new Error(`test/support/tier.ts names suites that do not exist: ${missing.join(', ')}`);
  const invariants = invariantsIn(readFileSync('ARCHITECTURE.md', 'utf8'));
  const folders = [...new Set(files.map((file) => dirname(file.path)))];
  const intro = `# What the tests show

Every test file says in its first line what it shows; this page collects these lines. Read in a row, the titles of a file's
tests are its specification. The invariants that everything else rests on, with the files that hold each, are in
[ARCHITECTURE.md](../ARCHITECTURE.md#invariants); their numbers are repeated here. The suites marked "slow" run in
"npm run test:ci", all others in "npm test".
`;
  return [notice, intro, ...folders.map((folder) => folderSection(folder, files, invariants))].join('\n');
}

function folderSection(folder: string, files: readonly TestFile[], invariants: readonly Invariant[]): string {
  const rows = files
    .filter((file) => dirname(file.path) === folder)
    .map(({ path, shows }) => [
      `[${path.slice(folder.length + 1)}](../${path})`,
      SLOW_SUITES.includes(path) ? `${shows} (slow)` : shows,
      invariants
        .filter(({ tests }) => tests.includes(path))
        .map(({ number }) => number)
        .join(', '),
    ]);
  return `## ${folder}\n\n${markdownTable(['file', 'what it shows', 'invariant'], rows)}`;
}

function testFiles(): readonly TestFile[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .map((path) => ({ path, shows: firstComment(path) }));
}

/** The files of a folder before those of its subfolders. */
function sortKey(path: string): string {
  return `${dirname(path)}\0${path}`;
}

/** The comment that the file starts with. */
function firstComment(path: string): string {
  const [comment] = /^(?:\/\/ .*\n)+/.exec(readFileSync(path, 'utf8')) ?? [];
  if (comment === undefined) throw new Error(`${path} does not say in its first line what it shows.`);
  return comment
    .trimEnd()
    .replace(/^\/\/ /gm, '')
    .replaceAll('\n', ' ');
}

export interface Invariant {
  readonly number: number;
  /** The test files that hold it. */
  readonly tests: readonly string[];
}

export function invariantsIn(architecture: string): readonly Invariant[] {
  const section = /\n## Invariants\n([\s\S]*?)(?=\n## |$)/.exec(architecture)?.[1] ?? '';
  return [...section.matchAll(/^(\d+)\. [\s\S]*?(?=\n\d+\. |$(?![\s\S]))/gm)].map(([item, number]) => ({
    number: Number(number),
    tests: [...item.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? ''),
  }));
}
