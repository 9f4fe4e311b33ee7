// When the screen of a session is read, and when what it showed before is still true.
import { expect, test } from 'vitest';
import { openSights } from '../../../src/adapters/sessions/sights.ts';
import type { Report } from '../../../src/agents/agent.ts';
import type { SessionEntry } from '../../../src/core/model/session.ts';
import { EMPTY_WORLD } from '../../../src/core/model/world.ts';
import type { Host } from '../../../src/core/ports/host.ts';
import { newSession, sessionIn, after as worldAfter } from '../../support/world.ts';

const ENTRY: SessionEntry = { ...sessionIn(worldAfter(EMPTY_WORLD, newSession()), 's1'), program: 'claude' };
const LONG_AGO = 1_000_000;

test('a screen is read again only after new output', async () => {
  const { look, program } = watched();
  program.lastOutput = LONG_AGO;
  for (let times = 0; times < 3; times++) await look();
  expect(program.screensRead).toBe(1);
  program.lastOutput = LONG_AGO + 1;
  for (let times = 0; times < 3; times++) await look();
  expect(program.screensRead).toBe(2);
});

test('a screen with recent output is read every time, because it may still change', async () => {
  const { look, program } = watched();
  program.lastOutput = Date.now();
  for (let times = 0; times < 3; times++) await look();
  expect(program.screensRead).toBe(3);
});

test('a screen is not read if a report says enough', async () => {
  const { look, program } = watched({ kind: 'turn-finished' });
  program.lastOutput = LONG_AGO;
  expect(await look()).toMatchObject([
    { sight: { screen: undefined, reported: { report: { kind: 'turn-finished' } } } },
  ]);
  expect(program.screensRead).toBe(0);
});

test('what a screen showed is forgotten once nobody asks for the session', async () => {
  const { look, program } = watched();
  program.lastOutput = LONG_AGO;
  await look();
  await look([]);
  await look();
  expect(program.screensRead).toBe(2);
});

function watched(report?: Report) {
  const program = { lastOutput: 0, screensRead: 0 };
  const host: Host = {
    kind: 'tmux',
    start: unused,
    stop: unused,
    send: unused,
    async screen() {
      program.screensRead += 1;
      return 'nothing in particular';
    },
    colouredScreen: unused,
    list: async () => [
      { session: ENTRY.id, place: ENTRY.place, life: { kind: 'running', pid: 1 }, lastOutput: program.lastOutput },
    ],
    attach: unused,
    watch: unused,
    close: unused,
  };
  const sights = openSights(host, { latest: () => (report === undefined ? undefined : { report, at: LONG_AGO }) });
  return { program, look: (entries: readonly SessionEntry[] = [ENTRY]) => sights.of(entries) };
}

function unused(): never {
  throw new Error('Not used here.');
}
