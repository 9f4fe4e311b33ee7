// The short help names only commands that exist, and fits on a screen.
import { expect, test } from 'vitest';
import { shortHelp, TOPICS } from '../../../src/surfaces/cli/table/short-help.ts';
import { COMMANDS } from '../../../src/surfaces/cli/table/table.ts';

test('every command in the short help exists', () => {
  const known = new Set(COMMANDS.map(({ name }) => name));
  const named = TOPICS.flatMap(({ commands }) => commands.flatMap(([typed]) => namesIn(typed)));
  expect(named).toContain('plan new');
  expect(named).toContain('init');
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('with the prompt below it, it fits on a screen of 80 columns and 24 lines', () => {
  const lines = shortHelp().trimEnd().split('\n');
  expect(lines.length).toBeLessThan(24);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

/** "pause, resume" are two commands; arguments start with a bracket or a quote. */
function namesIn(typed: string): readonly string[] {
  return typed
    .replace(/ *[[<"].*$/, '')
    .split(', ')
    .map((name) => name.trim());
}
