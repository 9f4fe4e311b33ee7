// Thousands of random keys at the whole interface, with the real rules behind it: nothing breaks, what happened is legal and in
// the journal, and the terminal is given back.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { fold } from '../../../src/core/journal/fold.ts';
import type { JournalRecord, Move } from '../../../src/core/model/record.ts';
import type { World } from '../../../src/core/model/world.ts';
import { transitionsOf } from '../../../src/machines/machine.ts';
import { machines } from '../../../src/machines/machines.ts';
import { runInterface } from '../../../src/surfaces/tui/interface.ts';
import { KEYS } from '../../../src/surfaces/tui/keys/table.ts';
import { fakeApp } from '../../support/app.ts';
import { at, HUMAN, settled } from '../../support/runs.ts';
import { PLAN } from '../../support/world.ts';
import { allUp, NO_BRANCHES, PLAN_TEXT } from './situations.ts';
import { terminalInMemory } from './terminal-in-memory.ts';

const KEY_COUNT = 2_500;

describe('10,000 random keys', () => {
  test.each(['CODING', 'CODE_REVIEW quality', 'QUESTION from CODING', 'DONE'] as const)(
    'over a live plan in %s: every change is legal and in the journal, and the terminal is given back',
    async (place) => {
      const before = at(place, HUMAN, PLAN_TEXT);
      const start = settled(before, ...allUp(before));
      const fake = fakeApp({ world: start, files: { [PLAN]: PLAN_TEXT } });
      fake.engine = { pid: 1, command: 'cadre watch' };
      const app = createApp({ ...fake.ports, changes: async () => NO_BRANCHES });
      const stop = new AbortController();
      const { terminal, keyboard, state } = terminalInMemory(ANY_SIZE);
      const ended = runInterface({
        app,
        terminal,
        machine: { repositories: () => [] },
        anotherApp: () => app,
        visit: async () => 0,
        runHere: async () => 0,
        edit: async (text) => `${text} edited`,
        command: async () => 0,
        stop: stop.signal,
      });
      const random = generator(place.length);
      const ofOne = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
      let burst = '';
      for (let count = 0; count < KEY_COUNT; count++) {
        const bytes = bytesOf(ofOne(NAMES));
        burst += bytes;
        // Some keys come together. An escape with more behind it would be another key.
        if (bytes !== '\x1b' && count % 4 !== 0) continue;
        keyboard().typed(burst);
        keyboard().paused();
        burst = '';
        await turn();
        if (count % 200 === 0) keyboard().resized();
      }
      stop.abort('SIGHUP');
      await ended;
      expect(state).toMatchObject({ isOpen: false, isLent: false });
      const records = await fake.ports.journal.records();
      expect(records).not.toEqual([]);
      expect(fold(start, records)).toEqual(fake.world());
      expect(illegalIn(start, records)).toEqual([]);
    },
  );
});

/** Moves that no table has, and changes of a state that no move explains. */
function illegalIn(start: World, records: readonly JournalRecord[]): readonly string[] {
  let world = start;
  return records.flatMap((record) => {
    const after = fold(world, [record]);
    const expected = new Map(statesIn(world));
    for (const move of record.moves) expected.set(subjectOf(move), move.to);
    const wrong = [
      ...record.moves.filter((move) => !isEdge(move)).map((move) => `no edge: ${JSON.stringify(move)}`),
      ...[...statesIn(after)]
        .filter(([subject, to]) => expected.get(subject) !== to && statesIn(world).has(subject))
        .map(([subject, to]) => `${subject} is ${to} after ${record.event} ${record.seq}`),
    ];
    world = after;
    return wrong;
  });
}

/** A plan that cadre did not know comes from no state. */
function isEdge({ machine: name, from, event, to }: Move): boolean {
  if (from === null) return event === 'register';
  const machine = machines.find((one) => one.name === name);
  if (machine === undefined) return false;
  return transitionsOf(machine).some((edge) => edge.from === from && edge.event === event && edge.to === to);
}

function subjectOf(move: Move): string {
  return move.machine === 'task' ? `task ${move.plan}#${move.task}` : `${move.machine} ${move.plan}`;
}

/** The states of plans and of tasks. */
function statesIn({ plans }: World): ReadonlyMap<string, string> {
  return new Map(
    [...plans.values()].flatMap(({ plan, status, tasks }) => [
      [`plan ${plan}`, status] as const,
      ...tasks.map(({ id, state }) => [`task ${plan}#${id}`, state] as const),
    ]),
  );
}

/** Another one each time that it is asked for. */
const ANY_SIZE = (count: number): { columns: number; rows: number } => ({
  columns: 20 + ((count * 37) % 200),
  rows: 5 + ((count * 17) % 60),
});

/** A new plan would be shown instead of the one that is built; "q" ends everything. */
const LEFT_OUT = new Set(['N', 'q', 'ctrl-c']);

/** Keys that change something, and what agrees to it, are pressed more often than the many that move around. */
const NAMES = [
  ...KEYS.flatMap(({ keys }) => keys),
  ...['t', 'b', 'D', 'r', 'a', 'm', 'y', 'escape'].flatMap((key) => [key, key, key]),
  ...['x', '1', '9', 'space', 'backspace', 'ctrl-e', 'ctrl-n', 'ctrl-w', 'O', 'é', '日'],
].filter((key) => !LEFT_OUT.has(key));

const BYTES: { readonly [key: string]: string } = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  'shift-tab': '\x1b[Z',
  space: ' ',
  backspace: '\x7f',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  'page-up': '\x1b[5~',
  'page-down': '\x1b[6~',
};

function bytesOf(key: string): string {
  const bytes = BYTES[key];
  if (bytes !== undefined) return bytes;
  if (key.startsWith('ctrl-')) return String.fromCharCode(key.charCodeAt(5) & 31);
  if ([...key].length !== 1) throw new Error(`There are no bytes for ${key}.`);
  return key;
}

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
