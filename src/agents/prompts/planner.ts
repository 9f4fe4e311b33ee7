// The prompt of a planner without a workshop: write a plan file from what a person asks for.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment } from './assignment.ts';
import { neverTouchSection, openingOf } from './parts.ts';
import { bullets, fixedSection, type Prompt, promptOf, section, steps } from './prompt.ts';
import { fenced } from './quoting.ts';
import { signalSection, type TurnSignals } from './signalling.ts';

export const WRITE_PLAN_SIGNALS: TurnSignals = { role: 'planner', signals: ['planner-finished'] };

export interface PlanToWrite extends Pick<Assignment, 'plan' | 'title' | 'cadre'> {
  /** What the person asks for, in the person's words. */
  readonly request: string;
  /** The plan file in the main checkout: cadre reads plans from there, and not from worktrees. */
  readonly file: string;
}

export function writePlan(wanted: PlanToWrite): Prompt {
  const { plan, cadre, request, file } = wanted;
  return promptOf(openingOf(ROLE, wanted), [
    fixedSection('The request', `What the person asks for:\n\n${fenced(request)}`),
    section('Your job', jobWith(file)),
    fixedSection('The format', FORMAT),
    signalSection(WRITE_PLAN_SIGNALS, plan, cadre),
    neverTouchSection(wanted, 'plan', file),
  ]);
}

const ROLE =
  'You are the planner. You write a plan that other agents build, one task at a time, each in its own worktree, with tests, two reviews and a merge for each task.';

function jobWith(file: string): string {
  return steps([
    'Read the code that the request is about; you are in a worktree of it. Do not build anything.',
    'Find out what the request leaves open. The person can see your session: ask in chat if a wrong guess would make the plan useless. What the code or a sensible default answers, decide yourself and write down in the plan.',
    `Write the plan to \`${oneLine(file)}\`, which is in the main checkout and not in your worktree.`,
    'Read it once more as each implementer would: what would you not know? Look for placeholders ("TBD", "handle edge cases", "similar to task 2"), names that no task defines, tasks that contradict each other, and tests that assert nothing.',
    'End your turn with the command below.',
  ]);
}

/** A plan in the recommended format. */
export const EXAMPLE_PLAN = `# Full-text search

**Goal:** People find what they wrote.

**Architecture:** An inverted index beside the notes.

**Tech Stack:** TypeScript, SQLite

## Global Constraints

- No new dependency.

## Phase 1: Index

### Task 1: Tokenizer

**Files:**
- Create: \`src/tokens.ts\`
- Test: \`test/tokens.test.ts\`

**Interfaces:**
- Produces: \`tokens(text: string): string[]\`, in lower case, without punctuation

**Test first:** yes

**Step 1: Write the failing test**

\`tokens("Go, GO!")\` is \`["go", "go"]\`; \`tokens("")\` is \`[]\`.

Run: \`npm test -- tokens\`
Expected: FAIL, there is no tokenizer yet

**Step 2: Make it pass and commit**

Run: \`git commit -am "search: split texts into words"\`

## Phase 2: Query (parallel)

### Task 2: Ranking

**Depends on:** Task 1

**Files:**
- Create: \`src/rank.ts\`

**Interfaces:**
- Consumes: \`tokens\`
`;

const FORMAT = [
  bullets([
    'Number the tasks through the whole plan. Make each small enough for one session, with a result that can be tested.',
    'An implementer gets its own task, and of the rest only goal, architecture, constraints and interfaces. Put everything else that it needs to know into the task: exact names, values, formats and messages.',
    '"Global Constraints" hold for every task: versions, conventions, what not to add.',
    '"Interfaces" of a task: what it consumes from other tasks and what later tasks rely on, with signatures.',
    '"Test first: yes" where a failing test has to come before the code. "Profile: <name>" where a task needs another model than usual.',
    'Tasks are built in order; those of a phase marked "(parallel)" at the same time, so these must not change the same files. "Depends on" is for everything else.',
  ]),
  '',
  'For example:',
  '',
  fenced(EXAMPLE_PLAN),
].join('\n');
