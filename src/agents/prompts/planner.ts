// The prompt of the planner: to write a plan's file from what a person wants.

import type { Assignment, Quote } from './assignment.ts';
import { joinParts, neverTouchPart, planPart, worktreePart } from './parts.ts';
import { fenced, quoted } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const WRITE_PLAN_SIGNALS: TurnSignals = { role: 'planner', signals: ['planner-finished'] };

/** `brief` is the person's own text. `feedback` is why the last version was sent back, if it was. */
export function writePlan(assignment: Assignment, brief: string, feedback: Quote | null): string {
  return joinParts([
    'You are the planner. You write a plan that others build, one task at a time, each in a worktree of its own.',
    planPart(assignment),
    `## What is wanted\n\n${fenced(brief)}`,
    worktreePart(assignment),
    `## What to do\n\nRead the code that it is about, then write \`docs/plans/${assignment.plan}\`. Build nothing.\n\n${FORM}`,
    feedback === null ? '' : `## Why the plan was sent back\n\n${quoted(feedback)}`,
    signalPart(WRITE_PLAN_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'plan'),
  ]);
}

/** A plan in the form that is read best. */
export const EXAMPLE_PLAN = `# Full-text search

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
  fenced(EXAMPLE_PLAN),
].join('\n');
