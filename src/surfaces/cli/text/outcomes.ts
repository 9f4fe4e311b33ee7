// What an action has done, in one line for a person.
import type { JournalRecord } from '../../../core/model/record.ts';
import type { ActionName } from '../../../core/model/suggestion.ts';
import type { PlanEntry, TaskEntry } from '../../../core/model/world.ts';
import { chainOf } from './record-line.ts';

export function planOutcome(record: JournalRecord): string {
  const [move] = record.moves;
  if (move === undefined) return record.event === 'plan_findings_ruled' ? `${record.plan}: ${rulings(record)}.` : '';
  return move.from === null ? `${move.plan} is ${move.to}.` : `${move.plan}: ${move.from} -> ${move.to}`;
}

export type TaskActionName = Extract<
  ActionName,
  | 'launch'
  | 'retry'
  | 'revert'
  | 'mark-done'
  | 'next'
  | 'back'
  | 'approve'
  | 'override'
  | 'reject'
  | 'abandon'
  | 'answer'
  | 'merge-anyway'
  | 'finding-park'
  | 'finding-overrule'
  | 'finding-confirm'
  | 'finding-plan-holds'
  | 'finding-holds'
>;

export interface TaskDone {
  readonly record: JournalRecord;
  readonly plan: PlanEntry;
  readonly before: TaskEntry;
  readonly after: TaskEntry;
}

export function taskOutcome(action: TaskActionName, done: TaskDone): string {
  return OUTCOMES[action](done);
}

const OUTCOMES: { readonly [action in TaskActionName]: (done: TaskDone) => string } = {
  launch: launched,
  retry: (done) =>
    done.record.event === 'launch'
      ? launched(done)
      : `has a new ${done.after.run?.session?.role ?? 'agent'} (${done.after.run?.session?.id}).`,
  revert: (done) => `is planned again; it will not be launched automatically.${kept(done)}`,
  'mark-done': (done) => `is marked done. Nothing was merged.${kept(done)}`,
  next: (done) => (done.record.event === 'next_taken' ? NEXT_STARTS[nextOf(done)] : `continues: ${chain(done)}.`),
  back: (done) => backWords(done),
  approve: (done) =>
    done.record.event === 'stage_passed'
      ? 'passed the spec review; the quality review is next.'
      : `is approved: ${chain(done)}.`,
  override: (done) => `is approved without having passed verification: ${chain(done)}.`,
  reject: (done) => backWords(done),
  abandon: (done) => `is abandoned: ${chain(done)}.`,
  answer: (done) => `is answered: ${chain(done)}.`,
  'merge-anyway': () => 'is being merged, although it is no longer in the plan file.',
  'finding-park': (done) => ruled(done, 'parked'),
  'finding-overrule': (done) => ruled(done, 'overruled'),
  'finding-confirm': (done) => ruled(done, 'confirmed as addressed'),
  'finding-plan-holds': (done) => ruled(done, 'overruled, because the plan holds'),
  'finding-holds': (done) => ruled(done, 'demanded, although the plan says something else'),
};

/** Of a plan: each finding with what it is now. */
function rulings({ changes = [] }: JournalRecord): string {
  const findings = changes.flatMap((change) => (change.of === 'findings' ? change.findings : []));
  return findings.map(({ id, state }) => `${id} is ${state.replace('-', ' ')}`).join(', ');
}

/** Which findings it was about, and where the run goes. */
function ruled(done: TaskDone, how: string): string {
  const ids = (done.record.changes ?? []).flatMap((change) =>
    change.of === 'findings' ? change.findings.map(({ id }) => id) : [],
  );
  const moves = chain(done);
  return `${ids.join(', ')}: ${how}.${moves === '' ? '' : ` The task continues: ${moves}.`}`;
}

const NEXT_STARTS = {
  spec: 'continues: the spec review starts.',
  quality: 'continues: the quality review starts.',
  merge: 'continues: the merge starts.',
} as const;

function nextOf({ before: { run } }: TaskDone): keyof typeof NEXT_STARTS {
  return run?.state === 'CODE_REVIEW' ? (run.stage ?? 'spec') : 'merge';
}

function backWords(done: TaskDone): string {
  const moves = chain(done);
  return moves === '' ? 'goes back to the implementer for another turn.' : `goes back to the implementer: ${moves}.`;
}

function launched({ after }: TaskDone): string {
  return `is launched: attempt ${after.attempts}, on ${after.run?.branch}.`;
}

function chain({ record }: TaskDone): string {
  return chainOf(record.moves, 'coder');
}

/** Nothing is kept of a task that was built outside of cadre. */
function kept({ before }: TaskDone): string {
  return before.run === undefined ? '' : ` What was built is kept on ${before.run.branch}.`;
}
