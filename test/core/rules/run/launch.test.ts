// A task that is launched alone, and what a person sees and may do where a run has left its usual way.
import { expect, test } from 'vitest';
import { EMPTY_WORLD, type World } from '../../../../src/core/model/world.ts';
import { availableActions } from '../../../../src/core/views/available-actions.ts';
import { viewPlan } from '../../../../src/core/views/plan.ts';
import { act, answerTo, at, ONE, planIn, runIn, settled } from '../../../support/runs.ts';
import { move, PLAN, read, register, taskIn } from '../../../support/world.ts';

test('a task that is launched in a plan that nobody runs makes the plan a managed one', () => {
  const world = settled(EMPTY_WORLD, register(PLAN), read(ONE), move('implement_start'), act('launch'));
  expect(planIn(world)).toMatchObject({ status: 'implementing', work: { tip: null, incident: null } });
  expect(runIn(world).state).toBe('SETUP');
});

test('a task whose run ended in an error is shown as halted', () => {
  const [failed, working] = [at('ERROR'), at('CODING')];
  const isHalted = (world: World) => viewPlan(world, planIn(world)).tasks.map(({ halted }) => halted);
  expect([isHalted(failed), isHalted(working)]).toEqual([[true], [false]]);
});

test('an override is offered for work that was not verified, and for no other', () => {
  const actsIn = (world: World) => availableActions(world, planIn(world), taskIn(world, '1'));
  const verified = at('CODE_REVIEW quality');
  expect(actsIn(verified)).not.toContain('override');
  const escalated = settled(at('check-in'), act('answer', { text: 'ESCALATE' }));
  expect(actsIn(settled(escalated, act('approve')))).toContain('override');
});

test('a PIVOT without a word on how to continue is refused', () => {
  expect(answerTo(at('check-in'), act('answer', { text: 'PIVOT' }))).toMatchObject({
    kind: 'refused',
    code: 'no-body',
  });
});
