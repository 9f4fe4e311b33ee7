// A plan and its tasks as surfaces show them: computed from the world, never stored.
import { acceptedIn } from '../../machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine, WORKING } from '../../machines/plan.ts';
import { type TaskState, taskMachine } from '../../machines/task.ts';
import type { WorkshopState } from '../../machines/workshop.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { OutlinePhase } from '../../plan/outline.ts';
import { JUST_CHANGED, type Problem } from '../../plan/plan.ts';
import type { Author } from '../../signals/author.ts';
import type { TaskAct } from '../model/event.ts';
import type { SessionId } from '../model/ids.ts';
import { type OutsideWait, waitingFor } from '../model/plan-owner.ts';
import type { RefusedSignal } from '../model/refused-signal.ts';
import type { PlanWork } from '../model/run.ts';
import { runAroundFile } from '../model/run-name.ts';
import { isEscalated, isHalted, isLive } from '../model/run-status.ts';
import { isPaused } from '../model/stops.ts';
import { turnsOf } from '../model/tasks.ts';
import { isPlanning } from '../model/workshop/status.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import type { PlanReading } from '../ports/plan-files.ts';
import type { Policy } from '../settings/policy.ts';
import { type IncidentView, viewIncident } from './incident.ts';
import { type RunView, viewRun } from './run.ts';
import { type Owner, planWait, planWaitStatus, taskWaitStatus, type WaitStatus } from './why.ts';
import { viewWorkshop, type WorkshopView } from './workshop/view.ts';

/** A plan as one row of a list. */
export interface PlanRow {
  readonly plan: PlanFile;
  readonly status: PlanState;
  readonly since: string;
  /** A person paused it, or all plans. */
  readonly paused: boolean;
  /** The status plan-state.json claims, where it differs from the journal. */
  readonly difference: { readonly status: PlanState; readonly at: string } | null;
  /** How many of the tasks in its file are done. */
  readonly progress: { readonly done: number; readonly of: number };
  /** Whose turn it is and what it waits for, its tasks taken into account. */
  readonly owner: Owner | null;
  readonly sentence: string;
  /** Where its workshop is, while it is planned in one. */
  readonly planning: { readonly state: WorkshopState; readonly round: number } | null;
  /** When a person archived it. */
  readonly archived: string | null;
}

export interface PlanView extends PlanRow {
  readonly waitingFor: OutsideWait | null;
  readonly next: readonly PlanEvent[];
  readonly description: string;
  readonly branch: string;
  readonly topic: string;
  readonly feedback: string | null;
  /** Who said that; null where a journal of 0.1.0 does not say. */
  readonly feedbackBy: Author | null;
  readonly phases: readonly OutlinePhase[];
  readonly tasks: readonly TaskView[];
  readonly deadline: WaitStatus<PlanEvent>['deadline'];
  readonly waysOut: readonly PlanEvent[];
  /** cadre launches its tasks automatically. */
  readonly going: boolean;
  /** How its landing went; null before. */
  readonly landed: PlanWork['landed'];
  /** Somebody else moved its branch or its base branch. */
  readonly incident: IncidentView | null;
  /** Who works on it as a whole. `planning`: its workshop; null for a plan that was not made in one. */
  readonly actors: { readonly planning: WorkshopView | null };
}

export interface TaskView {
  /** Its address within the plan. */
  readonly task: string;
  readonly name: string;
  /** The number of its phase; null for a stale task and for one that a review asked for. */
  readonly phase: number | null;
  readonly state: TaskState;
  readonly since: string;
  /** The tasks it waits for. */
  readonly blockedBy: readonly string[];
  readonly mayStart: boolean;
  readonly stale: boolean;
  readonly held: boolean;
  /** It is held because its agent failed to start. */
  readonly notStarted: boolean;
  /** The profile of its implementer: the plan names it, or it has the work after several rounds of review. */
  readonly profile: string | null;
  /** Its text has changed since it was launched. */
  readonly changed: boolean;
  readonly owner: Owner | null;
  readonly sentence: string;
  readonly deadline: WaitStatus<TaskAct>['deadline'];
  /** What a person can do to it now. */
  readonly waysOut: readonly TaskAct[];
  /** Its run needs a person to continue. */
  readonly halted: boolean;
  /** Its run is suspended, because its plan is not being built. */
  readonly suspended: boolean;
  /** Approved, and being merged into the plan branch. */
  readonly merging: boolean;
  /** When a person marked it done; nothing was merged. */
  readonly markedDone: string | null;
  readonly run: RunView | null;
}

/** The plan file, and what prevents it from being used. `unwritten`: its workshop has not come that far; `archived`: moved. */
export interface FileView {
  readonly state: 'read' | 'unusable' | 'missing' | 'unwritten' | 'archived';
  readonly problems: readonly Problem[];
}

export function viewPlan(world: World, entry: PlanEntry): PlanView {
  const { owner, sentence, deadline, waysOut } = planWaitStatus(world, entry);
  return {
    plan: entry.plan,
    status: entry.status,
    since: entry.since,
    waitingFor: waitingFor(entry.status),
    next: acceptedIn(planMachine, entry.status),
    description: entry.description,
    branch: entry.branch,
    topic: entry.topic,
    feedback: entry.feedback?.text ?? null,
    feedbackBy: entry.feedback?.by ?? null,
    difference: entry.difference ?? null,
    phases: entry.phases,
    progress: progressOf(entry),
    tasks: viewTasks(world, entry),
    owner,
    sentence,
    deadline,
    waysOut,
    going: entry.work?.going ?? false,
    paused: isPaused(world, entry),
    landed: entry.work?.landed ?? null,
    incident: entry.work?.incident == null ? null : viewIncident(entry.work.incident),
    planning: planningOf(entry),
    archived: entry.archived ?? null,
    actors: { planning: viewWorkshop(world, entry) },
  };
}

export function viewPlanRow(world: World, entry: PlanEntry): PlanRow {
  const { owner, sentence } = planWait(world, entry);
  const { plan, status, since, difference = null, archived = null } = entry;
  const paused = isPaused(world, entry);
  const planning = planningOf(entry);
  return { plan, status, since, paused, difference, progress: progressOf(entry), owner, sentence, planning, archived };
}

function planningOf(entry: PlanEntry): PlanRow['planning'] {
  return isPlanning(entry) ? { state: entry.workshop.state, round: entry.workshop.round } : null;
}

function progressOf(entry: PlanEntry): PlanView['progress'] {
  let [done, of] = [0, 0];
  for (const { stale, state } of entry.tasks) {
    if (stale) continue;
    of += 1;
    if (taskMachine.final.includes(state)) done += 1;
  }
  return { done, of };
}

/** In the order of the file, stale tasks last. A task may start only while its plan is being implemented. */
export function viewTasks(world: World, entry: PlanEntry): readonly TaskView[] {
  const turns = new Map(turnsOf(entry).map((turn) => [turn.address, turn]));
  return entry.tasks.map((task) => {
    const turn = turns.get(task.address);
    const { owner, sentence, deadline, waysOut } = taskWaitStatus(world, entry, task);
    const { halted, suspended, merging } = computed(world, entry, task);
    // Field by field: V8 takes many times as long to build an object out of spread ones.
    return {
      task: task.address,
      name: task.name,
      phase: task.stale ? null : (entry.phases[task.phase]?.number ?? null),
      state: task.state,
      since: task.since,
      blockedBy: task.state === taskMachine.initial ? (turn?.blockedBy ?? []) : [],
      mayStart: entry.status === WORKING && (turn?.mayStart ?? false),
      stale: task.stale,
      held: task.held,
      notStarted: task.held && task.notStarted != null,
      profile: profileNow(task, world.policy),
      changed: task.launched !== undefined && (task.launched.name !== task.name || task.launched.body !== task.body),
      owner,
      sentence,
      deadline,
      waysOut,
      halted,
      suspended,
      merging,
      markedDone: task.markedDone?.at ?? null,
      run: task.run === undefined ? null : viewRun(task.run, world.policy),
    };
  });
}

function profileNow({ profile, run }: TaskEntry, { escalation, budgets }: Policy): string | null {
  const isTaken = run !== undefined && escalation !== undefined && isEscalated(run, budgets.escalateAfter);
  return isTaken ? escalation : (profile ?? null);
}

function computed(
  { policy, sessions }: World,
  { status }: PlanEntry,
  task: TaskEntry,
): Pick<TaskView, 'halted' | 'suspended' | 'merging'> {
  const { run, stale } = task;
  const isSuspended = isLive(run) && status !== WORKING;
  return {
    halted: run !== undefined && !isSuspended && isHalted(run, policy, sessions, task),
    suspended: isSuspended,
    // A stale task is merged only if its merge had already started, or a person asks for it.
    merging: run?.state === 'AWAIT_MERGE' && (run.issued !== null || !stale),
  };
}

export function viewFile(entry: PlanEntry, reading: PlanReading): FileView {
  if (reading.kind === 'missing' && entry.workshop !== undefined && entry.file === undefined)
    return { state: 'unwritten', problems: [] };
  if (entry.archived !== undefined) return { state: 'archived', problems: [] };
  if (reading.kind === 'unusable') return { state: 'unusable', problems: reading.problems };
  return { state: reading.kind === 'missing' ? 'missing' : 'read', problems: [] };
}

/** Nothing is wrong with the file, but it lost tasks a moment ago and may be half saved. */
export function isSettling(problems: readonly Problem[]): boolean {
  return problems.some(({ code }) => code === JUST_CHANGED);
}

/** Why the plan file cannot be built from, if it cannot. */
export function fileProblem(plan: PlanFile, reading: PlanReading): string | undefined {
  if (reading.kind === 'missing') return `docs/plans/${plan} does not exist. Restore it, then try again.`;
  if (reading.kind === 'read' || reading.kind === 'known') return undefined;
  const [first] = reading.problems.filter((problem) => problem.severity === 'error');
  const place = first === undefined || WHOLE_FILE.has(first.code) ? '' : `line ${first.line}: `;
  return `${place}${first?.message ?? ''}`;
}

/** Problems without a line. */
const WHOLE_FILE: ReadonlySet<string> = new Set(['unreadable', 'tasks-gone', JUST_CHANGED, 'not-markdown']);

/** The plan to work on: the chosen one, else the one whose file changed last. */
export function activePlan(world: World, newestFirst: readonly PlanFile[]): PlanFile | undefined {
  return world.chosen ?? newestFirst[0];
}

export function viewPlans(world: World): readonly PlanView[] {
  return [...world.plans.values()].map((entry) => viewPlan(world, entry));
}

/** The id of the task whose agent sent a refused signal: its session's, or that of the worktree where the file was. */
export function taskBehind(world: Pick<World, 'sessions'>, { session, file }: RefusedSignal): string | undefined {
  if (session !== undefined) return world.sessions.get(session as SessionId)?.task;
  return runAroundFile(file.path)?.task;
}
