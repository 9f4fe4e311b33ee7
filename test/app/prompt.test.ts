// Which turn "cadre prompt" shows: the present one, the one that is asked for, or the usual one of a role.
import { expect, test } from 'vitest';
import { readPrompt } from '../../src/app/reads/prompt.ts';
import { fakeApp } from '../support/app.ts';
import { at, going, HUMAN, TWO } from '../support/runs.ts';

const files = { 'x.md': TWO };

async function shown(world: Parameters<typeof fakeApp>[0], reference: string, request = {}) {
  const found = await readPrompt(fakeApp({ files, ...world }).ports, reference, request);
  return found.kind === 'refused'
    ? found.message
    : `${found.role} ${found.turn}${found.isExample ? ' (example)' : ''}: ${found.text}`;
}

test.each([
  ['CODING', 'implementer build: You are told about x.md, t1-a1: build.\n'],
  ['FIXING', 'implementer fix: You are told about x.md, t1-a1: fix.\n'],
  ['CODE_REVIEW spec', 'spec-reviewer review-spec: You are told about x.md, t1-a1: review-spec.\n'],
] as const)('without options, the turn that the task is in: %s', async (place, text) => {
  expect(await shown({ world: at(place, HUMAN, TWO) }, 'x#1')).toBe(text);
});

test('for a task that was not launched, how it will be built', async () => {
  expect(await shown({ world: going(HUMAN, TWO) }, 'x#2')).toBe(
    'implementer build (example): You are told about x.md, t2-a1: build.\n',
  );
});

test('a role or a turn as if the task were in it', async () => {
  const world = { world: at('CODING', HUMAN, TWO) };
  expect(await shown(world, 'x#1', { role: 'quality-reviewer' })).toContain(
    'quality-reviewer review-quality (example)',
  );
  expect(await shown(world, 'x#1', { turn: 'check-in' })).toContain('architect check-in (example)');
  expect(await shown(world, 'x', { role: 'reviewer' })).toContain('x.md, review: review-all');
});

test.each([
  ['x#1', { turn: 'dance' }, 'A task has no turn "dance". Turns: plan, build,'],
  ['x', { turn: 'build' }, 'A plan has no turn "build".'],
  ['x#1', { role: 'king' }, 'Unknown role "king".'],
  ['x#1', { role: 'implementer', turn: 'review-spec' }, 'is one of the spec-reviewer, not of the implementer.'],
  ['x#1', { role: 'reviewer' }, 'The reviewer has no turn about a task.'],
  ['x', { turn: 'workshop' }, 'x.md has no workshop'],
])('refuses what cannot be shown: %s %o', async (reference, request, why) => {
  expect(await shown({ world: at('CODING', HUMAN, TWO) }, reference, request)).toContain(why);
});
