// The prompt of a planner without a workshop: write a plan file from what a person asks for.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment } from './assignment.ts';
import { joinParts, neverTouchPart, planPart } from './parts.ts';
import { fenced } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const WRITE_PLAN_SIGNALS: TurnSignals = { role: 'planner', signals: ['planner-finished'] };

export interface PlanToWrite extends Pick<Assignment, 'plan' | 'title' | 'about' | 'cadre'> {
  /** What the person asks for, in the person's words. */
  readonly request: string;
  /** The plan file in the main checkout: cadre reads plans from there, and not from worktrees. */
  readonly file: string;
}

export function writePlan(wanted: PlanToWrite): string {
  const { plan, cadre, request, file } = wanted;
  return joinParts([
    'You are the planner. You write a plan that others build, one task at a time, each in its own worktree.',
    planPart(wanted),
    `## The request\n\n${fenced(request)}`,
    `## What to do\n\nRead the code that the request is about; you are in a worktree of it. Then write the plan to \`${oneLine(file)}\`, which is in the main checkout and not in your worktree. Do not build anything.\n\n${FORMAT}`,
    signalPart(WRITE_PLAN_SIGNALS, plan, cadre),
    neverTouchPart(wanted, 'plan', file),
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
