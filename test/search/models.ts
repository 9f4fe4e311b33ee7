// The worlds that the search goes through: plans of two tasks, small budgets, and who decides.
import { DEFAULT_POLICY } from '../../src/core/default-policy.ts';
import type { Policy } from '../../src/core/policy.ts';

export interface Model {
  readonly name: string;
  readonly policy: Policy;
  /** The file at first, and the others that people may make of it. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** When people edit the file: never, while no run is live, or at any time. */
  readonly edits: 'none' | 'at rest' | 'any time';
  readonly sequential: boolean;
  /** Every session says everything in every state, and so do agents that cadre did not start. */
  readonly hostile?: boolean;
  /** The time of a run may be used up. */
  readonly wall?: boolean;
  /** Nothing else happens than what has such a label: deep, and narrow. */
  readonly only?: RegExp;
}

const DIG = '### Task 1: Dig\n\ndig\n';
const POUR = '### Task 2: Pour\n\npour\n';
const PARALLEL = '## Phase 1 (parallel)\n\n';

const SEQUENTIAL = [
  { name: 'both', text: `${DIG}\n${POUR}` },
  { name: 'only 1', text: DIG },
  { name: 'only 2', text: POUR },
];

const TINY: Policy['budgets'] = {
  coding: 1,
  fixing: 1,
  checkins: 1,
  turns: 5,
  mergeAttempts: 1,
  relaunches: 0,
  reviewCycles: 1,
  wallClock: 1e10,
};

const BRIEF: Policy['budgets'] = { ...TINY, coding: 2, checkins: 2, turns: 8, mergeAttempts: 2, relaunches: 1 };

function policy(budgets: Policy['budgets'], architect: Policy['architect'], more: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, budgets, architect, ...more };
}

/** The defaults: task plans pass by themselves, people answer. */
const USUAL: Policy['architect'] = { plan_review: 'auto', questions: 'human', checkins: 'human' };
const HUMAN: Policy['architect'] = { plan_review: 'human', questions: 'human', checkins: 'human' };
const AGENT: Policy['architect'] = { plan_review: 'agent', questions: 'agent', checkins: 'agent' };

const ONE_TASK = [{ name: 'one', text: DIG }];

export const MODELS: readonly Model[] = [
  { name: 'one/tiny/usual', policy: policy(TINY, USUAL), files: ONE_TASK, edits: 'at rest', sequential: true },
  { name: 'one/tiny/human', policy: policy(TINY, HUMAN), files: ONE_TASK, edits: 'at rest', sequential: true },
  { name: 'one/tiny/agent', policy: policy(TINY, AGENT), files: ONE_TASK, edits: 'at rest', sequential: true },
  {
    name: 'one/tiny/agent+hostile',
    policy: policy(TINY, AGENT),
    files: ONE_TASK,
    edits: 'at rest',
    sequential: true,
    hostile: true,
  },
  {
    name: 'one/brief/agent+wall',
    policy: policy(BRIEF, AGENT),
    files: ONE_TASK,
    edits: 'at rest',
    sequential: true,
    wall: true,
  },
  {
    name: 'one/tiny/agent verifies',
    policy: policy(TINY, USUAL, { verification: 'agent' }),
    files: ONE_TASK,
    edits: 'at rest',
    sequential: true,
  },
  {
    name: 'one/tiny/both verify',
    policy: policy(TINY, USUAL, { verification: 'both' }),
    files: ONE_TASK,
    edits: 'at rest',
    sequential: true,
  },
  {
    name: 'seq/narrow/usual+stale',
    policy: policy(TINY, USUAL),
    files: SEQUENTIAL,
    edits: 'any time',
    sequential: true,
    only: /^run|ready|next|tests pass|approve|lands|merged|file has|mark-done/,
  },
  { name: 'seq/tiny/usual', policy: policy(TINY, USUAL), files: SEQUENTIAL, edits: 'at rest', sequential: true },
  { name: 'seq/tiny/human', policy: policy(TINY, HUMAN), files: SEQUENTIAL, edits: 'at rest', sequential: true },
  { name: 'seq/tiny/agent', policy: policy(TINY, AGENT), files: SEQUENTIAL, edits: 'at rest', sequential: true },
  { name: 'seq/tiny/usual+stale', policy: policy(TINY, USUAL), files: SEQUENTIAL, edits: 'any time', sequential: true },
  {
    name: 'par/tiny/usual',
    policy: policy(TINY, USUAL),
    files: SEQUENTIAL.map(({ name, text }) => ({ name, text: `${PARALLEL}${text}` })),
    edits: 'at rest',
    sequential: false,
  },
  {
    name: 'par/tiny/agent',
    policy: policy(TINY, AGENT),
    files: SEQUENTIAL.map(({ name, text }) => ({ name, text: `${PARALLEL}${text}` })),
    edits: 'none',
    sequential: false,
  },
];
