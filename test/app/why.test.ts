// Why a plan waits: what its tasks wait for is part of the answer.
import { expect, test } from 'vitest';
import { readWhy } from '../../src/app/reads/why.ts';
import { fakeApp } from '../support/app.ts';
import { at, ONE } from '../support/runs.ts';
import { PLAN } from '../support/world.ts';

test('a plan with a task that waits for a person shows what it waits for, and everything the person can do', async () => {
  const { ports } = fakeApp({ world: at('QUESTION from CODING'), files: { [PLAN]: ONE } });
  const why = await readWhy(ports, PLAN);
  expect(why).toMatchObject({ of: 'plan', needsYou: [{ plan: PLAN, task: '1' }] });
  const actions = why.of === 'plan' ? why.needsYou.flatMap((need) => need.actions) : [];
  expect(actions.map((action) => action.do)).toEqual(
    expect.arrayContaining(['answer', 'abandon', 'revert', 'mark-done']),
  );
});

test('a plan whose tasks are being worked on needs nobody', async () => {
  const { ports } = fakeApp({ world: at('CODING'), files: { [PLAN]: ONE } });
  expect(await readWhy(ports, PLAN)).toMatchObject({ needsYou: [] });
});
