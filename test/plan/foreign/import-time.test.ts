// Importing takes time linear in the length of the file, however odd the file is.
import { describe, test } from 'vitest';
import { DIALECT_NAMES } from '../../../src/plan/foreign/dialect.ts';
import { dialectOf } from '../../../src/plan/foreign/dialects.ts';
import { foreignFile } from '../../../src/plan/foreign/entries.ts';
import { importPlan } from '../../../src/plan/foreign/import-plan.ts';
import { counted, expectLinearTime, type Kind, repeated } from '../../support/linear-time.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  'tasks of spec-kit': counted(
    (number) => `- [ ] T${number} [P] [US1] Create src/models/m${number}.py (depends on T${number - 1})\n`,
  ),
  'tasks of Kiro with steps': counted(
    (number) => `- [ ] ${number % 9999}. x\n  - [ ] ${number % 9999}.1 y\n    - _Requirements: 1.1_\n`,
  ),
  'changes of OpenSpec': counted((number) => `## ${number % 9999}. x\n\n- [ ] ${number % 9999}.1 y\n`),
  'steps of one task': repeated('- [ ] a\n', '  - [ ] b\n'),
  'text below one checkbox': repeated('- [ ] a\n', '  some text\n'),
  'one long line': repeated('- [ ] ', 'src/a.ts and `b` '),
  labels: repeated('- [ ] T001 ', '[US1] '),
  parentheses: repeated('- [ ] T001 ', '(depends on '),
  backticks: repeated('- [ ] ', '`` `'),
  'nested headings': repeated('- [ ] a\n', '# a\n## b\n### c\n- [ ] d\n'),
  'conflicts in one string': repeated('{"tasks": [{"title": "a", "details": "', '<<<<<<< '),
  'tasks of Task Master': tasks((number) => ({
    id: number,
    title: `t${number}`,
    status: 'pending',
    dependencies: [number - 1],
  })),
  'tasks of Task Master in one cycle': tasks((number) => ({ id: number, title: 'x', dependencies: [number + 1, 1] })),
};

describe('a million characters', () => {
  test.each(Object.entries(KINDS))('of %s are imported in linear time', { timeout: 240_000 }, (_, kind) => {
    expectLinearTime((text) => importPlan({ text, path: 'tasks.md', all: true, companions: [] }), kind);
  });

  test('are recognized in linear time', { timeout: 240_000 }, () => {
    expectLinearTime(
      (text) => DIALECT_NAMES.map(() => dialectOf(foreignFile(text))),
      repeated('# x\n\n', 'no checkbox [ ] here\n\n'),
    );
  });
});

function tasks(task: (number: number) => unknown): Kind {
  return (length) => {
    const list = counted((number) => `${JSON.stringify(task(number))},`)(length);
    return `{"tasks":[${list.slice(0, -1)}]}`;
  };
}
