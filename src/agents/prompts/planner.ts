// The prompt of the planner: write a plan file from what a person asks for.
import type { Assignment, Quote } from './assignment.ts';
import { joinParts, neverTouchPart, planPart, worktreePart } from './parts.ts';
import { fenced, quoteBlock } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const WRITE_PLAN_SIGNALS: TurnSignals = { role: 'planner', signals: ['planner-finished'] };

/** `request` is the person's own text. `feedback` says why the last version was sent back, if it was. */
export function writePlan(assignment: Assignment, request: string, feedback: Quote | null): string {
  return joinParts([
    'You are the planner. You write a plan that others build, one task at a time, each in its own worktree.',
    planPart(assignment),
    `## The request\n\n${fenced(request)}`,
    worktreePart(assignment),
    `## What to do\n\nRead the code that the request is about, then write \`docs/plans/${assignment.plan}\`. Do not build anything.\n\n${FORMAT}`,
    feedback === null ? '' : `## Why the plan was sent back\n\n${quoteBlock(feedback)}`,
    signalPart(WRITE_PLAN_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'plan'),
  ]);
}

/** A plan in the recommended format. */
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

const FORMAT = [
  '- Number the tasks through the whole plan.',
  '- Make each task small enough for one session.',
  '- Put everything its implementer needs to know into the task: nobody reads the other tasks.',
  '- Tasks in a phase marked "(parallel)" must not change the same files.',
  '',
  'Use this format:',
  '',
  fenced(EXAMPLE_PLAN),
].join('\n');
