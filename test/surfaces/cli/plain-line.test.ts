// Lines that are understood without commander: they mean what commander makes of them.
import { expect, test } from 'vitest';
import type { Given } from '../../../src/surfaces/cli/context.ts';
import { plainLine } from '../../../src/surfaces/cli/plain-line.ts';
import { makeProgram } from '../../../src/surfaces/cli/program.ts';
import { COMMANDS } from '../../../src/surfaces/cli/table/table.ts';

const WORDS = ['search', '#2', ''];

const LINES = COMMANDS.flatMap(({ name }) =>
  WORDS.map((_, count) => [...name.split(' '), ...WORDS.slice(0, count + 1)])
    .concat([name.split(' ')])
    .flatMap((line) => [line, [...line, '--json']]),
);

test('every line without options is understood as commander understands it', async () => {
  const understood = LINES.filter((line) => plainLine(line, COMMANDS) !== undefined);
  expect(understood.length).toBeGreaterThan(COMMANDS.length);
  for (const line of understood) {
    const plain = plainLine(line, COMMANDS);
    expect([line, plain?.spec.name, plain?.given]).toEqual([line, ...(await byCommander(line))]);
  }
});

test('status, with and without --json, needs no commander', () => {
  expect(plainLine(['status'], COMMANDS)?.spec.name).toBe('status');
  expect(plainLine(['status', '--json'], COMMANDS)?.given.options).toEqual({ json: true });
});

test.each([
  ['an option', ['log', '--limit', '3']],
  ['a word too many', ['status', 'one', 'two', 'three', 'four']],
  ['a word too few', ['move', 'search']],
  ['an unknown command', ['stauts']],
  ['the first of two words', ['plan']],
  ['help', ['status', '--help']],
  ['help as a word', ['plan', 'show', 'help']],
  ['an option that is set unless it is given', ['plan', 'open', 'search']],
  ['the end of the options', ['why', '--', 'search']],
  ['nothing', []],
])('%s is left to commander', (_, line) => {
  expect(plainLine(line, COMMANDS)).toBeUndefined();
});

async function byCommander(line: readonly string[]): Promise<[string, Given]> {
  let called: [string, Given] | undefined;
  const program = makeProgram('1', async (spec, given) => {
    called = [spec.name, given];
  });
  await program.parseAsync(line, { from: 'user' });
  if (called === undefined) throw new Error(`commander runs nothing for ${line.join(' ')}.`);
  return called;
}
