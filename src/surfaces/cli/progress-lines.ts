// The building of a plan as lines for a person: what is set going, who is at work on which task, and what came of it.
import type { LockHolder } from '../../core/ports.ts';
import type { JournalRecord } from '../../core/record.ts';
import { openTasks } from '../../core/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../core/world.ts';
import type { CoderEvent } from '../../machines/coder.ts';
import { taskMachine } from '../../machines/task.ts';
import { type PlanFile, showName } from '../../plan/name.ts';
import { order } from '../../plan/order.ts';
import type { Ground } from './app.ts';
import { shortTime } from './record-line.ts';
import { shortened } from './table.ts';

export function headLines(world: World, plan: PlanFile, engine: LockHolder): readonly string[] {
  const entry = world.plans.get(plan);
  const open = entry === undefined ? [] : openTasks(entry);
  return [
    `${plan}: ${open.length} of ${entry?.tasks.length ?? 0} tasks to do, up to ${world.policy.maxParallel} at once.`,
    `The engine runs in the background (pid ${engine.pid}). Ctrl-C stops looking; it goes on.`,
    '',
  ];
}

/** Nothing for what a person need not see. */
export function progressLine(world: World, plan: PlanFile, record: JournalRecord): string | undefined {
  const entry = world.plans.get(plan);
  if (entry === undefined) return undefined;
  const what = happened(entry, record);
  return what === undefined ? undefined : `${shortTime(record.at).slice(11)}  ${what}`;
}

function happened(entry: PlanEntry, record: JournalRecord): string | undefined {
  if (record.event === 'session_begun') {
    const { plan, task, role, program, id } = record.begun;
    if (plan !== entry.plan) return undefined;
    return `${labelOf(entry, task)}  ${role} at work (${showName(program)}, ${id})`;
  }
  if (record.event === 'session_news' && record.news.kind === 'failed')
    return `${record.about}  could not be started: ${record.news.why}`;
  if (record.event === 'signal_refused' && record.refused.plan === entry.plan)
    return `refused "${showName(record.refused.name)}": ${record.refused.why}`;
  const run = record.moves.find((move) => move.machine === 'coder' && move.plan === entry.plan);
  if (run !== undefined && run.machine === 'coder') {
    // That a task's plan is approved by itself is nothing to see.
    const said = run.from === 'PLAN_REVIEW' && run.event === 'approve' ? undefined : SAID[run.event];
    return said === undefined ? undefined : `${labelOf(entry, run.task)}  ${said}${causeOf(entry, record)}`;
  }
  const task = record.moves.find((move) => move.machine === 'task' && move.plan === entry.plan);
  if (task !== undefined && task.machine === 'task')
    return `${labelOf(entry, task.task)}  ${TASK_SAID[task.event] ?? `${task.from} -> ${task.to}`}`;
  const move = record.moves.find((one) => one.machine === 'plan' && one.plan === entry.plan);
  if (move !== undefined && move.from !== null) return `${entry.plan}  ${move.from} -> ${move.to}${feedbackOf(record)}`;
  return undefined;
}

/** What each step of a run means to whoever watches; steps that follow at once are left out. */
const SAID: { readonly [event in CoderEvent]?: string } = {
  receive_task: 'is begun',
  setup_failed: 'its worktree could not be made',
  ask: 'asks',
  auto_checkin: 'has used up its turns, and asks how to go on',
  changes: 'goes back, changes are asked for',
  code_complete: 'is built; the engine verifies it',
  fix_done: 'is fixed; the engine verifies it',
  tests_pass: 'has passed the verification; it is reviewed',
  tests_fail: 'has not passed the verification; it is fixed',
  approve: 'is approved; it is merged',
  merged: 'is done',
  merge_conflict: 'could not be merged; it is fixed',
  escalate: 'is reviewed, although it has not passed the verification',
  abandon: 'was given up',
  unrecoverable: 'cannot go on',
  answer_design: 'has its answer',
  resume_coding: 'has its answer, and goes on',
  resume_fixing: 'has its answer, and goes on',
};

const TASK_SAID: Readonly<Record<string, string>> = {
  review_pass: 'does what the task asks for; its quality is reviewed',
  revert: 'was taken back',
  mark_done: 'was marked done',
  launch: 'is begun',
};

function causeOf(entry: PlanEntry, record: JournalRecord): string {
  if ('cause' in record && record.cause) return `: ${shortened(firstLine(record.cause), 100)}`;
  const merged = record.moves.some((move) => move.machine === 'coder' && move.event === 'merged');
  return merged ? `  (${doneOf(entry)})` : '';
}

function feedbackOf(record: JournalRecord): string {
  return 'feedback' in record && record.feedback ? `: ${shortened(firstLine(record.feedback), 100)}` : '';
}

function doneOf({ tasks }: PlanEntry): string {
  const present = tasks.filter((task) => !task.stale);
  return `${present.filter((task) => taskMachine.final.includes(task.state)).length} of ${present.length}`;
}

function labelOf(entry: PlanEntry, id: string | undefined): string {
  const task = entry.tasks.find((one) => one.id === id);
  return task === undefined ? entry.plan : `${task.address} ${shortened(task.name, 30)}`.padEnd(LABEL);
}

const LABEL = 24;

function firstLine(text: string): string {
  return showName(text.split('\n').find((line) => line.trim() !== '') ?? '');
}

export interface Order {
  /** Which tasks could be at work at the same time, one group after the other. */
  readonly waves: readonly (readonly string[])[];
  readonly text: readonly string[];
}

export function orderLines(world: World, plan: PlanFile, ground: Ground): Order {
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
      `Verified with: ${ground.verify ?? ground.problem?.why ?? 'nothing'}`,
      ...Object.entries(ground.programs).map(([role, program]) => `  ${role.padEnd(18)} ${program}`),
      ...ground.warnings,
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
