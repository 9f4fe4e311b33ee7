// What a person does in a review: choosing lines of the diff, commenting on them, and deciding about findings.
import { describe, expect, test } from 'vitest';
import { demandedFindings } from '../../../src/core/rules/run/findings.ts';
import type { FindingView } from '../../../src/core/views/findings.ts';
import { diffLines, diffRows } from '../../../src/surfaces/tui/model/diff-rows.ts';
import { at, HUMAN, type Place, settled } from '../../support/runs.ts';
import { PLAN } from '../../support/world.ts';
import { allUp, type Person, PLAN_TEXT, personAt } from './situations.ts';

const DIFF = `diff --git a/src/a.js b/src/a.js
@@ -1,3 +1,4 @@
 one
-two
+zwei
+drei
 four
diff --git a/b c.js b/b c.js
@@ -0,0 +1,2 @@
+five
+six`;

async function reviewer(findings: readonly FindingView[] = [], place: Place = 'CODE_REVIEW quality'): Promise<Person> {
  const world = at(place, HUMAN, PLAN_TEXT);
  const person = await personAt({ world: settled(world, ...allUp(world)), files: { [PLAN]: PLAN_TEXT } });
  person.press('g', 'j', 'd');
  person.know({ window: { key: 'diff task x#1', kind: 'diff', lines: diffLines(DIFF), findings } as never });
  return person;
}

describe('in a diff', () => {
  test('any line can be chosen and commented on, also where all of it is in view', async () => {
    const person = await reviewer();
    person.press('3', 'j', 'j', 'c');
    expect(person.frame()).toContain('Comment on src/a.js:3');
    person.press('escape', 'k', 'k', 'k', 'k', 'c');
    expect(person.frame()).toContain('Comment on src/a.js:1');
  });

  test('"}" goes to the next file, and "{" back', async () => {
    const person = await reviewer();
    person.press('}', 'c');
    expect(person.frame()).toContain('Comment on b c.js:1');
    person.press('escape', '{', 'c');
    expect(person.frame()).toContain('Comment on src/a.js:2');
  });

  test('"v" marks lines, and the comment is about all of them', async () => {
    const person = await reviewer();
    person.press('3', 'j', 'v', 'j', 'c');
    expect(person.frame()).toContain('Comment on src/a.js:2 to 3');
    person.press(...'in English', 'enter', 'v', 'c');
    expect(person.frame()).toContain('Comment on src/a.js:3');
  });

  test('each comment becomes its own finding, with its place', async () => {
    const person = await reviewer();
    person.press('3', 'j', 'c', ...'in English', 'enter', 'j', 'c', ...'this too: please', 'enter');
    person.press('}', 'c', ...'is this used?', 'enter', 'b', 'enter');
    const [command] = person.commands;
    const call = command?.do === 'perform' ? command.call : undefined;
    const text = call?.do === 'reject' ? (call.input.feedback ?? '') : '';
    const findings = demandedFindings({ of: {}, commit: null, seq: 1, at: '' }, text);
    expect(findings.map(({ id, place, problem }) => [id, place, problem])).toEqual([
      ['f1', 'src/a.js:2', 'in English (on "zwei")'],
      ['f2', 'src/a.js:3', 'this too: please (on "drei")'],
      ['f3', 'b c.js:1', 'is this used? (on "five")'],
    ]);
    expect(person.model.comments).toEqual([]);
  });

  test('a comment follows its line when that moved, and stays at its number when that is gone', () => {
    const comment = { of: 'x#1', path: 'src/a.js', line: 2, code: '+zwei', until: null, text: 'in English' };
    const above = (text: string): unknown => {
      const rows = diffRows(diffLines(text), [], [comment]);
      const row = rows[rows.findIndex(({ kind }) => kind === 'comment') - 1];
      return row?.kind === 'line' ? row.line.text : row;
    };
    expect(above(DIFF)).toBe('+zwei');
    expect(above(DIFF.replace(' one', ' one\n+and\n+more'))).toBe('+zwei');
    expect(above(DIFF.replace('+zwei', '+two'))).toBe('+two');
    expect(above('diff --git a/z b/z\n@@ -0,0 +1 @@\n+z')).toBe(undefined);
  });

  test('findings are beside the lines that they are about', async () => {
    const person = await reviewer([finding({ place: 'src/a.js:3' }), finding({ id: 'f2', place: null })]);
    const lines = person.frame().split('\n');
    const row = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(row('f1 important, open')).toBe(row('+drei') + 1);
    expect(row('f2 important, open')).toBeLessThan(row('src/a.js'));
  });
});

describe('findings', () => {
  test('one is chosen, and parked with a reason', async () => {
    const person = await reviewer([finding({}), finding({ id: 'f2', problem: 'The name is wrong.' })]);
    person.press('f', 'j', 'enter');
    expect(person.frame()).toContain('The name is wrong.');
    person.press('p', ...'later', 'enter');
    expect(person.commands).toMatchObject([
      { call: { do: 'finding-park', on: 'x#1', input: { findings: ['f2'], why: 'later' } } },
    ]);
  });

  test('of one that contradicts the plan a person decides which of the two holds', async () => {
    const person = await reviewer([finding({ undecided: true, contradicts: 'Count bytes.' })]);
    person.press('f');
    expect(person.frame()).toContain('The plan says: Count bytes.');
    expect(person.frame()).not.toContain('confirm that it is addressed');
    person.press('h', 'enter');
    expect(person.commands).toMatchObject([{ call: { do: 'finding-holds', input: { findings: ['f1'] } } }]);
  });

  test('where there are none, the key says so', async () => {
    const person = await reviewer();
    person.press('f');
    expect(person.frame()).toContain('No finding of x#1 is open.');
  });
});

describe('what is approved', () => {
  test('is the commit and the review that were shown', async () => {
    const person = await reviewer([], 'CODE_REVIEW spec');
    person.press('t');
    expect(person.frame()).toContain('cadre approve x#1');
    person.press('y');
    expect(person.commands).toMatchObject([
      { call: { do: 'approve', on: 'x#1', input: { seen: { state: 'CODE_REVIEW', stage: 'spec' } } } },
    ]);
  });

  test('is nothing where the task has moved on while the question was open', async () => {
    const person = await reviewer([], 'CODE_REVIEW spec');
    person.press('t');
    const world = at('CODE_REVIEW quality', HUMAN, PLAN_TEXT);
    const later = await personAt({ world: settled(world, ...allUp(world)), files: { [PLAN]: PLAN_TEXT } });
    person.know({ plan: later.snapshot.plan });
    person.press('y');
    expect(person.commands).toEqual([]);
    expect(person.frame()).toContain('x#1 has moved on since this was asked, so nothing was done.');
  });
});

test('a task that is being merged is not killed, and the key says why', async () => {
  const person = await reviewer([], 'AWAIT_MERGE');
  person.press('D');
  expect(person.model.mode.kind).toBe('list');
  expect(person.frame()).toContain('x#1 cannot be stopped now:');
});

function finding(some: Partial<FindingView>): FindingView {
  return {
    plan: PLAN,
    task: '1',
    id: 'f1',
    severity: 'important',
    state: 'open',
    blocking: true,
    demand: false,
    place: null,
    problem: 'An empty text has no longest word.',
    why: null,
    fix: null,
    contradicts: null,
    undecided: false,
    foundBy: 'spec-reviewer',
    commit: null,
    evidence: null,
    decidedBy: null,
    because: null,
    listed: false,
    at: '2026-01-01T00:00:00Z',
    ...some,
  };
}
