// References: which plan, task or session a person means.
import { describe, expect, test } from 'vitest';
import { planNamed, sessionNamed, subjectNamed, taskNamed } from '../../src/app/targets.ts';
import { Failure } from '../../src/core/model/failure.ts';
import { EMPTY_WORLD } from '../../src/core/model/world.ts';
import { type PlanFile, planFile } from '../../src/plan/name.ts';
import { after, newSession, read, register } from '../support/world.ts';

const SEARCH = named('search.md');
const TEXT =
  '## Phase 1\n\n### Task 1: Dig\n\ndig\n\n### Task 2: Fill\n\nfill\n\n## Phase 2\n\n### Task 1: Paint\n\npaint\n';
const FLAT = '### Task 1: Dig\n\ndig\n\n### Task 2: Fill\n\nfill\n';

const world = after(
  EMPTY_WORLD,
  register('search.md'),
  register('search-ui.md'),
  register('2026-docs.md'),
  read(FLAT, SEARCH),
  read(TEXT, named('search-ui.md')),
);

/** The newest plan file is the active plan, as long as nobody has chosen one. */
const known = (active: string = SEARCH) => ({ world, newestFirst: () => [named(active)] });

describe('a task is named', () => {
  test.each([
    ['search#2', 'search.md', 'Fill'],
    ['search.md#2', 'search.md', 'Fill'],
    ['docs/plans/search.md#1', 'search.md', 'Dig'],
    ['#2', 'search.md', 'Fill'],
    ['2', 'search.md', 'Fill'],
    ['search-ui#2.1', 'search-ui.md', 'Paint'],
    ['search-u#1.1', 'search-ui.md', 'Dig'],
  ])('as %s', (reference, plan, task) => {
    const target = taskNamed(known(), reference);
    expect([target.entry.plan, target.task.name]).toEqual([plan, task]);
  });

  test('by its number alone in the plan that is active', () => {
    expect(taskNamed(known('search-ui.md'), '2.1').task.name).toBe('Paint');
  });
});

describe('a reference is refused', () => {
  test.each([
    ['nothing at all', undefined, 'no-task', /^Which task\? /],
    [
      'a plan without a task',
      'search',
      'no-task',
      /^Which task of search\.md\? Name it as search#1\. Its tasks: 1, 2\.$/,
    ],
    ['a plan with an empty task', 'search#', 'no-task', /^Which task of search\.md\? /],
    ['an unknown task', 'search#9', 'unknown-task', /^search\.md has no task "9"/],
    ['an unknown task of the active plan', '#9', 'unknown-task', /^search\.md has no task "9"/],
    ['a word that is neither a task nor a plan', 'nowhere', 'unknown-task', /^search\.md has no task "nowhere"/],
    ['an unknown plan', 'nowhere#1', 'unknown-plan', /"nowhere"/],
    ['an ambiguous plan', 'sea#1', 'ambiguous-plan', /^"sea" is ambiguous: search-ui\.md, search\.md\. /],
    ['control characters', '\x1b[31m#1', 'unknown-plan', /"\\u\{1b\}\[31m"/],
  ])('that names %s', (_what, reference, code, message) => {
    expect(failureOf(() => taskNamed(known(), reference))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('where no plan is active', () => {
    const nothing = { world: EMPTY_WORLD, newestFirst: () => [] };
    expect(failureOf(() => taskNamed(nothing, '#1'))).toMatchObject({ code: 'no-plan' });
    expect(failureOf(() => subjectNamed(nothing, undefined))).toMatchObject({ code: 'no-plan' });
  });

  test('that is empty', () => {
    expect(failureOf(() => planNamed(world, ''))).toMatchObject({ code: 'no-plan' });
  });
});

describe('a subject is', () => {
  test('a task where the reference names one', () => {
    expect(subjectNamed(known(), 'search#1').task?.name).toBe('Dig');
  });

  test('a task of the active plan where a word is its number and not a plan', () => {
    expect(subjectNamed(known(), '2').task?.name).toBe('Fill');
    expect(subjectNamed(known(), '2026').entry.plan).toBe('2026-docs.md');
    expect(failureOf(() => subjectNamed(known(), '9'))).toMatchObject({ code: 'unknown-plan' });
  });

  test('never a task where only a plan will do, and the refusal names the plan', () => {
    expect(failureOf(() => planNamed(world, 'search#2'))).toMatchObject({
      code: 'usage',
      message: '"search#2" names a task, and a plan is needed here.',
      try: [{ do: 'why', on: 'search#2' }],
    });
  });

  test.each([
    ['by its name', 'search-ui', 'search-ui.md'],
    ['by the whole of its name, even if another name starts with it', 'search', 'search.md'],
    ['by the beginning of its name', '2026', '2026-docs.md'],
    ['if it is active and nothing is named', undefined, 'search.md'],
  ])('a plan %s', (_how, reference, plan) => {
    const subject = subjectNamed(known(), reference);
    expect([subject.entry.plan, subject.task]).toEqual([plan, undefined]);
  });
});

describe('a session is found', () => {
  const sessions = after(
    EMPTY_WORLD,
    newSession({ title: 'Fix the parser' }),
    newSession({ title: 'Fix the docs' }),
    newSession({ title: 'Fix' }),
  );
  const [parser, docs, fix] = [...sessions.sessions.keys()];

  test.each([
    ['by its id', String(parser), parser],
    ['by the beginning of its title, in any case', 'fix the d', docs],
    ['by its whole title, even if other titles start with it', 'fix', fix],
  ])('%s', (_how, reference, id) => {
    expect(sessionNamed(sessions, reference).id).toBe(id);
  });

  test.each([
    [
      'several titles start with it',
      'Fix the',
      'ambiguous-session',
      `"Fix the" is ambiguous: ${parser} (Fix the parser), ${docs} (Fix the docs). Use the id.`,
    ],
    ['no session has it', 'nowhere', 'unknown-session', expect.stringContaining('"nowhere"')],
    ['it is empty', '', 'unknown-session', expect.any(String)],
  ])('not if %s', (_why, reference, code, message) => {
    expect(failureOf(() => sessionNamed(sessions, reference))).toMatchObject({ code, message });
  });
});

function named(name: string): PlanFile {
  const plan = planFile(name);
  if (plan === undefined) throw new Error(`${name} is not a plan file.`);
  return plan;
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
