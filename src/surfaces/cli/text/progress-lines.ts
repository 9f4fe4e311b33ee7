// The building of a plan as lines for a person: what is set going, who is at work on which task, and what came of it.

import type { JournalRecord } from '../../../core/model/record.ts';
import type { FixCause } from '../../../core/model/run.ts';
import { openTasks } from '../../../core/model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../../core/model/world.ts';
import type { LockHolder } from '../../../core/ports/locks.ts';
import { taskBehind } from '../../../core/views/plan.ts';
import { NOT_YET } from '../../../core/views/why.ts';
import type { PlanState } from '../../../machines/plan.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { taskMachine } from '../../../machines/task.ts';
import { lastSegment, type PlanFile } from '../../../plan/name.ts';
import { order } from '../../../plan/order.ts';
import { showName, showText } from '../../../text/show.ts';
import type { Preflight } from '../app.ts';
import { shortened } from './columns.ts';
import { shortTime } from './record-line.ts';

export function headLines(world: World, plan: PlanFile, engine: LockHolder): readonly string[] {
  const entry = world.plans.get(plan);
  const open = entry === undefined ? [] : openTasks(entry);
  return [
    `${plan}: ${open.length} of ${entry?.tasks.length ?? 0} tasks to do, up to ${world.policy.maxParallel} at once.`,
    `The engine runs in the background (pid ${engine.pid}). Ctrl-C stops looking; it goes on.`,
    '',
  ];
}

/** The lines that a record is told with; none for what a person need not see. */
export type Teller = (world: World, record: JournalRecord) => readonly string[];

/** `before`: the world in which the telling begins. What had begun by then is not announced again. */
export function progressTeller(before: World, plan: PlanFile): Teller {
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
  return ['', `Phase ${number}${named}${parallel ? ' (side by side)' : ''}`];
}

interface Happened {
  /** The task's id; nothing where it is about the plan. */
  readonly about: string | undefined;
  readonly text: string;
}

function happened(world: World, entry: PlanEntry, record: JournalRecord): Happened | undefined {
  if (record.event === 'session_begun') {
    const { plan, task, role, program, id } = record.begun;
    if (plan !== entry.plan) return undefined;
    return { about: task, text: `${role} at work (${showName(lastSegment(program))}, session ${id})` };
  }
  if (record.event === 'session_news' && record.news.kind === 'failed') {
    const session = world.sessions.get(record.about);
    if (session?.plan !== entry.plan) return undefined;
    return { about: session.task, text: `${session.role} could not be started: ${record.news.why}` };
  }
  if (record.event === 'held_up' && record.plan === entry.plan) return heldUp(entry, record.task);
  if (record.event === 'signal_refused' && record.refused.plan === entry.plan)
    return {
      about: taskBehind(world, record.refused),
      text: `was refused "${record.refused.name}": ${record.refused.why}`,
    };
  return movedRun(entry, record) ?? movedTask(entry, record) ?? movedPlan(entry, record);
}

/** Not shortened: what a person can do about it stands at its end. */
function heldUp({ tasks }: PlanEntry, id: string): Happened | undefined {
  const issued = tasks.find((task) => task.id === id)?.run?.issued;
  if (!issued?.heldUp) return undefined;
  return { about: id, text: `${NOT_YET[issued.do]}. ${showText(issued.heldUp.why.split(/\s*\n\s*/).join(' '))}` };
}

function movedRun(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  const run = record.moves.find((move) => move.machine === 'coder' && move.plan === entry.plan);
  if (run === undefined || run.machine !== 'coder') return undefined;
  // That a task's plan is approved by itself is nothing to see.
  const said = run.from === 'PLAN_REVIEW' && run.event === 'approve' ? undefined : SAID[run.event];
  return said === undefined ? undefined : { about: run.task, text: `${said}${causeOf(entry, record)}` };
}

function movedTask(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  if (record.moves.some((move) => move.machine === 'coder')) return undefined;
  const task = record.moves.find((move) => move.machine === 'task' && move.plan === entry.plan);
  if (task === undefined || task.machine !== 'task') return undefined;
  return { about: task.task, text: TASK_SAID[task.event] ?? `${task.from} -> ${task.to}` };
}

function movedPlan(entry: PlanEntry, record: JournalRecord): Happened | undefined {
  const move = record.moves.find((one) => one.machine === 'plan' && one.plan === entry.plan);
  if (move === undefined || move.machine !== 'plan' || move.from === null) return undefined;
  return { about: undefined, text: `${PLAN_SAID[move.to] ?? `${move.from} -> ${move.to}`}${feedbackOf(record)}` };
}

/** What each step of a run means to whoever watches; steps that follow at once are left out. */
const SAID: { readonly [event in RunEvent]?: string } = {
  receive_task: 'is begun, in a worktree of its own',
  setup_failed: 'its worktree could not be made',
  ask: 'asks',
  auto_checkin: 'has used up its turns, and asks how to go on',
  changes: 'has to be fixed',
  code_complete: 'is said to be built; the engine verifies it',
  fix_done: 'is said to be fixed; the engine verifies it',
  tests_pass: 'has passed the verification; it is reviewed',
  tests_fail: 'has to be fixed',
  approve: 'is approved; the engine merges it',
  merged: 'is merged and done',
  merge_conflict: 'has to be fixed',
  escalate: 'is reviewed, although it has not passed the verification',
  abandon: 'was given up',
  unrecoverable: 'cannot go on',
  answer_design: 'has its answer',
  resume_coding: 'has its answer, and goes on',
  resume_fixing: 'has its answer, and goes on',
};

const PLAN_SAID: { readonly [state in PlanState]?: string } = {
  implementing: 'is being built',
  reviewing: 'is built; all of it is reviewed together',
  done: 'is approved and done',
};

const TASK_SAID: Readonly<Record<string, string>> = {
  review_pass: 'does what the task asks for; its quality is reviewed',
  revert: 'was taken back',
  mark_done: 'was marked done',
  launch: 'is begun',
};

/** How the cause of a fix is told; elsewhere its first line tells enough. */
const WHY_FIXED: { readonly [reason in FixCause]?: (lines: readonly string[]) => string } = {
  code_review_changes: (lines) => `The reviewer says: ${lines.join(' ')}`,
  merge_conflict: (files) => `It conflicts with what was merged before, in ${files.join(', ')}`,
};

function causeOf(entry: PlanEntry, record: JournalRecord): string {
  const lines = 'cause' in record ? linesIn(record.cause ?? '') : [];
  const tell = WHY_FIXED[reasonIn(record) ?? 'test_failure'];
  if (lines.length > 0) return `. ${shortened(tell?.(lines) ?? lines[0] ?? '', LONGEST_CAUSE)}`;
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

export interface Order {
  /** Which tasks could be at work at the same time, one group after the other. */
  readonly waves: readonly (readonly string[])[];
  readonly text: readonly string[];
}

export function orderLines(world: World, plan: PlanFile, ground: Preflight): Order {
  const entry = world.plans.get(plan);
  const waves = entry === undefined ? [] : wavesOf(entry);
  const names = new Map((entry?.tasks ?? []).map((task) => [task.address, task]));
  const shown = (address: string): string => `${address} ${shortened(names.get(address)?.name ?? '', 40)}`;
  return {
    waves,
    text: [
      `${plan} would be built in this order, up to ${ground.maxParallel} tasks at once:`,
      ...waves.map((wave, index) => `  ${index + 1}.  ${wave.map(shown).join('   ')}`),
      '',
      ...(ground.verify === null && ground.problem !== undefined
        ? []
        : [`Verified with: ${ground.verify ?? 'nothing'}`]),
      ...Object.entries(ground.programs).map(([role, program]) => `  ${role.padEnd(18)} ${program}`),
      ...ground.warnings,
      ...(ground.problem === undefined ? [] : ['', `It cannot be built yet: ${ground.problem.why}`]),
    ],
  };
}

/** As if each group were done before the next begins. */
function wavesOf(entry: PlanEntry): readonly (readonly string[])[] {
  const phases = entry.phases.map(({ parallel }) => ({ parallel, tasks: [] as TaskEntry[] }));
  const present = entry.tasks.filter((task) => !task.stale);
  for (const task of present) phases[task.phase]?.tasks.push(task);
  const states = new Map(present.map((task) => [task.address, task.state]));
  const waves: string[][] = [];
  for (;;) {
    const wave = order({ phases }, states)
      .filter((turn) => turn.mayStart)
      .map((turn) => turn.address);
    if (wave.length === 0) return waves;
    waves.push(wave);
    for (const address of wave) states.set(address, 'done');
  }
}
