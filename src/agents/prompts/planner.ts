// The prompt of the planner: to write a plan's file from what a person wants.
import { aboutThePlace, aboutThePlan, neverTouch, together } from './parts.ts';
import { asData, asTask } from './said.ts';
import { type Speaker, signalling } from './signalling.ts';
import type { Said, Work } from './work.ts';

export const WRITES_PLAN: Speaker = { role: 'planner', signals: ['planner-finished'] };

/** `brief` is the person's own text. `said` is why the last version was sent back, if it was. */
export function writePlan(work: Work, brief: string, said: Said | null): string {
  return together([
    'You are the planner. You write a plan that others build, one task at a time, each in a worktree of its own.',
    aboutThePlan(work),
    `## What is wanted\n\n${asTask(brief)}`,
    aboutThePlace(work),
    `## What to do\n\nRead the code that it is about, then write \`docs/plans/${work.plan}\`. Build nothing.\n\n${FORM}`,
    said === null ? '' : `## Why the plan was sent back\n\n${asData(said)}`,
    signalling(WRITES_PLAN, work.plan, work.cadre),
    neverTouch(work, 'plan'),
  ]);
}

/** A plan in the form that is read best. */
export const EXAMPLE = `# Full-text search

**Goal:** People find what they wrote.

**Architecture:** An inverted index beside the notes.

**Tech Stack:** TypeScript, SQLite

## Phase 1: Index

### Task 1: Tokenizer

**Files:**
- Create: \`src/tokens.ts\`
- Test: \`test/tokens.test.ts\`

**Step 1: Write the failing test**

Run: \`npm test -- tokens\`
Expected: FAIL, there is no tokenizer yet

**Step 2: Make it pass and commit**

Run: \`git commit -am "search: split texts into words"\`

## Phase 2: Query (parallel)

### Task 2: Ranking

**Depends on:** Task 1
`;

const FORM = [
  'Tasks are numbered through the whole plan, and each is so small that one session builds it. It says everything that its implementer has to know: nobody will read the others. Tasks of a phase marked "(parallel)" must not change the same files. This is the form:',
  '',
  asTask(EXAMPLE),
].join('\n');
