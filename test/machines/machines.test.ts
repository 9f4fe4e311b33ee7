// The machines as tables: every state and event, compared with golden grids that a reviewer can read.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  acceptedIn,
  asEvent,
  eventsOf,
  isUserOnly,
  type Machine,
  statesOf,
  step,
  transitionsOf,
} from '../../src/machines/machine.ts';
import { machines } from '../../src/machines/machines.ts';
import { planMachine, readPlanState } from '../../src/machines/plan.ts';

const COUNTS = new Map([
  ['plan', { transitions: 13, pairs: 13, states: 6 }],
  ['task', { transitions: 13, pairs: 13, states: 6 }],
  ['workshop', { transitions: 10, pairs: 10, states: 5 }],
  ['coder', { transitions: 32, pairs: 27, states: 12 }],
]);

describe.each(machines.map((machine) => [machine.name, machine] as const))('the %s machine', (name, machine) => {
  test('answers every event in every state as its golden grid says', () => {
    const path = new URL(`./golden/${name}.txt`, import.meta.url);
    const grid = textGrid(machine);
    if (process.env.UPDATE_GOLDEN) writeFileSync(path, grid);
    expect(grid).toBe(readFileSync(path, 'utf8'));
  });

  test('has as many transitions, from-to pairs and states as its design', () => {
    const all = transitionsOf(machine);
    const pairs = new Set(all.map(({ from, to }) => `${from} ${to}`));
    expect({ transitions: all.length, pairs: pairs.size, states: statesOf(machine).length }).toEqual(COUNTS.get(name));
  });

  test('reaches every state from its initial one', () => {
    expect([...reachableFrom(machine, machine.initial)].sort()).toEqual([...statesOf(machine)].sort());
  });

  test('can end from every state', () => {
    for (const state of statesOf(machine)) {
      const ends = [...reachableFrom(machine, state)].filter((reached) => machine.final.includes(reached));
      expect(ends, `no end can be reached from ${state}`).not.toEqual([]);
    }
  });

  test('names only its own events as reserved for people', () => {
    for (const event of machine.userOnly) expect(eventsOf(machine)).toContain(event);
  });

  test('refuses a missing edge with a message that names the state, the event and the possible events', () => {
    for (const state of statesOf(machine))
      for (const event of eventsOf(machine)) {
        const result = step(machine, state, event);
        if (result.kind === 'moved') continue;
        expect(result.why).toContain(`while ${state}.`);
        for (const word of [event, ...acceptedIn(machine, state)]) expect(result.why).toContain(`"${word}"`);
      }
  });

  test.each(Object.getOwnPropertyNames(Object.prototype))('has no event called %s', (word) => {
    expect(asEvent(machine, word)).toBeUndefined();
    expect(step(machine, machine.initial, word).kind).toBe('refused');
  });
});

test('only people cancel, reopen and start over', () => {
  const reserved = eventsOf(planMachine).filter((event) => isUserOnly(planMachine, event));
  expect([...reserved].sort()).toEqual(['cancel', 'reopen', 'start_over']);
});

test.each([
  ['in_progress', 'implementing'],
  ['completed', 'done'],
  ['finished', 'done'],
  ['ready', 'ready'],
  ['constructor', undefined],
  [7, undefined],
])('the plan state "%s" of a file is read as %s', (word, state) => {
  expect(readPlanState(word)).toBe(state);
});

function textGrid(machine: Machine): string {
  const events = eventsOf(machine);
  const rows = statesOf(machine).map((state) => [state, ...events.map((event) => cell(machine, state, event))]);
  const widths = ['', ...events].map((head, index) =>
    Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  return [line(['', ...events]), ...rows.map(line)].join('');
}

function cell(machine: Machine, state: string, event: string): string {
  const result = step(machine, state, event);
  if (result.kind === 'refused') return '-';
  return isUserOnly(machine, event) ? `${result.to} (user)` : result.to;
}

function reachableFrom(machine: Machine, start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const state of reached)
    for (const event of acceptedIn(machine, state)) {
      const result = step(machine, state, event);
      if (result.kind === 'moved') reached.add(result.to);
    }
  return reached;
}
