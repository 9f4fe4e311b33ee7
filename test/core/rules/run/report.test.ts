// The report of an implementer: it is checked before the work counts as finished, kept with the run, and handed to reviewers.
import { describe, expect, test } from 'vitest';
import { promptIn } from '../../../support/prompts.ts';
import { act, answerTo, at, HUMAN, result, runIn, says, settled } from '../../../support/runs.ts';

const REPORT = { status: 'done-with-concerns', summary: 'It is dug.', concerns: ['The ground is wet.'] };
const body = JSON.stringify(REPORT);

function refusal(state: 'CODING' | 'FIXING', name: string, text: string) {
  const world = at(state);
  return answerTo(world, says(world, name, { body: text }));
}

describe.each([
  ['CODING', 'implement-finished'],
  ['FIXING', 'fix-finished'],
] as const)('in %s', (state, name) => {
  test('a report stays with the run, and reviewers read it as claims', () => {
    const world = at(state);
    const worktree = { head: 'c2', clean: true, commits: 2 };
    const verifying = settled(world, says(world, name, { body, worktree }));
    expect(runIn(verifying).report).toEqual(REPORT);
    const review = settled(verifying, result(verifying, { of: 'verify', passed: true, text: '' }));
    const prompt = promptIn(review);
    expect(prompt).toContain('## What the implementer reports');
    expect(prompt).toContain('> - The ground is wet.');
    expect(prompt).toContain('The report of the implementer is a claim');
  });

  test('an invalid report is answered with what is wrong, and changes nothing', () => {
    expect(refusal(state, name, '{"status":"finishd","summary":"x"}')).toMatchObject({
      kind: 'refused',
      code: 'bad-report',
      why: expect.stringContaining('status: found "finishd"; expected one of "done"'),
    });
  });

  test.each(['blocked', 'needs-context'])('a report that says "%s" is refused with the advice to ask', (status) => {
    expect(refusal(state, name, JSON.stringify({ status, summary: 'No key.' }))).toMatchObject({
      kind: 'refused',
      code: 'not-finished',
      why: expect.stringContaining('as the signal "question" instead'),
    });
  });

  test('without a report the work counts, unless the settings ask for one', () => {
    expect(refusal(state, name, '')).toMatchObject({ kind: 'accepted' });
    const world = at(state, { ...HUMAN, requireReport: true });
    expect(answerTo(world, says(world, name, { body: ' ' }))).toMatchObject({ kind: 'refused', code: 'no-body' });
  });
});

test('the next fix without a report has none', () => {
  const world = at('CODING');
  const verifying = settled(world, says(world, 'implement-finished', { body }));
  const failed = settled(verifying, result(verifying, { of: 'verify', passed: false, text: 'no' }));
  const again = settled(
    failed,
    says(failed, 'fix-finished', { body: '', worktree: { head: 'c2', clean: true, commits: 2 } }),
  );
  expect(runIn(again).report).toBeNull();
});

test('where a person starts the verification, the report of the agent is kept', () => {
  const world = at('CODING', { ...HUMAN, autoVerify: false });
  const waiting = settled(world, says(world, 'implement-finished', { body }));
  expect(runIn(settled(waiting, act('next'))).report).toEqual(REPORT);
});
