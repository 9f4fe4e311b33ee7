// The models that are searched: plans of one or two tasks, small limits, and who decides.

import type { Event } from '../../src/core/model/event.ts';
import { DEFAULT_POLICY } from '../../src/core/settings/default-policy.ts';
import type { Policy } from '../../src/core/settings/policy.ts';
import { read } from '../support/world.ts';

export interface Model {
  readonly name: string;
  readonly policy: Policy;
  /** The first version of the file, and the versions that people may make of it. Each has a task. */
  readonly files: readonly File[];
  /** When people edit the file: never, while no run is live, or at any time. */
  readonly edits: 'none' | 'at rest' | 'any time';
  readonly sequential: boolean;
  /** Worlds that differ only in what no longer matters count as one, and parallel tasks are interchangeable. */
  readonly alike?: boolean;
  /** People freeze and thaw, start the plan by hand and commit to its branch; agents leave uncommitted files. */
  readonly wide?: boolean;
  /** Somebody moves or deletes the plan branch, moves the base branch, or changes the link of a task's worktree. */
  readonly incidents?: 'branch' | 'base' | 'link';
  /** People pause and resume: the plan, or the whole repository. */
  readonly pauses?: 'plan' | 'all';
  /** Every session sends every signal in every state, and so do agents that cadre did not start. */
  readonly hostile?: boolean;
  /** A run may reach its time limit. */
  readonly wall?: boolean;
  /** The plan is made in a workshop; cadre does not build it. */
  readonly workshop?: boolean;
  /** Reviews find things, people demand and decide. */
  readonly findings?: boolean;
  /** The same for the review of the whole plan; its tasks are marked done. */
  readonly planFindings?: boolean;
  /** Happenings with a matching label are left out. */
  readonly without?: RegExp;
  /** Only happenings with a matching label: a deep and narrow search. */
  readonly only?: RegExp;
}

export interface File {
  readonly name: string;
  readonly read: Event;
}

const DIG = '### Task 1: Dig\n\ndig\n';
const POUR = '### Task 2: Pour\n\npour\n';

/** As an editor may leave it for a moment: it must not change anything. */
const HALF_SAVED: File = { name: 'no task yet', read: read('# A house\n') };

export const ONE_TASK: readonly File[] = [{ name: 'one', read: read(DIG) }, HALF_SAVED];
export const SEQUENTIAL = twoTasks('');
export const PARALLEL = twoTasks('## Phase 1 (parallel)\n\n');

function twoTasks(heading: string): readonly File[] {
  return [
    { name: 'both', read: read(`${heading}${DIG}\n${POUR}`) },
    { name: 'only 1', read: read(`${heading}${DIG}`) },
    { name: 'only 2', read: read(`${heading}${POUR}`) },
    HALF_SAVED,
  ];
}

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

/** One round of each review, and more turns than a run can use. */
const ROUNDS: Policy['budgets'] = { ...TINY, checkins: 0, turns: 1_000, reviewRounds: 1 };

/** Without check-ins a task has about half as many states. */
const LEAST: Policy['budgets'] = { ...TINY, checkins: 0, turns: 2 };

const BRIEF: Policy['budgets'] = { ...TINY, coding: 2, checkins: 2, turns: 8, mergeAttempts: 2, relaunches: 1 };

function policy(budgets: Policy['budgets'], architect: Policy['architect'], more: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, budgets, architect, ...more };
}

/** The defaults: task plans are approved automatically, people answer. */
const USUAL: Policy['architect'] = { plan_review: 'auto', questions: 'human', checkins: 'human' };
const HUMAN: Policy['architect'] = { plan_review: 'human', questions: 'human', checkins: 'human' };
const AGENT: Policy['architect'] = { plan_review: 'agent', questions: 'agent', checkins: 'agent' };

/** People start the verification, the reviews and the merge. */
const MANUAL: Partial<Policy> = { autoVerify: false };

const ONE = { files: ONE_TASK, edits: 'at rest', sequential: true } as const;
const ONE_WIDE = { ...ONE, alike: true, wide: true } as const;
const SEQ = { files: SEQUENTIAL, edits: 'at rest', sequential: true, alike: true } as const;
const WORKSHOP = {
  files: [{ name: 'one', read: read(DIG) }],
  edits: 'none',
  sequential: true,
  workshop: true,
} as const;
const PAR = { files: PARALLEL, edits: 'at rest', sequential: false, alike: true } as const;

/** The plan is built once, and nobody removes its task. */
const FINDINGS = {
  files: [{ name: 'one', read: read(DIG) }],
  edits: 'none',
  sequential: true,
  alike: true,
  findings: true,
  without: /^(?:review_changes_requested|plan reviewer: review-changes|start_over|plan_start)/,
} as const;

/** One review after the other sends the task back, and people answer check-ins. */
const ROUND_AFTER_ROUND =
  /^run$|intended|created|ready|tests pass|implementer: \S+$|spec-reviewer: |without a word|CONTINUE|lands|merged|mark-done/;

/** Only the review of the plan: nothing of its task is built. */
const PLAN_FINDINGS = {
  files: [{ name: 'one', read: read(DIG) }],
  edits: 'none',
  sequential: true,
  planFindings: true,
  only: /^(?:run$|\S+ (?:mark-done|branch intended)|branch created|plan |review_|start_over|planner_finished|cancel|reopen|pause|resume)/,
} as const;

/** The main path of both tasks, while people edit the file. */
const MAIN_WAYS = /^run|intended|created|ready|next|tests pass|approve|lands|merged|file has|mark-done/;

/**
 * Each model is searched completely; one that reaches the limit of states fails. Left out, because they take more than some
 * minutes: two tasks whose file is edited at any time with larger limits than LEAST, and two tasks with larger limits than TINY.
 */
export const MODELS: readonly Model[] = [
  { name: 'one/tiny/usual', policy: policy(TINY, USUAL), ...ONE },
  { name: 'one/tiny/human', policy: policy(TINY, HUMAN), ...ONE },
  { name: 'one/tiny/agent', policy: policy(TINY, AGENT), ...ONE },
  { name: 'one/tiny/agent+hostile', policy: policy(TINY, AGENT), ...ONE, hostile: true },
  { name: 'one/brief/agent+wall', policy: policy(BRIEF, AGENT), ...ONE, alike: true, wall: true },
  { name: 'one/tiny/agent verifies', policy: policy(TINY, USUAL, { verification: 'agent' }), ...ONE },
  { name: 'one/tiny/both verify', policy: policy(TINY, USUAL, { verification: 'both' }), ...ONE },
  { name: 'one/tiny/usual+wide', policy: policy(TINY, USUAL), ...ONE_WIDE },
  { name: 'one/tiny/human+wide', policy: policy(TINY, HUMAN), ...ONE_WIDE },
  { name: 'one/tiny/agent+wide', policy: policy(TINY, AGENT), ...ONE_WIDE },
  { name: 'one/tiny/both verify+wide', policy: policy(TINY, USUAL, { verification: 'both' }), ...ONE_WIDE },
  { name: 'one/brief/agent+wide', policy: policy(BRIEF, AGENT), ...ONE_WIDE },
  { name: 'one/least/usual+branch', policy: policy(LEAST, USUAL), ...ONE, alike: true, incidents: 'branch' },
  { name: 'one/least/usual+base', policy: policy(LEAST, USUAL), ...ONE, alike: true, incidents: 'base' },
  { name: 'one/least/usual+link', policy: policy(LEAST, USUAL), ...ONE_WIDE, incidents: 'link' },
  { name: 'one/tiny/agent+link', policy: policy(TINY, AGENT), ...ONE, alike: true, wall: true, incidents: 'link' },
  { name: 'one/tiny/agent+branch', policy: policy(TINY, AGENT), ...ONE_WIDE, incidents: 'branch' },
  { name: 'par/least/usual+branch', policy: policy(LEAST, USUAL), ...PAR, edits: 'none', incidents: 'branch' },
  { name: 'one/tiny/usual+pause', policy: policy(TINY, USUAL), ...ONE_WIDE, pauses: 'plan' },
  { name: 'one/tiny/human+pause', policy: policy(TINY, HUMAN), ...ONE, alike: true, pauses: 'all' },
  { name: 'one/brief/agent+pause', policy: policy(BRIEF, AGENT), ...ONE, alike: true, wall: true, pauses: 'plan' },
  { name: 'one/tiny/usual+manual', policy: policy(TINY, USUAL, MANUAL), ...ONE_WIDE },
  { name: 'one/brief/agent+manual', policy: policy(BRIEF, AGENT, MANUAL), ...ONE, alike: true, wall: true },
  { name: 'findings/usual', policy: policy(ROUNDS, USUAL), ...FINDINGS },
  { name: 'findings/agent', policy: policy(ROUNDS, { ...AGENT, plan_review: 'auto' }), ...FINDINGS },
  {
    name: 'findings/auto',
    policy: policy(ROUNDS, { plan_review: 'auto', questions: 'auto', checkins: 'auto' }),
    ...FINDINGS,
  },
  {
    name: 'findings/escalation',
    policy: policy({ ...ROUNDS, checkins: 1, reviewRounds: 2, escalateAfter: 1 }, USUAL),
    ...FINDINGS,
  },
  {
    name: 'findings/narrow/escalation',
    policy: policy({ ...ROUNDS, checkins: 1, reviewRounds: 3, escalateAfter: 2 }, USUAL),
    ...FINDINGS,
    only: ROUND_AFTER_ROUND,
  },
  { name: 'findings/usual+manual', policy: policy(ROUNDS, USUAL, MANUAL), ...FINDINGS },
  { name: 'plan findings/usual', policy: policy(TINY, USUAL), ...PLAN_FINDINGS },
  {
    name: 'plan findings/pause',
    policy: policy({ ...BRIEF, reviewCycles: 2 }, USUAL),
    ...PLAN_FINDINGS,
    pauses: 'plan',
  },
  { name: 'workshop/least', policy: policy({ ...LEAST, rounds: 1 }, USUAL), ...WORKSHOP },
  {
    name: 'workshop/tiny+pause',
    policy: policy({ ...BRIEF, rounds: 2 }, USUAL),
    ...WORKSHOP,
    wide: true,
    pauses: 'plan',
  },
  { name: 'seq/narrow/usual+stale', policy: policy(TINY, USUAL), ...SEQ, edits: 'any time', only: MAIN_WAYS },
  { name: 'seq/tiny/usual', policy: policy(TINY, USUAL), ...SEQ },
  { name: 'seq/tiny/human', policy: policy(TINY, HUMAN), ...SEQ },
  { name: 'seq/tiny/agent', policy: policy(TINY, AGENT), ...SEQ },
  { name: 'seq/least/usual+stale', policy: policy(LEAST, USUAL), ...SEQ, edits: 'any time' },
  { name: 'par/narrow/usual+stale', policy: policy(TINY, USUAL), ...PAR, edits: 'any time', only: MAIN_WAYS },
  { name: 'par/least/usual', policy: policy(LEAST, USUAL), ...PAR },
  { name: 'par/least/usual+stale', policy: policy(LEAST, USUAL), ...PAR, edits: 'any time' },
  { name: 'par/least/usual+wide', policy: policy(LEAST, USUAL), ...PAR, wide: true },
  { name: 'par/least/usual+pause', policy: policy(LEAST, USUAL), ...PAR, edits: 'none', pauses: 'all' },
  { name: 'par/least/usual+manual', policy: policy(LEAST, USUAL, MANUAL), ...PAR, edits: 'none', pauses: 'all' },
  { name: 'par/tiny/usual', policy: policy(TINY, USUAL), ...PAR },
  { name: 'par/tiny/agent', policy: policy(TINY, AGENT), ...PAR, edits: 'none' },
];
