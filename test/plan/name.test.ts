// Names of plans: which are valid, and how a plan is found by what a person types.
import { describe, expect, test } from 'vitest';
import { findPlan, type PlanFile, planFile, whyNoPlanName } from '../../src/plan/name.ts';

describe('a name of a plan', () => {
  test.each([
    ['notes.txt', 'it must end in ".md".'],
    ['notes', 'it must end in ".md".'],
    ['notes.md.txt', 'it must end in ".md".'],
    ['a b.md', /^it may contain only letters, digits/],
    ['-a.md', /^it may contain only letters, digits/],
    ['a..b.md', /^git does not allow a branch with this name/],
    ['a.lock.md', /^git does not allow a branch with this name/],
    [`${'ä'.repeat(120)}.md`, 'it is longer than 200 bytes. Rename the file.'],
  ])('%s is refused with the reason', (name, why) => {
    expect(planFile(name)).toBeUndefined();
    const sentence = whyNoPlanName(name) ?? '';
    const reason = sentence.slice(
      sentence.indexOf(' is not a valid plan name: ') + ' is not a valid plan name: '.length,
    );
    if (typeof why === 'string') expect(reason).toBe(why);
    else expect(reason).toMatch(why);
  });

  test.each(['a.md', '2026-11-16-search.md', 'Suche_ä+1.md', `${'ä'.repeat(98)}.md`])('%s is accepted', (name) => {
    expect(whyNoPlanName(name)).toBeUndefined();
    expect(planFile(name)).toBe(name);
  });
});

describe('a plan', () => {
  const PLANS = [
    '2026-11-16-wordy.md',
    '2026-11-16-search.md',
    '2025-01-02-search.md',
    'search.md',
    '20261101-notes.md',
    'wordy-two.md',
    '2026-11-16.md',
  ].map(named);

  test.each([
    ['2026-11-16-wordy', '2026-11-16-wordy.md'],
    ['docs/plans/2026-11-16-wordy.md', '2026-11-16-wordy.md'],
    ['wordy', '2026-11-16-wordy.md'],
    ['wordy.md', '2026-11-16-wordy.md'],
    ['wordy-', 'wordy-two.md'],
    ['search', 'search.md'],
    ['no', '20261101-notes.md'],
    ['2026-11-16', '2026-11-16.md'],
    ['2025', '2025-01-02-search.md'],
  ])('%s is found as %s', (reference, plan) => {
    expect(findPlan(reference, PLANS)).toEqual({ kind: 'found', plan });
  });

  test('is not guessed where several have the name or its start', () => {
    const dated = PLANS.filter((plan) => plan !== 'search.md');
    expect(findPlan('search', dated)).toEqual({
      kind: 'several',
      plans: ['2025-01-02-search.md', '2026-11-16-search.md'],
    });
    expect(findPlan('w', PLANS)).toEqual({ kind: 'several', plans: ['2026-11-16-wordy.md', 'wordy-two.md'] });
  });

  test('is not found by a part in the middle, by nothing, or by its suffix alone', () => {
    for (const reference of ['ordy', '', 'docs/', 'md', '.md']) expect(findPlan(reference, PLANS).kind).toBe('none');
  });
});

function named(name: string): PlanFile {
  const plan = planFile(name);
  if (plan === undefined) throw new Error(`${name} is not a valid name.`);
  return plan;
}
