// The building of a plan, as lines for a person: which agent works on which task, and how it went.

import type { JournalRecord, TaskMove } from '../../../core/model/record.ts';
import type { FixCause } from '../../../core/model/run.ts';
import { incidentWords, isPaused } from '../../../core/model/stops.ts';
import { openTasks } from '../../../core/model/tasks.ts';
import type { PlanEntry, World } from '../../../core/model/world.ts';
import type { LockHolder } from '../../../core/ports/locks.ts';
import { taskBehind } from '../../../core/views/plan.ts';
import { NOT_YET } from '../../../core/views/why.ts';
import type { PlanState } from '../../../machines/plan.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { taskMachine } from '../../../machines/task.ts';
import { lastSegment, type PlanFile } from '../../../plan/name.ts';
import { authorIn, authorWords } from '../../../signals/author.ts';
import { shortened } from '../../../text/shorten.ts';
import { showName, showText } from '../../../text/show.ts';
import { gapWords } from './gap-words.ts';
import { incidentEnd, proposedWords, shortTime } from './record-line.ts';

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

/** What the record says about the plan; undefined where it is of no interest to a person. */
export function happened(world: World, entry: PlanEntry, record: JournalRecord): Happened | undefined {
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
  if (record.event === 'policy_set' && record.proposed)
    return {
      about: undefined,
      text: `the settings changed: ${proposedWords(record)}. "cadre config accept" applies that`,
    };
  if (record.event === 'incident' && record.plan === entry.plan)
    return { about: undefined, text: `incident: ${incidentWords(record.incident)}` };
  if (record.event === 'incident_ended' && record.plan === entry.plan && record.moves.length === 0)
    return { about: undefined, text: `incident over: ${incidentEnd(record)}` };
  const worktree = WORKTREES.get(record.event);
  if (worktree !== undefined && 'task' in record && record.plan === entry.plan)
    return { about: record.task, text: 'cause' in record ? `${worktree}: ${showText(record.cause ?? '')}` : worktree };
  if (record.event === 'session_interrupted' && isPaused(world, entry)) {
    const session = world.sessions.get(record.about);
    if (session?.plan !== entry.plan) return undefined;
    return { about: session.task, text: `${session.role} stopped (session ${session.id})` };
  }
  if (waitsForNext(record) && record.moves.every(({ machine }) => machine !== 'coder') && 'task' in record)
    return record.plan === entry.plan ? waitingStep(record) : undefined;
  const pause = PAUSES.get(record.event);
  if (pause !== undefined && (!('plan' in record) || record.plan === entry.plan))
    return { about: undefined, text: pause };
  if (record.event === 'warned' && record.plan === entry.plan)
    return { about: record.taskId, text: `warning: ${showText(record.text)}` };
  if (record.event === 'clock_gap') return { about: undefined, text: gapWords(record) };
  if (record.event === 'held_up' && record.plan === entry.plan) return heldUpLine(entry, record.task);
  if (record.event === 'signal_refused' && record.refused.plan === entry.plan)
    return {
      about: taskBehind(world, record.refused),
      text: `refused "${record.refused.name}": ${record.refused.why}`,
    };
  return movedRun(entry, record) ?? movedTask(entry, record) ?? movedPlan(entry, record);
}

const WORKTREES: ReadonlyMap<string, string> = new Map([
  ['worktree_changed', 'incident'],
  ['worktree_restored', 'incident over: its worktree was restored'],
  ['worktree_change_undone', 'incident over: the link of its worktree is as before'],
  ['worktree_not_restored', 'its worktree could not be restored'],
]);

const PAUSES: ReadonlyMap<string, string> = new Map([
  ['paused', 'paused'],
  ['plan_paused', 'paused'],
  ['resumed', 'resumed'],
  ['plan_resumed', 'resumed'],
]);

function waitingStep(record: Extract<JournalRecord, { task: string }>): Happened | undefined {
  const text = WAITING_STEPS.get(record.event);
  return text === undefined ? undefined : { about: record.task, text };
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
  const step = run.from === 'PLAN_REVIEW' && run.event === 'approve' ? null : stepWords(run.event, record);
  return step === null ? undefined : { about: run.task, text: `${step}${causeOf(entry, record)}` };
}

/** What somebody asks for or decides names that somebody; everything else is the engine's. */
function stepWords(event: RunEvent, record: JournalRecord): string | null {
  const author = authorIn(record);
  const waiting = waitsForNext(record) ? WAITING_STEPS.get(event) : undefined;
  if (waiting !== undefined) return verifiedStep(event, record) ?? waiting;
  if (author === 'person' && SENDING_BACK.includes(event)) return `sent back by ${authorWords(author)}`;
  if (author === 'engine') return verifiedStep(event, record) ?? RUN_STEPS[event];
  if (event === 'changes') return `changes requested by ${authorWords(author)}`;
  return event === 'abandon' ? `abandoned by ${authorWords(author)}` : RUN_STEPS[event];
}

/** The steps after which a person starts what comes next, because `auto_verify` is off. */
const WAITING_STEPS: ReadonlyMap<string, string> = new Map([
  ['tests_pass', 'tests passed; waiting for you'],
  ['stage_passed', 'spec review passed; waiting for you'],
  ['approve', 'approved; waiting for you'],
  ['escalate', 'review requested without passing tests; waiting for you'],
  ['next_awaited', 'agent finished; waiting for you'],
]);

function waitsForNext({ changes = [] }: JournalRecord): boolean {
  return changes.some((one) => one.of === 'run' && one.change?.waitsNext === true);
}

/** A commit that nothing was run on has passed no tests. */
function verifiedStep(event: RunEvent, record: JournalRecord): string | undefined {
  const verified = 'verified' in record ? record.verified : undefined;
  if (event !== 'tests_pass' || verified === undefined) return undefined;
  const then = waitsForNext(record) ? 'waiting for you' : 'spec review started';
  if (verified.command === null) return `no verify command, so nothing was tested; ${then}`;
  if (verified.rewrites.length === 0) return undefined;
  return `tests passed, but it changes what they run (${verified.rewrites.map(showName).join(', ')}); ${then}`;
}

const SENDING_BACK: readonly RunEvent[] = ['changes', 'tests_fail', 'merge_conflict'];

function movedTask(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  if (record.moves.some((move) => move.machine === 'coder')) return undefined;
  const task = record.moves.find((move) => move.machine === 'task' && move.plan === entry.plan);
  if (task === undefined || task.machine !== 'task') return undefined;
  if (isNotStarted(record)) return { about: task.task, text: 'the agent failed to start; launch it again' };
  return { about: task.task, text: TASK_STEPS[task.event] ?? `${task.from} -> ${task.to}` };
}

function isNotStarted({ changes = [] }: JournalRecord): boolean {
  return changes.some((one) => one.of === 'task' && one.change.notStarted !== undefined);
}

function movedPlan(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  const move = record.moves.find((one) => one.machine === 'plan' && one.plan === entry.plan);
  if (move === undefined || move.machine !== 'plan' || move.from === null) return undefined;
  return { about: undefined, text: requestIn(record) ?? PLAN_STEPS[move.to] ?? `${move.from} -> ${move.to}` };
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
  changes: 'sent back',
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
  ready: 'ready to be built',
  planning: 'being planned',
  implementing: 'building',
  reviewing: 'all tasks done; reviewing the whole plan',
  done: 'approved and done',
  cancelled: 'cancelled',
};

const TASK_STEPS: { readonly [event in TaskMove['event']]: string | null } = {
  launch: 'launched',
  verify_start: null,
  verify_pass: null,
  verify_fail: null,
  escalate: null,
  review_pass: 'spec review passed; quality review started',
  review_fail: null,
  revert: 'reverted',
  mark_done: 'marked done',
  replan: 'planned again: its work is no longer on the plan branch',
};

/** How the cause of a fix is shown. */
const FIX_CAUSES: { readonly [reason in FixCause]: (lines: readonly string[]) => string } = {
  test_failure: firstOf,
  code_review_changes: (lines) => lines.join(' '),
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

function requestIn(record: JournalRecord): string | undefined {
  if (record.event !== 'review_changes_requested' || !record.feedback) return undefined;
  const author = record.feedbackBy ?? authorIn(record);
  return `changes requested by ${authorWords(author)}: ${shortened(linesIn(record.feedback)[0] ?? '', LONGEST_CAUSE)}`;
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
  return text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [showText(shortened(line.trim(), LONGEST_LINE))]));
}

const LONGEST_LINE = 160;

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
