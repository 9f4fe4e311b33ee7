// What keys do: what they ask for, what they refuse, and that nothing is lost on the way.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../../src/surfaces/tui/command-line.ts';
import { KEYS } from '../../../src/surfaces/tui/keys/table.ts';
import { diffLines } from '../../../src/surfaces/tui/model/diff-rows.ts';
import { typed } from '../../../src/surfaces/tui/model/line-editor.ts';
import { performCall } from '../../../src/surfaces/tui/performing.ts';
import { act, at, HUMAN, placeOf, settled } from '../../support/runs.ts';
import { newSession, PLAN, register } from '../../support/world.ts';
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

describe('on a plan', () => {
  test('p pauses it once a person agreed, and says so where it is paused already', async () => {
    const person = await personWith('CODING');
    person.press('p');
    expect(person.frame()).toContain('Pause x?');
    expect(calls(person)).toEqual([]);
    person.press('y');
    expect(calls(person)).toEqual([{ do: 'pause', on: 'x' }]);
    await person.app.perform({ do: 'pause', on: 'x', input: {} });
    await person.look();
    person.press('p');
    expect(person.frame()).toContain('is paused already');
    expect(calls(person)).toHaveLength(1);
  });

  test('m plans it again: at once where nobody works on it, and otherwise once a person agreed', async () => {
    const idle = await personAt({ events: [register(PLAN)], files: FILES });
    idle.press('m');
    expect(idle.commands).toMatchObject([{ call: { do: 'move', on: 'x', input: { event: 'plan_start' } } }]);
    const working = await personWith('CODING');
    working.press('m');
    expect(working.frame()).toContain('Modify x?');
    expect(calls(working)).toEqual([]);
    working.press('y');
    expect(calls(working)).toEqual([{ do: 'move', on: 'x' }]);
  });
});

describe('on whatever is selected', () => {
  test('w says why, and y copies the command', async () => {
    const person = await personWith('CODING');
    const session = person.snapshot.status?.sessions[0]?.session;
    person.press('g', 'j', 'w', 'y', 'j', 'w', 'y');
    expect(person.commands).toEqual([
      { do: 'line', text: 'why x#1' },
      { do: 'copy', text: 'cadre why x#1' },
      { do: 'line', text: 'why x#1' },
      { do: 'copy', text: `cadre session attach ${session}` },
    ]);
  });

  test('n starts an agent, with the program that "-p" names', async () => {
    const person = await personWith('CODING');
    person.press('n', ...'fix it', 'enter', 'n', ...'-p codex fix it', 'enter', 'n', 'enter');
    expect(person.commands.map((command) => command.do === 'perform' && command.call)).toMatchObject([
      { do: 'session-new', input: { prompt: 'fix it' } },
      { do: 'session-new', input: { program: 'codex', prompt: 'fix it' } },
      { do: 'session-new', input: {} },
    ]);
  });

  test('n starts the program that the command line named, unless "-p" names another', async () => {
    const person = await personAt({}, [120, 40], undefined, { program: 'gemini' });
    person.press('n');
    expect(person.frame()).toContain('Empty starts gemini alone');
    person.press(...'fix it', 'enter', 'n', ...'-p "aider --model x" fix it', 'enter');
    expect(person.commands.map((command) => command.do === 'perform' && command.call)).toMatchObject([
      { do: 'session-new', input: { program: 'gemini', prompt: 'fix it' } },
      { do: 'session-new', input: { program: 'aider --model x', prompt: 'fix it' } },
    ]);
  });

  test('d shows the diff also where there is room for one pane, and hides it again', async () => {
    const world = at('CODE_REVIEW quality', HUMAN, PLAN_TEXT);
    const person = await personAt({ world: settled(world, ...allUp(world)), files: FILES }, [60, 15]);
    person.press('g', 'j', 'd');
    expect(person.frame()).toContain('[Diff]');
    person.press('d');
    expect(person.frame()).toContain('T2: Count');
  });

  test('Tab shows its diff, then its commits', async () => {
    const person = await personWith('CODING');
    person.press('g', 'j', 'j', 'tab', 'tab');
    expect(person.model.tab).toBe('git');
    const session = person.snapshot.status?.sessions[0]?.session;
    person.know({
      window: {
        key: `git session ${session}`,
        kind: 'git',
        of: 'x#1',
        span: { from: 'aaaaaaaaaa', to: 'bbbbbbbbbb', merged: false },
        hasUncommitted: true,
        rewrites: [],
        files: [{ path: 'src/words.js', added: 12, removed: 3 }],
        commits: [{ commit: 'bbbbbbbbbb', subject: 'Count words', author: 'ann', at: '2026-01-02T03:04:05.000Z' }],
        worktree: '/home/ann/worktrees/x/t1-a1',
      } as never,
    });
    for (const text of ['[Git]', 'aaaaaaa..bbbbbbb', '1 commit', 'bbbbbbb Count words', 'src/words.js', '+12 -3'])
      expect(person.frame()).toContain(text);
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

test('Esc closes one error, one output or the filter at a time; what went well needs no Esc', async () => {
  const person = await personWith('CODING');
  person.press('d');
  person.hear({ kind: 'warned', text: 'Too long.', tone: 'error' });
  person.hear({ kind: 'warned', text: 'Sent.', tone: 'done' });
  person.press('escape');
  expect([person.model.tab, person.frame().includes('Too long.')]).toEqual(['diff', false]);
  person.hear({ kind: 'warned', text: 'Sent.', tone: 'done' });
  person.press('escape');
  expect(person.model.tab).toBe('first');
});

test('a selection whose phase was folded because it is done is on the phase', async () => {
  const text = PLAN_TEXT.replace(/### Task 2[\s\S]*?(?=## Phase 2)/, '');
  const own = newSession({ title: 'Dig' });
  const person = await personAt({ world: settled(at('CODING', HUMAN, text), own), files: { [PLAN]: text } }, [80, 24]);
  person.press('g', 'j');
  expect(person.model.selected).toBe('task:x.md#1');
  person.fake.submit(act('mark-done'));
  await person.look();
  expect(person.model.selected).toBe('phase:x.md:Phase 1: Counting');
});

test('L on a plan that has landed says so at once', async () => {
  const person = await personWith('DONE');
  const { plan } = person.snapshot;
  if (plan === null) throw new Error('There is no plan.');
  person.know({
    plan: { ...plan, status: 'done', landed: { ok: true, text: 'Merged into main as 2ed0dfa.' } as never },
  });
  person.press('L');
  expect(person.model.mode.kind).toBe('list');
  expect(person.frame()).toContain('x has already landed. Merged into main as 2ed0dfa.');
});

describe('"/" in the window', () => {
  async function watching(text: string): Promise<Person> {
    const person = await personWith('CODING');
    person.press('g', 'j', 'j', '3');
    person.know({ window: { key: `first ${person.model.selected?.replace(':', ' ')}`, kind: 'screen', text } });
    person.frame();
    return person;
  }
  const output = Array.from({ length: 90 }, (_, at) => (at % 30 === 3 ? `Failed test ${at}` : `line ${at}`)).join('\n');

  test('searches what has scrolled off the screen too: the newest hit first, and "N" the one before', async () => {
    const person = await watching(output);
    person.press('/', ...'failed', 'enter');
    expect(person.frame()).toContain('Failed test 63');
    expect(person.frame()).toContain('/failed  3 of 3');
    person.press('N', 'N');
    expect(person.frame()).toContain('Failed test 3 ');
    person.press('n');
    expect(person.frame()).toContain('/failed  2 of 3');
    person.press('escape', 'n');
    expect(person.frame()).toContain('New session');
  });

  test('and what is read stays in view while the agent prints more', async () => {
    const person = await watching(output);
    const key = person.snapshot.window?.key ?? '';
    const print = (text: string, by: number): void => {
      person.hear({ kind: 'grown', key, by });
      person.know({ window: { key, kind: 'screen', text } });
    };
    print(`${output}\nmore`, 1);
    expect(person.frame()).toContain('more');
    person.press('K', 'K');
    const [, , first] = person.frame().split('\n');
    print(`${output}\nmore\nand\nmore`, 2);
    expect(person.frame().split('\n')[2]).toBe(first);
    expect(person.frame()).toContain('28 more lines below, G');
  });

  test('says so where nothing is found, and where nothing can be searched', async () => {
    const person = await watching(output);
    person.press('/', ...'nowhere', 'enter');
    expect(person.frame()).toContain('Nothing in the window contains "nowhere".');
    const other = await personWith('CODING');
    other.press('g', 'j', '3', '/');
    expect(other.frame()).toContain('can be searched');
  });
});

test('a key that does nothing says so', async () => {
  const person = await personWith('CODING');
  person.press('Q');
  expect(person.frame()).toContain('No key is "Q". "?" shows all keys.');
});

test('a file that is not registered is shown with its tasks, and "r" builds it', async () => {
  const person = await personAt({ files: FILES });
  expect(person.frame()).toContain('T1: Count words');
  person.press('g', 'j', 'enter');
  expect(person.frame()).toContain('is not registered yet: "r" builds the plan');
  person.press('r');
  expect(calls(person)).toEqual([{ do: 'run', on: PLAN }]);
  expect(person.fake.world().plans.size).toBe(0);
});

test('what was read for another row is not acted on', async () => {
  const person = await personWith('CODE_REVIEW quality');
  person.press('g', 'j', 'd');
  const text = 'diff --git a/x.js b/x.js\n@@ -0,0 +1 @@\n+x';
  person.know({ window: { key: 'diff task x#1', kind: 'diff', lines: diffLines(text), findings: [] } as never });
  person.press('c');
  expect(person.frame()).toContain('Comment on x.js:1');
  person.press('escape', 'G', 'c');
  expect(person.frame()).not.toContain('Comment on x.js:1');
});

test('a selection whose session ended is on its task, and not on what took its place', async () => {
  const person = await personWith('CODING');
  person.press('g', 'j', 'j');
  expect(person.model.selected).toMatch(/^session:/);
  const { status } = person.snapshot;
  person.know({ status: status === null ? null : { ...status, sessions: [] } });
  person.hear({ kind: 'read' });
  expect(person.model.selected).toBe('task:x.md#1');
});

describe('the sidebar', () => {
  test('is moved in; Enter answers, and visits another repository', async () => {
    const person = await personWith('QUESTION from CODING');
    const blog = { root: '/home/ann/blog', tasks: { done: 0, of: 1 }, active: 0, needs: 0 };
    person.know({ repositories: [blog] });
    person.press('1', 'enter');
    expect(person.frame()).toContain('answer>');
    person.press('escape', '1', 'G', 'enter');
    expect(person.commands).toEqual([{ do: 'visit', root: blog.root }]);
  });

  test('is clicked: a plan is shown', async () => {
    const person = await personWith('CODING');
    person.hear({ kind: 'click', row: 4, column: 3 });
    expect(calls(person)).toEqual([{ do: 'use', on: 'x' }]);
  });
});

test('a click selects a row; the wheel moves where the pointer is', async () => {
  const person = await personWith('CODING');
  person.hear({ kind: 'click', row: 3, column: 30 });
  expect(person.model.selected).toBe('task:x.md#1');
  person.hear({ kind: 'wheel', row: 3, column: 30, by: 1 });
  expect(person.model.selected).toMatch(/^session:/);
  person.hear({ kind: 'wheel', row: 3, column: 30, by: -1 });
  expect(person.model.selected).toBe('task:x.md#1');
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
  expect(parseCommandLine(line)).toEqual(parsed);
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
