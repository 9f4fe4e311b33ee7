// How long a rehearsal took to set up and to verify each task, from its records.
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../../../src/core/model/record.ts';
import { taskTimes } from '../../../../src/core/views/rehearsal/times.ts';

const move = (second: number, task: string, from: string, to: string) =>
  ({
    at: new Date(second * 1000).toISOString(),
    moves: [{ machine: 'coder', plan: 'a.md', task, attempt: 1, event: 'launch', from, to }],
  }) as unknown as JournalRecord;

test('each time runs from entering a state to leaving it; a second round does not count', () => {
  const records = [
    move(0, 'a', 'WAITING', 'SETUP'),
    move(1, 'b', 'WAITING', 'SETUP'),
    move(4, 'a', 'SETUP', 'PLANNING'),
    move(10, 'a', 'CODING', 'TESTING'),
    move(12, 'a', 'TESTING', 'CODE_REVIEW'),
    move(20, 'a', 'FIXING', 'TESTING'),
    move(29, 'a', 'TESTING', 'CODE_REVIEW'),
  ];
  expect(taskTimes(records)).toEqual([
    { task: 'a', setup: 4000, verify: 2000 },
    { task: 'b', setup: null, verify: null },
  ]);
});
