// Why something waits: the cause is named, with what a person can do about it.
import { describe, expect, test } from 'vitest';
import type { Event, SessionNews } from '../../../src/core/model/event.ts';
import type { SessionId } from '../../../src/core/model/ids.ts';
import type { World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { needsIn } from '../../../src/core/views/needs.ts';
import { taskWaitStatus } from '../../../src/core/views/why.ts';
import { at, HUMAN, planIn, runIn, settled, withBudgets } from '../../support/runs.ts';
import { NOW, PLAN, taskIn, USER } from '../../support/world.ts';

const LATER = new Date(NOW.getTime() + 1e11);

describe('an agent that is no longer restarted', () => {
  /** It ran for a while, and no restart is left. */
  const working = (): World => {
    const coding = at('CODING', withBudgets(HUMAN, { relaunches: 0 }));
    return settled(coding, news(coding, { kind: 'up' }));
  };
  const session = (world: World): SessionId => runIn(world).session?.id as SessionId;
  const news = (world: World, what: SessionNews): Event => ({
    kind: 'session-news',
    session: session(world),
    news: what,
  });
  const ended = (life: Extract<SessionNews, { kind: 'ended' }>['life']): World =>
    decideAll(working(), [news(working(), { kind: 'ended', life })], LATER).world;

  test.each<[string, () => World, string]>([
    ['exited', () => ended({ kind: 'ended', exitCode: 7, signal: null }), 'The program exited (exit code 7).'],
    [
      'was killed',
      () => ended({ kind: 'ended', exitCode: null, signal: 'SIGKILL' }),
      'The program exited (signal SIGKILL).',
    ],
    ['lost its terminal', () => ended({ kind: 'gone' }), 'Its terminal is gone.'],
    [
      'took too long',
      () =>
        decideAll(working(), [{ kind: 'overdue', wait: { for: 'session', session: session(working()) } }], LATER).world,
      'It did not finish in time.',
    ],
  ])('and %s is named with that cause, and with how to see its screen', (_how, make, cause) => {
    const world = make();
    const { sentence, suggestions, waysOut } = taskWaitStatus(world, planIn(world), taskIn(world, '1'));
    expect(sentence).toBe(`The agent failed, and the restart limit is reached: relaunch it. ${cause}`);
    expect(suggestions).toEqual([{ do: 'session-screen', on: session(world) }]);
    expect(waysOut).toContain('relaunch');
  });

  test('needs a person, also while its plan is paused', () => {
    const world = settled(ended({ kind: 'gone' }), { kind: 'pause', plan: PLAN, by: USER });
    expect(needsIn(world, PLAN).map(({ task }) => task)).toEqual([null, '1']);
  });
});
