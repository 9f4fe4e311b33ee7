// A run that has to end, because a limit is reached, ends in an error from every state in which it can be, by edges of its
// machine.
import { expect, test } from 'vitest';
import { fold } from '../../../../src/core/journal/fold.ts';
import { endInError } from '../../../../src/core/rules/run/end.ts';
import { step } from '../../../../src/machines/machine.ts';
import { type RunEvent, type RunState, runMachine } from '../../../../src/machines/run.ts';
import { at, PLACES, planIn, runIn } from '../../../support/runs.ts';
import { ENGINE, NOW, taskIn } from '../../../support/world.ts';

const OVER = ['DONE', 'ERROR'];

test.each(PLACES.filter((place) => !OVER.includes(place)))('%s', (place) => {
  const world = at(place);
  const context = { world, now: NOW, by: ENGINE, entry: planIn(world), task: taskIn(world, '1'), run: runIn(world) };
  const decision = endInError(context, 'No time is left.');
  if (decision.kind !== 'accepted') throw new Error(decision.kind);
  const moves = decision.records.flatMap((record) => record.moves.filter(({ machine }) => machine === 'coder'));
  const last = moves.reduce((state: RunState, move) => {
    const next = step(runMachine, state, move.event as RunEvent);
    return next.kind === 'moved' ? next.to : state;
  }, context.run.state);
  expect(last).toBe('ERROR');
  const after = fold(world, decision.records);
  expect(runIn(after)).toMatchObject({ state: 'ERROR', usedUp: 'No time is left.' });
  expect(taskIn(after, '1').state).toBe('implementing');
});
