// What a plan says for the craft of its agents: constraints for every task, interfaces, profiles, and tests that come first.
import { expect, test } from 'vitest';
import { namesIn } from '../../src/plan/interfaces.ts';
import { parse } from '../../src/plan/parse.ts';

const PLAN = `# Search

**Goal:** People find what they wrote.

## Global Constraints

- Node 20, no new dependencies.
- Exit code 2 for a file that is missing.

### Names

Everything is lower case.

---

## Phase 1: Index

### Task 1: Words

**Profile:** \`fast\`
**Test first:** yes

**Interfaces:**

- Consumes: none
- Produces:
  - \`tokens(text: string): string[]\`
  - \`export class Index\`, which
    keeps them

Some text. Produces: nothing that counts.

### Task 2: Query

**Test first:** no

**Consumes:** \`tokens\` from task 1

**Files:**
- Create: \`a.ts\`
`;

test('constraints are everything below their heading, up to the next one of the same level', () => {
  expect(parse(PLAN).plan.constraints).toBe(
    '- Node 20, no new dependencies.\n- Exit code 2 for a file that is missing.\n\n### Names\n\nEverything is lower case.',
  );
  expect(parse('**Global Constraints:** Node 20.\n\n### Task 1: A\n').plan.constraints).toBe('Node 20.');
  expect(parse('## Global Constraints\n\n### Task 1: A\n').plan.constraints).toBeNull();
  expect(parse('### Task 1: A\n\n## Global Constraints\n\nToo late.\n').plan.constraints).toBeNull();
});

test('a task has its profile, its interfaces, and whether a test comes first', () => {
  const { plan, problems } = parse(PLAN);
  expect(problems).toEqual([]);
  expect(plan.phases[0]?.tasks).toMatchObject([
    {
      profile: 'fast',
      testFirst: true,
      interfaces: {
        consumes: [],
        produces: ['`tokens(text: string): string[]`', '`export class Index`, which keeps them'],
      },
    },
    {
      profile: null,
      testFirst: false,
      interfaces: { consumes: ['`tokens` from task 1'], produces: [] },
      files: [{ action: 'create', path: 'a.ts' }],
    },
  ]);
});

test('a task that says nothing has none of them', () => {
  expect(parse('### Task 1: A\n\nInterfaces matter here.\n').plan.phases[0]?.tasks[0]).toMatchObject({
    profile: null,
    testFirst: false,
    interfaces: null,
  });
});

test('the names in an entry are the words at the start of its pieces of code', () => {
  expect(namesIn('`export async function load(path)` and `Index.add`, from `src/index.ts` and `a.ts`')).toEqual([
    'load',
    'Index.add',
  ]);
});
