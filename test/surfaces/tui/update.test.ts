// What keys do: what they ask for, what they refuse, and that nothing is lost on the way.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLine } from '../../../src/surfaces/tui/command-line.ts';
import { KEYS } from '../../../src/surfaces/tui/keys/table.ts';
import { typed } from '../../../src/surfaces/tui/model/line-editor.ts';
import { performCall } from '../../../src/surfaces/tui/performing.ts';
import { at, HUMAN, placeOf, settled } from '../../support/runs.ts';
import { newSession, PLAN } from '../../support/world.ts';
import { allUp, type Person, PLAN_TEXT, personAt } from './situations.ts';

const FILES = { [PLAN]: PLAN_TEXT };

async function personWith(place: Parameters<typeof at>[0]): Promise<Person> {
  const world = at(place, HUMAN, PLAN_TEXT);
  return personAt({ world: settled(world, ...allUp(world)), files: FILES });
}

function calls(person: Person): readonly unknown[] {
  return person.commands.map((command) =>
    command.do === 'perform' ? { do: command.call.do, on: command.call.on } : command,
  );
}

describe('on a task', () => {
  test('t submits what is committed, and in review asks before it approves', async () => {
    const coding = await personWith('CODING');
    coding.press('g', 'j', 't');
    expect(calls(coding)).toEqual([{ do: 'next', on: 'x#1' }]);
    const review = await personWith('CODE_REVIEW quality');
    review.press('g', 'j', 't');
    expect(calls(review)).toEqual([]);
    review.press('enter', 't');
    expect(calls(review)).toEqual([]);
    review.press('y');
    expect(calls(review)).toEqual([{ do: 'approve', on: 'x#1' }]);
  });

  test('b in review sends back only with a reason', async () => {
    const person = await personWith('CODE_REVIEW spec');
    person.press('g', 'j', 'b', 'enter');
    expect(calls(person)).toEqual([]);
    person.press(...'too slow', 'enter');
    expect(person.commands).toMatchObject([{ call: { do: 'reject', on: 'x#1', input: { feedback: 'too slow' } } }]);
  });

  test('D while it is implemented asks for one of two ways; in review it returns to the implementer; done it does nothing', async () => {
    const coding = await personWith('CODING');
    coding.press('g', 'j', 'D', 'D', 'enter');
    expect(calls(coding)).toEqual([]);
    coding.press('escape', 'D', 'm');
    expect(calls(coding)).toEqual([{ do: 'mark-done', on: 'x#1' }]);
    const review = await personWith('CODE_REVIEW spec');
    review.press('g', 'j', 'D', 'b');
    expect(calls(review)).toEqual([{ do: 'back', on: 'x#1' }]);
    const done = await personWith('DONE');
    done.press('g', 'j', 'D', 'y', 'r', 'm');
    expect(calls(done)).not.toContainEqual({ do: 'revert', on: 'x#1' });
    expect(done.frame()).toContain('x#1 is done');
  });

  test('Enter attaches to its session', async () => {
    const person = await personWith('CODING');
    person.press('g', 'j', 'enter', 'j', 'l');
    const session = (await person.app.status()).sessions[0]?.session;
    expect(person.commands).toEqual([
      { do: 'attach', session },
      { do: 'attach', session },
    ]);
  });
});

describe('a question', () => {
  test('is opened from anywhere, and its draft survives Esc', async () => {
    const person = await personWith('QUESTION from CODING');
    person.press('a', ...'By name', 'escape', 'a', 'enter');
    expect(person.commands).toMatchObject([{ call: { do: 'answer', on: 'x#1', input: { text: 'By name' } } }]);
  });

  test('that is answered lets the run continue', async () => {
    const person = await personWith('QUESTION from CODING');
    person.press('a', ...'By name', 'enter');
    const [command] = person.commands;
    if (command?.do !== 'perform') throw new Error('Nothing was asked for.');
    expect(await performCall(person.app, command.call)).toMatchObject({ ok: true });
    expect(placeOf(person.fake.world())).toBe('CODING');
  });
});

describe('the list', () => {
  test('keeps the selection on its row when rows above it go', async () => {
    const person = await personWith('CODING');
    person.press('g', 'j', 'j', 'j');
    const before = person.model.selected;
    person.press('k', 'k', 'h', 'G');
    person.press('g', 'j');
    expect([before, person.model.selected]).toEqual(['task:x.md#2', 'task:x.md#1']);
  });

  test('unfolds a blocked phase, and folds it again', async () => {
    const person = await personWith('CODING');
    person.press('G', 'enter');
    expect(person.frame()).toContain('T3: List');
    person.press('e');
    expect(person.frame()).not.toContain('T3: List');
  });

  test('without plans is the sessions of a person', async () => {
    const person = await personAt({ events: [newSession({ title: 'Dig' })] });
    person.press('D', 's');
    expect(calls(person)).toEqual([{ do: 'session-stop', on: 's1' }]);
  });
});

test('pasted text is never a command, and in a line it is text', async () => {
  const person = await personWith('CODING');
  person.paste('Dm');
  expect([calls(person), person.frame()]).toEqual([[], expect.stringContaining('Pasted text is not taken as keys')]);
  person.press('escape', ':');
  person.paste('why\nx#1');
  person.press('enter');
  expect(person.commands).toEqual([{ do: 'line', text: 'why x#1' }]);
});

test('a refused action says why, and changes nothing', async () => {
  const person = await personWith('CODING');
  const before = person.fake.world().seq;
  const outcome = await performCall(person.app, { do: 'launch', on: 'x#2', input: {} });
  expect(outcome).toMatchObject({ ok: false, text: expect.stringMatching(/\w/) });
  expect(person.fake.world().seq).toBe(before);
});

test.each([
  ['/plan a dark theme', { kind: 'command', argv: ['plan', 'new', 'a dark theme'] }],
  ['redo planning themes', { kind: 'command', argv: ['redo', 'planning', 'themes'] }],
  ['answer x#1 by name, please', { kind: 'command', argv: ['answer', 'x#1', 'by name, please'] }],
  ['cadre run x', { kind: 'run', on: 'x' }],
  ['session attach s1', { kind: 'attach', session: 's1' }],
  ['q', { kind: 'quit' }],
  ['why "x#1"', { kind: 'command', argv: ['why', 'x#1'] }],
  ['watch', { kind: 'mistake', message: expect.stringContaining('another terminal') }],
])('the line %j is understood', (line, parsed) => {
  expect(parseLine(line)).toEqual(parsed);
});

test('every key is in the table once', () => {
  const keys = KEYS.flatMap((row) => row.keys);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test('a line is edited by whole characters', () => {
  const keys = fc.array(
    fc.constantFrom(
      'a',
      '日',
      '🙂',
      'space',
      'backspace',
      'delete',
      'left',
      'right',
      'home',
      'end',
      'ctrl-w',
      'ctrl-u',
      'ctrl-k',
    ),
  );
  fc.assert(
    fc.property(keys, (pressed) => {
      const line = pressed.reduce((now, key) => typed(now, key) ?? now, { text: '', at: 0 });
      expect(line.at).toBeLessThanOrEqual(line.text.length);
      expect(line.text).not.toMatch(/\p{Cs}/u);
    }),
  );
});

describe('10,000 random keys', () => {
  const NAMES = [
    ...KEYS.flatMap(({ keys }) => keys),
    ...['y', 'x', '1', '9', 'space', 'backspace', 'ctrl-e', 'ctrl-n', 'ctrl-w', 'O', 'é', '日'],
  ].filter((key) => key !== 'q' && key !== 'ctrl-c');

  test.each(['CODING', 'CODE_REVIEW quality', 'QUESTION from CODING', 'DONE'] as const)(
    'over a live plan in %s are taken without an exception, and every change is one that the rules accept',
    async (place) => {
      const person = await personWith(place);
      const random = generator(place.length);
      for (let count = 0; count < 2_500; count++) {
        person.press(NAMES[Math.floor(random() * NAMES.length)] ?? 'j');
        if (count % 50 === 0) person.resize(20 + Math.floor(random() * 200), 5 + Math.floor(random() * 60));
        if (count % 10 === 0) person.frame();
        const command = person.commands.at(-1);
        if (count % 25 !== 0 || command?.do !== 'perform') continue;
        // An outside that the app in memory does not have is a refusal like any other.
        await performCall(person.app, command.call).catch((error: unknown) =>
          expect(String(error)).toContain('No test uses this'),
        );
        await person.look();
      }
      expect(person.frame().split('\n').length).toBeGreaterThan(4);
    },
  );
});

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
