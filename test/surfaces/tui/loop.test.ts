// Between a key and its frame, and between news and the screen: nothing that is read or done keeps a person waiting.
import { expect, onTestFinished, test } from 'vitest';
import { type App, createApp } from '../../../src/app/app.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { runInterface } from '../../../src/surfaces/tui/interface.ts';
import { type Fake, fakeApp } from '../../support/app.ts';
import { eventually } from '../../support/repo.ts';
import { at, HUMAN, settled } from '../../support/runs.ts';
import { PLAN } from '../../support/world.ts';
import { allUp, NO_BRANCHES, PLAN_TEXT } from './situations.ts';
import { type TerminalInMemory, terminalInMemory } from './terminal-in-memory.ts';

test('the frame of a key is drawn before anything that the key asks for is read or started', async () => {
  const { memory, asked } = await started();
  const [frames, reads] = [memory.written.length, asked.length];
  memory.keyboard().typed('j');
  expect(memory.written.slice(frames).join('')).toContain('▌');
  memory.keyboard().typed('t');
  expect(asked.slice(reads)).toEqual([]);
});

test('many keys at once are one frame, and what is selected in the end is read once', async () => {
  const { memory, asked } = await started();
  const [frames, reads] = [memory.written.length, asked.filter((name) => name === 'detail').length];
  memory.keyboard().typed('jjkkjjkkjjj');
  expect(memory.written).toHaveLength(frames + 1);
  await eventually(
    () => asked.filter((name) => name === 'detail').length,
    (count) => count > reads,
  );
  expect(asked.filter((name) => name === 'detail')).toHaveLength(reads + 1);
});

test('keys that come faster than anybody types are text, unless they are for a line', async () => {
  const { memory, asked, sees } = await started();
  memory.keyboard().typed('config set verify ls\r');
  await sees('Pasted text is not taken as keys');
  expect(asked).not.toContain('perform');
  memory.keyboard().typed(':engine start');
  await sees('engine start');
  memory.keyboard().typed('\x1b');
  memory.keyboard().paused();
  memory.keyboard().typed('jjjjjjjjjjkkkk');
  await sees('T1: Count words');
});

test('keys after "q" in the same burst do nothing', async () => {
  const { memory, asked, ended } = await started();
  memory.keyboard().typed('qgjt');
  await ended;
  expect(asked).not.toContain('perform');
  expect(memory.state.isOpen).toBe(false);
});

interface Started {
  readonly fake: Fake;
  readonly memory: TerminalInMemory;
  /** The members of the app that were called. */
  readonly asked: readonly string[];
  readonly ended: Promise<void>;
  /** Waits until the text was written to the terminal. */
  sees(text: string): Promise<unknown>;
}

/** The interface on a plan whose first task is being implemented, once it shows the plan. */
async function started(...events: readonly Event[]): Promise<Started> {
  const before = at('CODING', HUMAN, PLAN_TEXT);
  const world = settled(before, ...allUp(before), ...events);
  const fake = fakeApp({ world, files: { [PLAN]: PLAN_TEXT } });
  fake.engine = { pid: 1, command: 'cadre watch' };
  const asked: string[] = [];
  const app = noting(createApp({ ...fake.ports, changes: async () => NO_BRANCHES }), asked);
  const memory = terminalInMemory();
  const stop = new AbortController();
  const ended = runInterface({
    app,
    terminal: memory.terminal,
    machine: { repositories: () => [] },
    anotherApp: () => app,
    visit: async () => 0,
    runHere: async () => 0,
    edit: async (text) => text,
    command: async () => 0,
    stop: stop.signal,
  });
  onTestFinished(async () => {
    stop.abort('SIGHUP');
    await ended;
  });
  const sees = (text: string): Promise<unknown> =>
    eventually(
      () => memory.written.join(''),
      (shown) => shown.includes(text),
    );
  await sees('T2: Count');
  await sees('Count things in texts');
  return { fake, memory, asked, ended, sees };
}

function noting(app: App, asked: string[]): App {
  return new Proxy(app, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        asked.push(String(name));
        return Reflect.apply(member, target, given);
      };
    },
  });
}
