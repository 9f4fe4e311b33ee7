// What becomes of a message: the same signal for the agent that asks beforehand and for the engine that reads the file.
import { expect, test } from 'vitest';
import { NO_FILE, signalFromMessage } from '../../../src/core/model/signal.ts';
import { type Message, messageId } from '../../../src/signals/message.ts';

const MESSAGE: Message = {
  v: 1,
  name: 'review-changes',
  plan: 'x.md',
  session: 's7',
  role: 'reviewer',
  entered: 12,
  body: 'tests are missing',
};

test('a signal says what its message says, in the name of the session and its role', () => {
  const file = { path: '/inbox/s7/new/1', inode: '9' };
  expect(signalFromMessage(MESSAGE, { file, planFileExists: true })).toEqual({
    id: messageId(MESSAGE),
    name: 'review-changes',
    plan: 'x.md',
    by: { who: 'agent', role: 'reviewer', session: 's7' },
    via: 'command',
    entered: 12,
    body: 'tests are missing',
    file,
    planFileExists: true,
  });
});

test('a signal is about a task where its message is', () => {
  const message = { ...MESSAGE, task: '2.1' };
  expect(signalFromMessage(message, { file: NO_FILE, planFileExists: false })).toMatchObject({ task: '2.1' });
});
