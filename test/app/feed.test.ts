// The feed: everything that happens while a plan is built, in one stream, until the build ends or waits for a person.
import { describe, expect, test } from 'vitest';
import { type FeedItem, feedStart, followBuild } from '../../src/app/feed.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import { SETTLES_AFTER } from '../../src/core/views/notifications/announce.ts';
import { type Fake, fakeApp } from '../support/app.ts';
import { at, going, HUMAN, result, runIn, SIDE_BY_SIDE, says } from '../support/runs.ts';
import { move, PLAN } from '../support/world.ts';

interface Following {
  readonly items: FeedItem[];
  readonly outcome: ReturnType<typeof followBuild>;
  readonly stop: AbortController;
  /** Resolves when an item matches, also one that was shown before. */
  shown(matches: (item: FeedItem) => boolean): Promise<void>;
}

async function follow(fake: Fake, then: (item: FeedItem) => void = () => undefined): Promise<Following> {
  const items: FeedItem[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  const request = { plan: PLAN, after: await feedStart(fake.ports), stop: stop.signal, pollEvery: 1 };
  const outcome = followBuild(fake.ports, request, (item) => {
    items.push(item);
    then(item);
    for (const look of waiting) look();
  });
  return {
    items,
    outcome,
    stop,
    shown: (matches) =>
      new Promise((resolve) => {
        const look = (): void => void (items.some(matches) && resolve());
        waiting.add(look);
        look();
      }),
  };
}

const events = (items: readonly FeedItem[]) =>
  items.flatMap((item) => (item.kind === 'record' ? [item.record.event] : []));

const withEngine = (fake: Fake): Fake => Object.assign(fake, { engine: { pid: 1, command: 'cadre watch' } });

test('shows records as they are written, and ends with the build', async () => {
  const fake = withEngine(fakeApp({ world: at('AWAIT_MERGE') }));
  const following = await follow(fake);
  fake.submit(result(fake.world(), { of: 'merge', tip: 't1' }));
  fake.submit(move('cancel'));
  expect(await following.outcome).toMatchObject({ kind: 'cancelled' });
  expect(events(following.items)).toEqual(expect.arrayContaining(['merged', 'cancel']));
});

test('ends where only a person can continue, with the records that led there', async () => {
  const fake = withEngine(fakeApp({ world: at('CODING') }));
  const following = await follow(fake);
  fake.submit(says(fake.world(), 'question'));
  expect(await following.outcome).toMatchObject({ kind: 'person' });
  expect(events(following.items)).toContain('ask');
});

test('ends at once where the build already waits for a person', async () => {
  const following = await follow(withEngine(fakeApp({ world: at('QUESTION from CODING') })));
  expect(await following.outcome).toMatchObject({ kind: 'person' });
  expect(following.items).toEqual([]);
});

test('has no outcome when it is stopped before that', async () => {
  const following = await follow(withEngine(fakeApp({ world: going() })));
  following.stop.abort();
  expect(await following.outcome).toBeUndefined();
});

test('shows warnings of the engine that are written after it started, the last ones when it ends', async () => {
  const fake = withEngine(fakeApp({ world: going() }));
  fake.warnings.push('before');
  const following = await follow(fake);
  fake.warnings.push('during');
  await following.shown((item) => item.kind === 'warning');
  fake.warnings.push('at the end');
  following.stop.abort();
  await following.outcome;
  expect(following.items).toEqual([
    { kind: 'warning', text: 'during' },
    { kind: 'warning', text: 'at the end' },
  ]);
});

test('shows each question on a screen once', async () => {
  const fake = withEngine(fakeApp({ world: at('CODING') }));
  const session = runIn(fake.world()).session?.id as SessionId;
  fake.submit({ kind: 'session-news', session, news: { kind: 'up' } });
  const following = await follow(fake);
  const asks = (question: string) => (item: FeedItem) => item.kind === 'asks' && item.asking.question === question;
  fake.questions.set(session, 'May I?');
  await following.shown(asks('May I?'));
  fake.questions.set(session, 'And now?');
  await following.shown(asks('And now?'));
  following.stop.abort();
  await following.outcome;
  expect(following.items.filter(({ kind }) => kind === 'asks')).toEqual([
    {
      kind: 'asks',
      asking: {
        session,
        role: 'implementer',
        plan: PLAN,
        task: '1',
        wants: 'permission',
        question: 'May I?',
        actions: [{ do: 'session-attach', on: session }],
      },
    },
    { kind: 'asks', asking: expect.objectContaining({ question: 'And now?' }) },
  ]);
});

const notified = (items: readonly FeedItem[]) =>
  items.flatMap((item) => (item.kind === 'notification' ? [item.notification.kind] : []));

test('notifies of what came since it started, before it ends with it', async () => {
  const fake = withEngine(fakeApp({ world: at('CODING') }));
  const following = await follow(fake);
  fake.submit(says(fake.world(), 'question'));
  await following.outcome;
  expect(notified(following.items)).toEqual(['question']);
});

test('notifies of what is held up when it ends with it, although that may still heal', async () => {
  const fake = withEngine(fakeApp({ world: at('AWAIT_MERGE') }));
  const following = await follow(fake);
  const effect = runIn(fake.world()).issued?.effect ?? '';
  fake.submit({ kind: 'held-up', effect, why: 'The remote does not answer.', needsPerson: true });
  await following.outcome;
  expect(notified(following.items)).toEqual(['held-up']);
});

test('does not notify of what held before it started', async () => {
  const world = at('QUESTION from CODING', HUMAN, SIDE_BY_SIDE);
  const fake = withEngine(fakeApp({ world }));
  const following = await follow(fake);
  fake.submit(result(fake.world(), { of: 'worktree', failed: 'no space' }, '2'));
  expect(await following.outcome).toMatchObject({ kind: 'person' });
  expect(notified(following.items)).toEqual(['halted']);
});

test('notifies of a question on a screen once, when it has been there for a while', async () => {
  const fake = withEngine(fakeApp({ world: at('CODING') }));
  const session = runIn(fake.world()).session?.id as SessionId;
  fake.submit({ kind: 'session-news', session, news: { kind: 'up' } });
  const following = await follow(fake);
  const asks = (question: string) => (item: FeedItem) => item.kind === 'asks' && item.asking.question === question;
  fake.questions.set(session, 'May I?');
  await following.shown(asks('May I?'));
  fake.warnings.push('another poll has passed');
  await following.shown(({ kind }) => kind === 'warning');
  expect(notified(following.items)).toEqual([]);
  fake.elapsed = SETTLES_AFTER.permission;
  await following.shown(({ kind }) => kind === 'notification');
  // The program draws its question again.
  fake.questions.set(session, 'May I now?');
  await following.shown(asks('May I now?'));
  following.stop.abort();
  await following.outcome;
  expect(notified(following.items)).toEqual(['permission']);
});

test('asks a host that does not answer again', async () => {
  const fake = withEngine(fakeApp({ world: at('CODING') }));
  const session = runIn(fake.world()).session?.id as SessionId;
  fake.submit({ kind: 'session-news', session, news: { kind: 'up' } });
  fake.questions.set(session, 'May I?');
  fake.hostFails = true;
  const following = await follow(fake);
  fake.warnings.push('a poll has passed');
  await following.shown((item) => item.kind === 'warning');
  fake.hostFails = false;
  await following.shown((item) => item.kind === 'asks');
  following.stop.abort();
  await following.outcome;
});

describe('without an engine', () => {
  test('ends when it was stopped and nobody starts another, and never starts one itself', async () => {
    const fake = fakeApp({ world: going() });
    const following = await follow(fake);
    expect(await following.outcome).toEqual({ kind: 'no-engine' });
    expect(following.items).toEqual([
      { kind: 'engine', is: 'missing' },
      { kind: 'engine', is: 'lost' },
    ]);
    expect(fake.asked).not.toContain('start engine');
  });

  test('starts another when it was killed, and continues', async () => {
    const fake = withEngine(fakeApp({ world: going() }));
    const following = await follow(fake);
    fake.engine = undefined;
    fake.engineWasKilled = true;
    await following.shown((item) => item.kind === 'engine' && item.is === 'restarted');
    fake.submit(move('cancel'));
    expect(await following.outcome).toMatchObject({ kind: 'cancelled' });
    expect(fake.asked.filter((asked) => asked === 'start engine')).toHaveLength(1);
  });

  test('ends when the same problem keeps the engine from its work, and says which', async () => {
    const fake = withEngine(fakeApp({ world: going() }));
    const following = await follow(fake);
    fake.problem = 'git cannot read it.';
    const stuck = { kind: 'engine', is: 'stuck', problem: 'git cannot read it.' };
    expect(await following.outcome).toEqual({ kind: 'no-engine', problem: 'git cannot read it.' });
    expect(following.items.filter(({ kind }) => kind === 'engine')).toEqual([stuck]);
  });

  test('ends when every engine is killed, or none can be started', async () => {
    for (const engineFails of [true, false]) {
      const fake = Object.assign(fakeApp({ world: going() }), { engineWasKilled: true, engineFails });
      const following = await follow(fake, (item) => {
        if (item.kind === 'engine') fake.engine = undefined;
      });
      expect(await following.outcome).toEqual({ kind: 'no-engine' });
      expect(fake.asked.filter((asked) => asked === 'start engine')).toHaveLength(10);
      const shown = engineFails
        ? { kind: 'warning', text: 'The engine could not be started.' }
        : { kind: 'engine', is: 'restarted', engine: { pid: 1, command: 'cadre watch' } };
      expect(following.items.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => shown));
      expect(following.items.at(-1)).toEqual({ kind: 'engine', is: 'lost' });
    }
  });
});
