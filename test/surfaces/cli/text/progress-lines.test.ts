// What "cadre run" shows of what happens: phases when they start, labels in line, and why something is to be fixed.
import { expect, test } from 'vitest';
import type { EffectResult, Event } from '../../../../src/core/model/event.ts';
import { EMPTY_WORLD, type World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { progressLines } from '../../../../src/surfaces/cli/text/progress-lines.ts';
import { act, branchMade, result, says, settled } from '../../../support/runs.ts';
import { NOW, PLAN, read, register, USER } from '../../../support/world.ts';

const TEXT = [
  '## Phase 1: Ground (parallel)\n\n### Task 1: Dig\n\ndig\n',
  '### Task 2: Pour the concrete\n\npour\n',
  '## Phase 2\n\n### Task 3: Build\n\nbuild\n',
].join('\n');

const READY = settled(EMPTY_WORLD, register(PLAN), read(TEXT));

type Step = (world: World) => Event | readonly Event[];

const said =
  (name: string, more: Parameters<typeof says>[2] = {}): Step =>
  (world) =>
    says(world, name, more);
const came =
  (outcome: EffectResult, task?: string): Step =>
  (world) =>
    result(world, outcome, task);
const WORKTREE: EffectResult = { of: 'worktree', base: 'b0' };
const PASSED: EffectResult = { of: 'verify', passed: true, text: '' };

/** What the fix committed. */
const C2 = { head: 'c2', clean: true, commits: 2 };

const STEPS: readonly Step[] = [
  () => ({ kind: 'run', plan: PLAN, by: USER }),
  (world) => [...branchMade(world), result(world, WORKTREE)],
  said('implement-finished'),
  came({ of: 'verify', passed: false, text: 'It ended with exit code 1.\n\nnot ok 1' }),
  said('fix-finished'),
  came(PASSED),
  said('review-changes', { body: 'Deeper.\n\nAnd wider.' }),
  said('fix-finished', { worktree: C2 }),
  came(PASSED),
  said('review-approved', { body: 'f1: ADDRESSED it is deeper', worktree: C2 }),
  said('review-approved', { worktree: C2 }),
  came({ of: 'merge', conflict: 'a.js\nb.js' }),
];

test('each step has its line, and a phase its heading when it begins', () => {
  expect(told(STEPS)).toEqual([
    'x.md                 building',
    '',
    'Phase 1: Ground (in parallel)',
    '1 Dig                started in its own worktree',
    '2 Pour the concrete  started in its own worktree',
    '1 Dig                implementer started (claude, session s#)',
    '1 Dig                agent finished; running tests',
    '1 Dig                tests failed: It ended with exit code 1.',
    '1 Dig                implementer started (claude, session s#)',
    '1 Dig                agent finished the fix; running tests',
    '1 Dig                tests passed; spec review started',
    '1 Dig                spec-reviewer started (claude, session s#)',
    '1 Dig                changes requested by the spec reviewer: Deeper. And wider.',
    '1 Dig                implementer started (claude, session s#)',
    '1 Dig                agent finished the fix; running tests',
    '1 Dig                tests passed; spec review started',
    '1 Dig                spec-reviewer started (claude, session s#)',
    '1 Dig                spec review passed; quality review started',
    '1 Dig                quality-reviewer started (claude, session s#)',
    '1 Dig                approved; merging',
    '1 Dig                merge conflict: conflicts with merged work in a.js, b.js',
    '1 Dig                implementer started (claude, session s#)',
  ]);
});

test('what a person sends back is not a failed test, a conflict or a review', () => {
  const back = (text: string): Event => act('back', { text });
  const toReview = STEPS.slice(0, 6).filter((_step, index) => index !== 3 && index !== 4);
  expect(told([...toReview.slice(0, 3), () => back('Wait.')]).at(-2)).toBe(
    '1 Dig                sent back by a person: Wait.',
  );
  expect(told([...toReview, () => act('changes', { text: 'Deeper.' })]).at(-2)).toBe(
    '1 Dig                sent back by a person: Deeper.',
  );
  const abandoned = told([...toReview, () => act('abandon', { text: 'Not needed.' })]);
  expect(abandoned.at(-1)).toBe('1 Dig                abandoned by a person: Not needed.');
});

test('a person who comes back later does not see the start of a phase again', () => {
  const [first, ...rest] = STEPS;
  if (first === undefined) throw new Error('There is no step.');
  const { world } = decideAll(READY, [first(READY)].flat(), NOW);
  expect(told(rest.slice(0, 2), world)).toEqual([
    '1 Dig                implementer started (claude, session s#)',
    '1 Dig                agent finished; running tests',
  ]);
});

/** The lines without their times, and without the numbers of sessions, which are those of records. */
function told(steps: readonly Step[], before: World = READY): readonly string[] {
  const tell = progressLines(before, PLAN);
  let world = before;
  const lines: string[] = [];
  for (const step of steps) {
    const decided = decideAll(world, [step(world)].flat(), NOW);
    for (const record of decided.records) lines.push(...tell(decided.world, record));
    world = decided.world;
  }
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, '').replace(/session s\d+/, 'session s#'));
}
