// A plan file that is empty, cut off or without headings while its plan is being built: nothing follows from it. How long a
// file that has lost some of its tasks has to wait is tested with a clock, in test/adapters/plans.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf } from '../support/plan-files.ts';
import { implementing, mergesOf, PLAN, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';
const TEXT = tasksOf([
  `role implementer\nrun touch ${OUTSIDE}/running\nwait-for ${OUTSIDE}/go\n${implementing('one.txt')}`,
  `role implementer\n${implementing('two.txt')}`,
]);

describe('a plan that is being built', () => {
  test.each([
    ['has no task headings', '# Build it\n'],
    ['is empty', ''],
    ['ends in a fence', TEXT.slice(0, TEXT.indexOf('touch'))],
  ])('loses and launches nothing while its file %s', async (_how, text) => {
    const repo = planRepo({ plan: TEXT });
    const ran = repo.start('run', PLAN, '--json');
    await repo.appears('running');
    save(repo, PLAN, text);
    // The engine has seen both files when it has read this one.
    save(repo, 'other.md', planOf('Dig'));
    expect(await repo.start('register', 'other')).toMatchObject({ code: 0 });
    save(repo, 'other.md', planOf('Dig', 'Fill'));
    await repo.until((world) =>
      [...world.plans.values()].some(({ plan, tasks }) => plan !== PLAN && tasks.length === 2),
    );
    expect(repo.plan().tasks.map(({ address, stale, state }) => [address, stale, state])).toEqual([
      ['1', false, 'implementing'],
      ['2', false, 'planned'],
    ]);
    const shown = `${repo.cadre('status', PLAN).stdout}${repo.cadre('why', PLAN).stdout}`;
    expect(shown).toMatch(/no longer has|is empty|never closed/);
    save(repo, PLAN, TEXT);
    repo.go('go');
    expect(await ran).toMatchObject({ code: 0 });
    expect(mergesOf(repo.records())).toHaveLength(2);
    expect(repo.records().filter((record) => record.event === 'plan_read' && record.stale.length > 0)).toEqual([]);
  });
});

describe('a task that waits for a person', () => {
  test('and is replaced in the file, no longer ends the next "run", which waits until the file has settled', async () => {
    const repo = planRepo({ plan: tasksOf(['role implementer\nask Which?\nhang']) });
    expect(await repo.start('run', PLAN)).toMatchObject({ code: 3 });
    save(repo, PLAN, planOf('Quite another'));
    const shown = repo.cadre('status', PLAN).stdout;
    expect(shown).toContain('The change applies once the file stays unchanged.');
    expect(shown).not.toContain('error');
    expect(await repo.start('run', PLAN)).toMatchObject({ code: 0 });
    expect(mergesOf(repo.records())).toHaveLength(1);
  });
});

function save(repo: PlanRepo, plan: string, text: string): void {
  writeFileSync(join(repo.plans, plan), text);
}
