// What happens to the tasks of a plan when its file changes: which ones are recognized, and what a change means for them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statesOf } from '../../src/machines/machine.ts';
import { type TaskState, taskMachine } from '../../src/machines/task.ts';
import { type ChangeKind, difference, type Identity, meaningOf, pairUp } from '../../src/plan/difference.ts';
import { textDifference } from '../../src/text/difference.ts';

const PARSER = 'Write the parser';
const PRINTER = 'Write the printer';
const SERVER = 'Serve over HTTP';

describe('a task', () => {
  const before = tasks([1, PARSER, 'parse'], [2, PRINTER, 'print']);

  test('that did not change is not listed', () => {
    expect(show(before, before)).toEqual([]);
  });

  test('that is new is added', () => {
    expect(show(before, [...before, ...tasks([3, SERVER, 'serve'])])).toEqual(['added 3']);
  });

  test('that is gone is removed', () => {
    expect(show(before, tasks([1, PARSER, 'parse']))).toEqual(['removed 2']);
  });

  test('with a new text is changed', () => {
    expect(show(before, tasks([1, PARSER, 'parse quickly'], [2, PRINTER, 'print']))).toEqual(['changed 1 -> 1']);
  });

  test('with a new name and the same text is renamed', () => {
    expect(show(before, tasks([1, SERVER, 'parse'], [2, PRINTER, 'print']))).toEqual(['renamed 1 -> 1']);
  });

  test('whose name differs only in case or punctuation is renamed', () => {
    expect(show(before, tasks([1, '**write** the PARSER!', 'parse'], [2, PRINTER, 'print']))).toEqual([
      'renamed 1 -> 1',
    ]);
  });

  test('with a new number is renumbered', () => {
    expect(show(before, tasks([1, PARSER, 'parse'], [7, PRINTER, 'print']))).toEqual(['renumbered 2 -> 7']);
  });

  test('with the same number and most words of its name is the same task, even if its text is new', () => {
    const long = tasks([1, 'Write the first parser', 'parse']);
    expect(show(long, tasks([1, 'Write the old parser', 'anew']))).toEqual(['renamed, changed 1 -> 1']);
    expect(show(tasks([1, 'Write the parser', 'parse']), tasks([1, 'Write the printer', 'print']))).toEqual([
      'added 1',
      'removed 1',
    ]);
  });

  test('can be renumbered, renamed and changed at once, as long as something identifies it', () => {
    expect(show(before, tasks([1, PARSER, 'parse'], [3, PRINTER, 'anew']))).toEqual(['renumbered, changed 2 -> 3']);
    expect(show(before, tasks([1, PARSER, 'parse'], [3, SERVER, 'print']))).toEqual(['renumbered, renamed 2 -> 3']);
  });
});

describe('because a task mistaken for a finished one would never be built,', () => {
  test('a task replaced under the same number is removed, and the new one added', () => {
    const before = tasks([1, PARSER, 'parse'], [2, PRINTER, 'print']);
    expect(show(before, tasks([1, SERVER, 'serve'], [2, PRINTER, 'print']))).toEqual(['added 1', 'removed 1']);
  });

  test('a task inserted at the top renumbers the others and changes none', () => {
    const before = tasks([1, PARSER, 'parse'], [2, PRINTER, 'print']);
    const after = tasks([1, SERVER, 'serve'], [2, PARSER, 'parse'], [3, PRINTER, 'print']);
    expect(show(before, after)).toEqual(['added 1', 'renumbered 1 -> 2', 'renumbered 2 -> 3']);
  });

  test('two tasks that swap their numbers are renumbered', () => {
    const before = tasks([1, PARSER, 'parse'], [2, PRINTER, 'print']);
    expect(show(before, tasks([1, PRINTER, 'print'], [2, PARSER, 'parse']))).toEqual([
      'renumbered 2 -> 1',
      'renumbered 1 -> 2',
    ]);
  });

  test('tasks with the same name are distinguished by their texts', () => {
    const before = tasks([1, 'Tests', 'of the parser'], [2, 'Tests', 'of the printer']);
    const after = tasks([1, SERVER, 'serve'], [2, 'Tests', 'of the parser'], [3, 'Tests', 'of the printer']);
    expect(show(before, after)).toEqual(['added 1', 'renumbered 1 -> 2', 'renumbered 2 -> 3']);
  });

  test('tasks without a name are distinguished by their texts', () => {
    const before = tasks([1, '', 'parse'], [2, '', 'print']);
    expect(show(before, tasks([1, '', 'serve'], [2, '', 'parse'], [3, '', 'print']))).toEqual([
      'added 1',
      'renumbered 1 -> 2',
      'renumbered 2 -> 3',
    ]);
    expect(show(before, tasks([1, '', 'serve'], [2, '', 'print']))).toEqual(['added 1', 'removed 1']);
  });

  test('two names with one word of many in common are not similar', () => {
    const before = tasks([1, 'Write the parser of queries', 'parse']);
    expect(show(before, tasks([1, 'Draw the logo', 'draw']))).toEqual(['added 1', 'removed 1']);
  });
});

describe('twins with the same name and text', () => {
  test('keep their numbers', () => {
    const before = tasks([1, PARSER, 'x'], [2, PARSER, 'x'], [3, SERVER, 'y']);
    expect(show(before, before)).toEqual([]);
    expect(show(before, tasks([1, PARSER, 'x'], [2, PARSER, 'x']))).toEqual(['removed 3']);
  });

  test('leave one if the other is removed', () => {
    const before = tasks([1, PARSER, 'x'], [2, PARSER, 'x']);
    expect(show(before, tasks([1, PARSER, 'x']))).toEqual(['removed 2']);
    expect(show(before, tasks([2, PARSER, 'x']))).toEqual(['removed 1']);
  });
});

test('tasks without text are recognized by their names', () => {
  const before = tasks([1, PARSER, ''], [2, PRINTER, '']);
  expect(show(before, tasks([1, PRINTER, ''], [2, SERVER, '']))).toEqual(['renumbered 2 -> 1', 'added 2', 'removed 1']);
});

test('tasks with neither name nor text keep their numbers', () => {
  const before = tasks([1, '', ''], [2, '', '']);
  expect(show(before, before)).toEqual([]);
  expect(show(before, tasks([2, '', '']))).toEqual(['removed 1']);
});

describe('over random plans', { timeout: 60_000 }, () => {
  const side = fc.uniqueArray(
    fc.record({
      address: fc.integer({ min: 1, max: 6 }).map(String),
      name: fc.constantFrom('', '!', PARSER, PRINTER, SERVER, 'Write it', '__proto__'),
      body: fc.constantFrom('', 'a', 'b', 'c'),
    }),
    { selector: (task) => task.address, maxLength: 6 },
  );

  test('every task of both versions is in exactly one pair, and the new ones are in order', () => {
    fc.assert(
      fc.property(side, side, (before, after) => {
        const pairs = pairUp(before, after);
        expect(pairs.flatMap((pair) => pair.after ?? [])).toEqual(after);
        expect(pairs.flatMap((pair) => pair.before ?? []).sort(byAddress)).toEqual([...before].sort(byAddress));
        expect(pairs.filter((pair) => pair.before === null && pair.after === null)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  test('tasks that are the same in both versions are not listed', () => {
    fc.assert(
      fc.property(side, (tasks) => {
        expect(difference(tasks, structuredClone(tasks))).toEqual([]);
      }),
    );
  });

  test('a task that something unique identifies survives renumbering', () => {
    fc.assert(
      fc.property(side, fc.infiniteStream(fc.nat()), (tasks, chance) => {
        const signs = tasks.map(({ name, body }) => `${name.replace('!', '')}/${body}`);
        fc.pre(new Set(signs).size === signs.length && !signs.includes('/'));
        const shuffled = [...tasks].sort(() => ((chance.next().value ?? 0) % 3) - 1);
        const renumbered = shuffled.map((task, index) => ({ ...task, address: String(index + 1) }));
        for (const { before, after } of pairUp(tasks, renumbered))
          expect([after?.name, after?.body]).toEqual([before?.name, before?.body]);
      }),
      { numRuns: 3_000 },
    );
  });
});

test('every change means something for a task in every state', () => {
  const kinds: readonly ChangeKind[] = ['added', 'removed', 'renumbered', 'renamed', 'changed'];
  for (const kind of kinds)
    for (const state of statesOf(taskMachine))
      expect(meaningOf(kind, state), `${kind} ${state}`).toMatch(/^\w+ .+[^.]$/);
});

test.each<[ChangeKind, TaskState, string]>([
  ['removed', 'planned', 'it is no longer launched; if it comes back, it is planned again'],
  ['removed', 'verifying', 'its run continues, but is merged only when a person decides to'],
  ['changed', 'done', 'it stays done; it was built from the old text'],
  ['changed', 'quality_review', 'its run continues with the old text; the next run uses the new text'],
])('%s, for a task that is %s, means that %s', (kind, state, meaning) => {
  expect(meaningOf(kind, state)).toBe(meaning);
});

describe('the difference of two texts', () => {
  test.each([
    ['a\nb\nc', 'a\nx\nc', { line: 2, removed: ['b'], added: ['x'] }],
    ['a\nc', 'a\nb\nc', { line: 2, removed: [], added: ['b'] }],
    ['a\nb\nc', 'a\nc', { line: 2, removed: ['b'], added: [] }],
    ['a', 'a\nb', { line: 2, removed: [], added: ['b'] }],
    ['a', 'b', { line: 1, removed: ['a'], added: ['b'] }],
    ['a\na', 'a', { line: 2, removed: ['a'], added: [] }],
    ['', 'a', { line: 1, removed: [''], added: ['a'] }],
  ])('of %j and %j is given as lines', (before, after, expected) => {
    expect(textDifference(before, after)).toEqual(expected);
  });

  test('is null for equal texts, also with CRLF line ends', () => {
    expect(textDifference('a\nb\n', 'a\nb\n')).toBeNull();
    expect(textDifference('a\nb\n', 'a\r\nb\r\n')).toBeNull();
  });

  test('turns one text into the other', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const found = textDifference(before, after);
        const lines = before.split('\n');
        if (found !== null) {
          expect(lines.slice(found.line - 1, found.line - 1 + found.removed.length)).toEqual(found.removed);
          lines.splice(found.line - 1, found.removed.length, ...found.added);
        }
        expect(lines.join('\n')).toBe(after);
      }),
      { numRuns: 1_000 },
    );
  });
});

function tasks(...all: readonly (readonly [number: number, name: string, body: string])[]): readonly Identity[] {
  return all.map(([number, name, body]) => ({ address: String(number), name, body }));
}

/** One line per change: its kinds, the old and the new number. */
function show(before: readonly Identity[], after: readonly Identity[]): readonly string[] {
  return difference(before, after).map((change) => {
    const numbers = [change.before, change.after].flatMap((task) => task?.address ?? []);
    return `${change.kinds.join(', ')} ${numbers.join(' -> ')}`;
  });
}

function byAddress(one: Identity, other: Identity): number {
  return one.address.localeCompare(other.address);
}
