// The feed: everything that happens while a plan is built, in one stream, until the build ends or waits for a person.
import { expect, test } from 'vitest';
import { type FeedItem, feedStart, followBuild } from '../../src/app/feed.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import { type Fake, fakeApp } from '../support/app.ts';
import { at, going, result, runIn, says } from '../support/runs.ts';
import { move, PLAN } from '../support/world.ts';

interface Following {
  readonly items: FeedItem[];
  readonly outcome: ReturnType<typeof followBuild>;
  readonly stop: AbortController;
  /** Resolves when an item matches, also one that was shown before. */
  shown(matches: (item: FeedItem) => boolean): Promise<void>;
}

async function follow(fake: Fake): Promise<Following> {
  const items: FeedItem[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  const request = { plan: PLAN, after: await feedStart(fake.ports), stop: stop.signal, pollEvery: 1 };
  const outcome = followBuild(fake.ports, request, (item) => {
    items.push(item);
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
      asking: { session, plan: PLAN, task: '1', question: 'May I?', actions: [{ do: 'session-attach', on: session }] },
    },
    { kind: 'asks', asking: expect.objectContaining({ question: 'And now?' }) },
  ]);
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

test('reports an engine that is missing for a moment, and one that is lost', async () => {
  const following = await follow(fakeApp({ world: going() }));
  await following.shown((item) => item.kind === 'engine' && item.is === 'lost');
  following.stop.abort();
  await following.outcome;
  expect(following.items).toEqual([
    { kind: 'engine', is: 'missing' },
    { kind: 'engine', is: 'lost' },
  ]);
});
