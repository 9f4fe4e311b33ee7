// The building of a plan, as lines for a person: which agent works on which task, and how it went.

import type { JournalRecord } from '../../../core/model/record.ts';
import type { FixCause } from '../../../core/model/run.ts';
import { openTasks } from '../../../core/model/tasks.ts';
import type { PlanEntry, World } from '../../../core/model/world.ts';
import type { LockHolder } from '../../../core/ports/locks.ts';
import { taskBehind } from '../../../core/views/plan.ts';
import { NOT_YET } from '../../../core/views/why.ts';
import type { PlanState } from '../../../machines/plan.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { type TaskEvent, taskMachine } from '../../../machines/task.ts';
import { lastSegment, type PlanFile } from '../../../plan/name.ts';
import { shortened } from '../../../text/shorten.ts';
import { showName, showText } from '../../../text/show.ts';
import { shortTime } from './record-line.ts';

export function headLines(world: World, plan: PlanFile, engine: LockHolder): readonly string[] {
  const entry = world.plans.get(plan);
  const open = entry === undefined ? [] : openTasks(entry);
  return [
    `${plan}: ${open.length} of ${entry?.tasks.length ?? 0} tasks to do, up to ${world.policy.maxParallel} in parallel.`,
    `The engine runs in the background (pid ${engine.pid}). Ctrl-C detaches; the build continues.`,
    '',
  ];
}

/** The lines for a record; none where it is of no interest to a person. */
export type ProgressLines = (world: World, record: JournalRecord) => readonly string[];

/** `before`: the world at the start. Phases that had started by then are not announced again. */
export function progressLines(before: World, plan: PlanFile): ProgressLines {
  const announced = new Set((before.plans.get(plan)?.tasks ?? []).flatMap((task) => (task.run ? [task.phase] : [])));
  return (world, record) => {
    const entry = world.plans.get(plan);
    if (entry === undefined) return [];
    const what = happened(world, entry, record);
    if (what === undefined) return [];
    const { about, text } = what;
    const line = `${shortTime(record.at).slice(11)}  ${labelOf(entry, about).padEnd(labelWidth(entry))}  ${text}`;
    const phase = entry.tasks.find((task) => task.id === about)?.phase;
    if (phase === undefined || announced.has(phase)) return [line];
    announced.add(phase);
    return [...phaseLines(entry, phase), line];
  };
}

function phaseLines({ phases }: PlanEntry, index: number): readonly string[] {
  const { number = 0, name = '', parallel = false } = phases[index] ?? {};
  if (number === 0 && name === '') return [];
  const named = name === '' ? '' : `: ${shortened(name)}`;
  return ['', `Phase ${number}${named}${parallel ? ' (in parallel)' : ''}`];
}

interface Happened {
  /** The task's id; undefined where it is about the plan. */
  readonly about: string | undefined;
  readonly text: string;
}

function happened(world: World, entry: PlanEntry, record: JournalRecord): Happened | undefined {
  if (record.event === 'session_begun') {
    const { plan, task, role, program, id } = record.begun;
    if (plan !== entry.plan) return undefined;
    return { about: task, text: `${role} started (${showName(lastSegment(program))}, session ${id})` };
  }
  if (record.event === 'session_news' && record.news.kind === 'failed') {
    const session = world.sessions.get(record.about);
    if (session?.plan !== entry.plan) return undefined;
    return { about: session.task, text: `${session.role} failed to start: ${record.news.why}` };
  }
  if (record.event === 'held_up' && record.plan === entry.plan) return heldUpLine(entry, record.task);
  if (record.event === 'signal_refused' && record.refused.plan === entry.plan)
    return {
      about: taskBehind(world, record.refused),
      text: `refused "${record.refused.name}": ${record.refused.why}`,
    };
  return movedRun(entry, record) ?? movedTask(entry, record) ?? movedPlan(entry, record);
}

/** Not shortened: it ends with what a person can do about it. */
function heldUpLine({ tasks }: PlanEntry, id: string): Happened | undefined {
  const pending = tasks.find((task) => task.id === id)?.run?.issued;
  if (!pending?.heldUp) return undefined;
  return {
    about: id,
    text: `${lowerFirst(NOT_YET[pending.do])}: ${showText(pending.heldUp.why.split(/\s*\n\s*/).join(' '))}`,
  };
}

function movedRun(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  const run = record.moves.find((move) => move.machine === 'coder' && move.plan === entry.plan);
  if (run === undefined || run.machine !== 'coder') return undefined;
  // The automatic approval of a task's plan is not worth a line.
  const step = run.from === 'PLAN_REVIEW' && run.event === 'approve' ? null : RUN_STEPS[run.event];
  return step === null ? undefined : { about: run.task, text: `${step}${causeOf(entry, record)}` };
}

function movedTask(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  if (record.moves.some((move) => move.machine === 'coder')) return undefined;
  const task = record.moves.find((move) => move.machine === 'task' && move.plan === entry.plan);
  if (task === undefined || task.machine !== 'task') return undefined;
  return { about: task.task, text: TASK_STEPS[task.event] ?? `${task.from} -> ${task.to}` };
}

function movedPlan(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  const move = record.moves.find((one) => one.machine === 'plan' && one.plan === entry.plan);
  if (move === undefined || move.machine !== 'plan' || move.from === null) return undefined;
  return { about: undefined, text: `${PLAN_STEPS[move.to] ?? `${move.from} -> ${move.to}`}${feedbackOf(record)}` };
}

/** What each step of a run means to the person watching; null for a step that the next one follows immediately. */
const RUN_STEPS: { readonly [event in RunEvent]: string | null } = {
  receive_task: 'started in its own worktree',
  workspace_ready: null,
  setup_failed: 'the worktree could not be created',
  submit_plan: null,
  resubmit: null,
  ask: 'question',
  auto_checkin: 'turn limit reached; asking how to continue',
  changes: 'changes requested',
  code_complete: 'agent finished; running tests',
  fix_done: 'agent finished the fix; running tests',
  tests_pass: 'tests passed; spec review started',
  tests_fail: 'tests failed',
  approve: 'approved; merging',
  merged: 'merged',
  merge_conflict: 'merge conflict',
  escalate: 'review started without passing tests',
  abandon: 'abandoned',
  unrecoverable: 'failed',
  answer_design: 'answered',
  resume_coding: 'answered; continuing',
  resume_fixing: 'answered; continuing',
};

const PLAN_STEPS: { readonly [state in PlanState]: string | null } = {
  ready: null,
  planning: null,
  implementing: 'building',
  reviewing: 'all tasks done; reviewing the whole plan',
  done: 'approved and done',
  cancelled: null,
};

const TASK_STEPS: { readonly [event in TaskEvent]: string | null } = {
  launch: 'launched',
  verify_start: null,
  verify_pass: null,
  verify_fail: null,
  escalate: null,
  review_pass: 'spec review passed; quality review started',
  review_fail: null,
  revert: 'reverted',
  mark_done: 'marked done',
};

/** How the cause of a fix is shown. */
const FIX_CAUSES: { readonly [reason in FixCause]: (lines: readonly string[]) => string } = {
  test_failure: firstOf,
  code_review_changes: (lines) => `Reviewer: ${lines.join(' ')}`,
  merge_conflict: (files) => `conflicts with merged work in ${files.join(', ')}`,
  merge_failure: firstOf,
  verify_infrastructure: firstOf,
};

function firstOf(lines: readonly string[]): string {
  return lines[0] ?? '';
}

function causeOf(entry: PlanEntry, record: JournalRecord): string {
  const lines = 'cause' in record ? linesIn(record.cause ?? '') : [];
  const cause = FIX_CAUSES[reasonIn(record) ?? 'test_failure'](lines);
  if (lines.length > 0) return `: ${shortened(cause, LONGEST_CAUSE)}`;
  const merged = record.moves.some((move) => move.machine === 'coder' && move.event === 'merged');
  return merged ? `  (${doneOf(entry)})` : '';
}

const LONGEST_CAUSE = 120;

function reasonIn({ changes = [] }: JournalRecord): FixCause | undefined {
  return changes.flatMap((one) => (one.of === 'run' && one.change?.fixing ? [one.change.fixing.reason] : []))[0];
}

function feedbackOf(record: JournalRecord): string {
  return 'feedback' in record && record.feedback
    ? `: ${shortened(linesIn(record.feedback)[0] ?? '', LONGEST_CAUSE)}`
    : '';
}

function doneOf({ tasks }: PlanEntry): string {
  const present = tasks.filter((task) => !task.stale);
  return `${present.filter((task) => taskMachine.final.includes(task.state)).length} of ${present.length}`;
}

function labelOf(entry: PlanEntry, id: string | undefined): string {
  const task = entry.tasks.find((one) => one.id === id);
  return task === undefined ? entry.plan : `${task.address} ${shortened(task.name, LONGEST_NAME)}`;
}

const LONGEST_NAME = 30;

function labelWidth(entry: PlanEntry): number {
  return Math.max(...[undefined, ...entry.tasks.map((task) => task.id)].map((id) => labelOf(entry, id).length));
}

function linesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [showName(line.trim())]));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
