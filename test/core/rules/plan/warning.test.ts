// Warnings are records: they change nothing, and are about a plan that is known.
import { expect, test } from 'vitest';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import type { PlanFile } from '../../../../src/plan/name.ts';
import { progressLines } from '../../../../src/surfaces/cli/text/progress-lines.ts';
import { recordLine } from '../../../../src/surfaces/cli/text/record-line.ts';
import { NOW, PLAN, worldWithTasks } from '../../../support/world.ts';

const WORLD = worldWithTasks('### Task 1: Dig\n');

test('a warning is recorded with its plan and its task, and nothing else changes', () => {
  const warning = { kind: 'warning', plan: PLAN, task: '1', text: 'The tests fail.' } as const;
  const { records, world } = decideAll(WORLD, [warning], NOW);
  expect(records).toMatchObject([{ event: 'warned', by: 'engine', plan: PLAN, taskId: '1', text: 'The tests fail.' }]);
  expect({ ...world, seq: WORLD.seq }).toEqual(WORLD);
});

test('a warning about an unknown plan is ignored', () => {
  const warning = { kind: 'warning', plan: 'gone.md' as PlanFile, text: 'The tests fail.' } as const;
  expect(decideAll(WORLD, [warning], NOW).records).toEqual([]);
});

test('a warning is shown in the log and where the build is followed, without what would confuse a terminal', () => {
  const about = (part: { readonly task?: string }) =>
    decideAll(WORLD, [{ kind: 'warning', plan: PLAN, text: 'It \u001b[31mfails.', ...part }], NOW).records.flatMap(
      (record) => [recordLine(record, (_plan, task) => task), ...progressLines(WORLD, PLAN)(WORLD, record)],
    );
  const text = 'warning: It \\u{1b}[31mfails.';
  expect(about({ task: '1' })).toEqual([
    expect.stringContaining(`x.md#1  ${text}`),
    expect.stringContaining(`1 Dig  ${text}`),
  ]);
  expect(about({})).toEqual([expect.stringContaining(`x.md  ${text}`), expect.stringContaining(text)]);
});
