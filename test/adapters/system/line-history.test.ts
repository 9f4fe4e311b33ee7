// The lines that were typed at the prompt: which are kept, how many, and by whom.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { disk } from '../../../src/adapters/system/disk.ts';
import { lineHistory, MOST_LINES } from '../../../src/adapters/system/line-history.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import { temporaryFolder } from '../../support/pieces.ts';

function history() {
  const path = join(temporaryFolder(), 'home', 'repl-history');
  return { path, open: () => lineHistory(disk, fileLocks({ command: 'a test' }), path) };
}

test('what one prompt adds, another one reads', async () => {
  const { open } = history();
  expect(open().read()).toEqual([]);
  await open().add('status');
  await open().add('  why search  ');
  expect(open().read()).toEqual(['status', 'why search']);
});

test('prompts that add lines at the same time lose none', async () => {
  const { open } = history();
  const lines = Array.from({ length: 20 }, (_, number) => `why plan-${number}`);
  await Promise.all(lines.map((line) => open().add(line)));
  expect(open().read().toSorted()).toEqual(lines.toSorted());
});

test('a repeated line, an empty one and a pasted text are not kept', async () => {
  const { open, path } = history();
  for (const line of ['status', 'status', '', '  ', 'x'.repeat(2_001), 'two\nlines']) await open().add(line);
  expect(readFileSync(path, 'utf8')).toBe('status\n');
});

test('only the newest lines are kept', async () => {
  const { open } = history();
  for (let number = 1; number <= MOST_LINES + 2; number++) await open().add(`why ${number}`);
  const kept = open().read();
  expect(kept).toHaveLength(MOST_LINES);
  expect(kept[0]).toBe('why 3');
});
