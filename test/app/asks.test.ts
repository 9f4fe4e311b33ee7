// What an agent program asks on its screen, where a person looks for what needs them: status and why.
import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import { type Fake, fakeApp } from '../support/app.ts';
import { at, HUMAN, ONE, planIn, runIn, SIDE_BY_SIDE } from '../support/runs.ts';
import { newSession, PLAN } from '../support/world.ts';

const QUESTION = 'May I run npm install?';

/** A session of which the program asks something. */
function asking(fake: Fake, session: SessionId, question = QUESTION): SessionId {
  fake.submit({ kind: 'session-news', session, news: { kind: 'up' } });
  fake.questions.set(session, question);
  return session;
}

function building(text = ONE): Fake {
  return fakeApp({ files: { [PLAN]: text }, world: at('CODING', HUMAN, text) });
}

test('it is among the needs, with its text and a way to answer', async () => {
  const fake = building();
  const session = asking(fake, runIn(fake.world()).session?.id as SessionId);
  const { needsYou } = await createApp(fake.ports).status();
  expect(needsYou).toEqual([
    {
      id: `${session} permission`,
      kind: 'permission',
      plan: PLAN,
      task: '1',
      sentence: `x.md#1 Dig: The implementer (${session}) asks for permission: ${QUESTION}`,
      text: `The implementer (${session}) asks for permission: ${QUESTION}`,
      actions: [{ do: 'session-attach', on: session }],
    },
  ]);
});

test('it is what the task waits for, and the person has the next step', async () => {
  const fake = building(SIDE_BY_SIDE);
  const session = asking(fake, runIn(fake.world()).session?.id as SessionId);
  const app = createApp(fake.ports);
  expect(await app.why('x#1')).toMatchObject({
    view: { owner: 'user', sentence: `The implementer (${session}) asks for permission: ${QUESTION}` },
    asks: [{ session, question: QUESTION }],
    actions: [{ do: 'session-attach', on: session }, expect.anything(), expect.anything(), expect.anything()],
  });
  expect(await app.why('x#2')).toMatchObject({ view: { owner: 'engine' }, asks: [] });
  expect(await app.why('x')).toMatchObject({ asks: [{ session, task: '1' }] });
});

test('the question of the reviewer is what its plan waits for', async () => {
  const fake = fakeApp({ files: { [PLAN]: ONE }, world: at('DONE') });
  const session = asking(fake, planIn(fake.world()).work?.session?.id as SessionId);
  const app = createApp(fake.ports);
  expect(await app.why('x')).toMatchObject({
    view: { owner: 'user', sentence: `The reviewer (${session}) asks for permission: ${QUESTION}` },
  });
  expect((await app.status()).needsYou).toMatchObject([{ kind: 'permission', plan: PLAN, task: null }]);
});

test('the question of a session that belongs to no plan is shown with the session', async () => {
  const fake = fakeApp({ events: [newSession()] });
  asking(fake, 's1' as SessionId);
  const { needsYou, sessions } = await createApp(fake.ports).status();
  expect(needsYou).toEqual([]);
  expect(sessions).toMatchObject([{ session: 's1', sentence: `Asks for permission: ${QUESTION}` }]);
});

test('where the host does not answer, why says what it knows', async () => {
  const fake = building();
  asking(fake, runIn(fake.world()).session?.id as SessionId);
  fake.hostFails = true;
  expect(await createApp(fake.ports).why('x#1')).toMatchObject({ view: { owner: 'implementer' }, asks: [] });
});
