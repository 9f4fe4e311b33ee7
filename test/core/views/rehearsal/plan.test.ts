// A plan for a rehearsal: the same tasks, each with a script that touches its files.
import { expect, test } from 'vitest';
import { rehearsalPlan, sharedFiles } from '../../../../src/core/views/rehearsal/plan.ts';
import { parse } from '../../../../src/plan/parse.ts';

const PLAN = `# Search

## Phase 1: Index (parallel)

### Task 1: Tokens

**Files:**
- Create: \`src/tokens.ts\`
- Test: \`test/tokens.test.ts\`
- Modify: \`package.json\`

### Task 2: Words

**Depends on:** nothing

**Files:**
- Modify: \`src/tokens.ts\`
- Modify: \`docs/words.md\`
- Delete: \`src/old.py\`

### Task 3: Nothing to touch
`;

const tasksIn = (text: string) => parse(text).plan.phases.flatMap(({ tasks }) => tasks);

test('it has the same tasks, files and phases', () => {
  const shape = (text: string) =>
    tasksIn(text).map(({ address, name, files }) => ({ address, name, files: files.map(({ path }) => path) }));
  expect(shape(rehearsalPlan(PLAN))).toEqual(shape(PLAN));
  expect(parse(rehearsalPlan(PLAN)).plan.phases.map(({ parallel }) => parallel)).toEqual([true]);
});

test('scripts add a comment to code and documents, and leave new tests, JSON and deleted files alone', () => {
  const added = rehearsalPlan(PLAN)
    .split('\n')
    .filter((line) => line.startsWith('  append'));
  expect(added).toEqual([
    '  append src/tokens.ts // Rehearsal of task 1',
    '  append src/tokens.ts // Rehearsal of task 2',
    '  append docs/words.md <!-- Rehearsal of task 2 -->',
    '  append rehearsal-3.txt Task 3 names no file that a script can touch.',
  ]);
});

test('files that tasks of one group share are named, and those of different groups are not', () => {
  expect(sharedFiles(PLAN, [['1', '2', '3']])).toEqual([{ path: 'src/tokens.ts', tasks: ['1', '2'] }]);
  expect(sharedFiles(PLAN, [['1'], ['2'], ['3']])).toEqual([]);
});
