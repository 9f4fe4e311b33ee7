// The prompts of the implementer: propose how to do a task, build it, verify it, and fix it.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment, Quote } from './assignment.ts';
import { type Heard, heardParts, upperFirst } from './heard.ts';
import { decisionParts, joinParts, neverTouchPart, planPart, taskPart, worktreePart } from './parts.ts';
import { fenced, quoteBlock, roomBeside } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const PLAN_TASK_SIGNALS: TurnSignals = { role: 'implementer', signals: ['plan-submitted', 'question'] };
export const IMPLEMENT_SIGNALS: TurnSignals = { role: 'implementer', signals: ['implement-finished', 'question'] };
export const VERIFY_SIGNALS: TurnSignals = { role: 'implementer', signals: ['verify-passed', 'verify-issues'] };
export const FIX_SIGNALS: TurnSignals = { role: 'implementer', signals: ['fix-finished', 'question'] };

export function planTask(assignment: Assignment, heard: Heard): string {
  return joinParts([
    'You are the implementer of one task of a plan. First propose how you will do it; the proposal is reviewed before you start.',
    planPart(assignment),
    taskPart(assignment),
    ...heardParts(heard),
    worktreePart(assignment),
    `## What to do\n\n${PROPOSING}`,
    signalPart(PLAN_TASK_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

const PROPOSING = [
  '1. Read the code that the task is about. Do not change any file yet.',
  '2. Write down which files you will change, how, and how you will check that the result works.',
  '3. Submit that as your proposal. If you cannot continue without an answer, ask; do not guess.',
].join('\n');

export function implement(assignment: Assignment, heard: Heard): string {
  return joinParts([
    'You are the implementer of one task of a plan. Others will verify and review what you commit.',
    planPart(assignment),
    taskPart(assignment),
    ...heardParts(heard),
    worktreePart(assignment),
    `## What to do\n\n${BUILDING}`,
    signalPart(IMPLEMENT_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'code'),
  ]);
}

const BUILDING = [
  '1. Do the whole task, and nothing else. If the worktree already contains work on it, continue from there.',
  '2. Write the tests that the task asks for, and run the verify command if one is named above.',
  '3. Commit everything with `git add` and `git commit`. Uncommitted changes do not count.',
  '4. Report that you are finished. If you cannot continue without an answer, ask; do not guess.',
].join('\n');

/** For projects whose `verify` setting is a prompt. */
export function verifyByAgent(assignment: Assignment, commit: string, how: string): string {
  return joinParts([
    'You are the implementer of one task of a plan. Your work is committed; now verify it.',
    planPart(assignment),
    taskPart(assignment),
    `${worktreePart(assignment)}\n- Commit to verify: \`${oneLine(commit)}\``,
    `## What to do\n\nThis is how the project verifies work:\n\n${fenced(how)}\n\nDo that, change nothing, and report the result.`,
    signalPart(VERIFY_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

/** Why the work needs a fix and what to do about it, given the branch it is to be merged into and who asks for the fix. */
const REASONS = {
  test_failure: () => 'Verification failed. Find the cause and fix it. Do not weaken or remove tests to make it pass.',
  verify_infrastructure: () =>
    'Verification could not be completed. If the cause is in the worktree, fix it; otherwise ask.',
  code_review_changes: (_base: string, who: string) =>
    `${upperFirst(who)} requested changes. Make them. If you think that one of them is wrong, ask.`,
  sent_back: (_base: string, who: string) =>
    `${upperFirst(who)} sent the work back. Do what it says below. If something in it is unclear, ask.`,
  branch_moved: () => 'Your branch changed while it was being reviewed.',
  merge_conflict: (base: string) =>
    `Your branch conflicts with \`${base}\`, which has new commits. If the worktree does not show the conflicts yet, merge \`${base}\` into your branch. Resolve the conflicts in the files listed below so that both sides still do what they were meant to do.`,
  merge_failure: (base: string) =>
    `Your branch could not be merged into \`${base}\`, or the merged result failed verification. If \`${base}\` has new commits, merge it into your branch, and fix what does not fit together.`,
} as const satisfies Readonly<Record<string, (base: string, who: string) => string>>;

export interface FixRequest {
  /** `sent_back`: by a person. `branch_moved`: nobody asks for a change, but the reviewed commit is no longer the last. */
  readonly reason: keyof typeof REASONS;
  /** Who asks for the fix, as in a sentence: "the spec reviewer". */
  readonly who: string;
  readonly wrong: Quote;
}

export function fix(assignment: Assignment, { reason, who, wrong }: FixRequest, heard: Heard): string {
  const plan = planPart(assignment);
  const others = heardParts(heard);
  const room = roomBeside([plan, ...others, ...decisionParts(assignment)]);
  return joinParts([
    'You are the implementer of one task of a plan, and your work needs a fix.',
    plan,
    `## What is wrong\n\n${REASONS[reason](oneLine(assignment.into), who)}\n\n${quoteBlock(wrong, room)}`,
    ...others,
    taskPart(assignment),
    worktreePart(assignment),
    `## What to do\n\n${FIXING}`,
    signalPart(FIX_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'code'),
  ]);
}

const FIXING = [
  '1. Fix what is wrong, and nothing else.',
  '2. Run the verify command if one is named above.',
  '3. Commit everything with `git add` and `git commit`. Uncommitted changes do not count.',
  '4. Report that the fix is finished. If you cannot continue without an answer, ask; do not guess.',
].join('\n');
