// Text that cannot be delivered to the agent of a run: the person sees why, and the agent keeps working.
import { describe, expect, test } from 'vitest';
import { implementing, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** An agent that asks for permission until the test lets it continue. */
const ASKING = `run sh ${OUTSIDE}/note.sh
  role implementer
  asks May I run rm?
  wait-for ${OUTSIDE}/allowed
  ${implementing()}`;

describe('an agent at a permission prompt', () => {
  test('keeps running when text for it is refused, and its task is built', async () => {
    const repo = planRepo({ host: 'tmux', plan: tasksOf([ASKING]) });
    repo.noting();
    const built = repo.built();
    await repo.appears('started');
    const { session } = repo.runOf('1');
    const id = session?.id ?? '';
    await repo.until(() => repo.cadre('session', 'screen', id).stdout.includes('[asks]'));
    for (const _ of [1, 2, 3]) {
      const sent = await repo.session('send', id, '1');
      expect(sent).toMatchObject({ code: 2, stdout: '' });
      expect(sent.stderr).toContain('Enter would answer it: May I run rm?');
    }
    expect(repo.runOf('1')).toMatchObject({
      state: 'CODING',
      session: { id, trouble: null },
      counts: { relaunches: 0 },
    });
    expect(repo.processesOf(id)).not.toEqual([]);
    repo.go('allowed');
    await built;
    const implementers = (await repo.written('started')).split('\n').filter((line) => line.endsWith(' implementer'));
    expect(implementers).toEqual([`${id} implementer`]);
    expect(repo.task('1')).toMatchObject({ state: 'done', attempts: 1 });
  });
});
