// What surfaces show: derived from the world, never stored.
import { acceptedIn } from '../machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine, WORKING } from '../machines/plan.ts';
import { type TaskEvent, type TaskState, taskMachine } from '../machines/task.ts';
import type { PlanFile } from '../plan/name.ts';
import type { OutlinePhase } from '../plan/outline.ts';
import type { Problem } from '../plan/plan.ts';
import type { PlanReading } from './ports.ts';
import { listed, turnsOf } from './tasks.ts';
import type { PlanEntry, TaskEntry, World } from './world.ts';

export interface Waiting {
  /** Whose turn it is. */
  readonly who: 'user' | 'planner' | 'implementer' | 'reviewer';
  /** The events that would end the wait, other than cancelling. */
  readonly for: readonly PlanEvent[];
  readonly sentence: string;
}

export interface PlanView {
  readonly plan: PlanFile;
  readonly status: PlanState;
  readonly since: string;
  readonly waitingFor: Waiting | null;
  readonly next: readonly PlanEvent[];
  readonly description: string;
  readonly branch: string;
  readonly topic: string;
  readonly feedback: string | null;
  /** What plan-state.json said against the journal. */
  readonly difference: { readonly status: PlanState; readonly at: string } | null;
  readonly phases: readonly OutlinePhase[];
  readonly tasks: readonly TaskView[];
}

export interface TaskView {
  /** Its address within the plan. */
  readonly task: string;
  readonly name: string;
  /** The number of its phase; null when the plan does not have it any more. */
  readonly phase: number | null;
  readonly state: TaskState;
  readonly since: string;
  /** The tasks it waits for. */
  readonly blockedBy: readonly string[];
  readonly mayStart: boolean;
  readonly stale: boolean;
  readonly held: boolean;
  /** Its text is not the one with which it was launched. */
  readonly changed: boolean;
}

/** How it is with a plan's file, and what keeps it from being used. What else could be said of it `plan lint` says. */
export interface FileView {
  readonly state: 'read' | 'unusable' | 'missing';
  readonly problems: readonly Problem[];
}

interface Turn {
  readonly who: Waiting['who'];
  readonly sentence: string;
}

const TURNS: { readonly [state in PlanState]: Turn | null } = {
  ready: { who: 'user', sentence: 'a person starts planning or implementing it' },
  planning: { who: 'planner', sentence: 'the planner says that the plan is written' },
  implementing: { who: 'implementer', sentence: 'the implementer says that the work is finished' },
  reviewing: { who: 'reviewer', sentence: 'the reviewer approves the work or asks for changes' },
  done: null,
  cancelled: null,
};

export function viewPlan(entry: PlanEntry): PlanView {
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
    difference: entry.difference ?? null,
    phases: entry.phases,
    tasks: viewTasks(entry),
  };
}

/** In the order of the file, the stale ones last. Only in a plan that is being implemented may a task start. */
export function viewTasks(entry: PlanEntry): readonly TaskView[] {
  const turns = new Map(turnsOf(entry).map((turn) => [turn.address, turn]));
  return entry.tasks.map((task) => {
    const turn = turns.get(task.address);
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
      changed: task.launched !== undefined && (task.launched.name !== task.name || task.launched.body !== task.body),
    };
  });
}

export function viewFile(reading: PlanReading): FileView {
  if (reading.kind === 'unusable') return { state: 'unusable', problems: reading.problems };
  return { state: reading.kind === 'missing' ? 'missing' : 'read', problems: [] };
}

/** The sentence for a file that cannot be built from. */
export function fileProblem(plan: PlanFile, reading: PlanReading): string | undefined {
  if (reading.kind === 'missing') return `docs/plans/${plan} does not exist. Restore it, then try again.`;
  if (reading.kind === 'read' || reading.kind === 'known') return undefined;
  const [first] = reading.problems.filter((problem) => problem.severity === 'error');
  const place = first === undefined || first.code === 'unreadable' ? '' : `line ${first.line}: `;
  return `${place}${first?.message ?? ''} "cadre plan lint ${plan}" lists all.`;
}

/** The plan to work on: the one that was chosen, else the one whose file was changed last. */
export function activePlan(world: World, newestFirst: readonly PlanFile[]): PlanFile | undefined {
  return world.chosen ?? newestFirst[0];
}

export interface TaskTurn {
  /** Whose turn it is. */
  readonly owner: 'user' | 'engine' | null;
  readonly sentence: string;
  readonly next: readonly TaskEvent[];
}

/** What a task waits for, and by which events it could go on. */
export function taskTurn(plan: PlanEntry, task: TaskEntry): TaskTurn {
  const view = viewTasks(plan).find((one) => one.task === task.address);
  const blockedBy = view?.blockedBy ?? [];
  const next = acceptedIn(taskMachine, task.state).filter((event) => event !== 'launch' || view?.mayStart);
  return { ...whoseTurn(plan, task, blockedBy), next };
}

function whoseTurn(plan: PlanEntry, task: TaskEntry, blockedBy: readonly string[]): Omit<TaskTurn, 'next'> {
  if (taskMachine.final.includes(task.state)) return { owner: null, sentence: 'Nobody owes it anything.' };
  if (task.stale)
    return {
      owner: 'user',
      sentence: "It is not in the plan's file any more, so it is not launched; what it has is kept.",
    };
  if (task.state !== taskMachine.initial) return { owner: 'engine', sentence: 'Its run has the next step.' };
  if (blockedBy.length > 0)
    return { owner: 'engine', sentence: `It is blocked: task ${listed(blockedBy)} must be done before it.` };
  if (task.held) return { owner: 'user', sentence: 'It was taken back by a person, who launches it again.' };
  if (plan.status !== WORKING)
    return { owner: 'user', sentence: `It waits until its plan is ${WORKING}; the plan is ${plan.status}.` };
  return { owner: 'engine', sentence: 'Nothing stands before it: it may be launched.' };
}

export function viewPlans(world: World): readonly PlanView[] {
  return [...world.plans.values()].map(viewPlan);
}

export function waitingFor(status: PlanState): Waiting | null {
  const turn = TURNS[status];
  if (turn === null) return null;
  return { ...turn, for: acceptedIn(planMachine, status).filter((event) => event !== 'cancel') };
}

/** The sentence that brings a plan before a person, where the next step is theirs or none is left. */
export function needsPerson(plan: PlanFile, status: PlanState): string | undefined {
  if (planMachine.final.includes(status)) return `${plan} is ${status}.`;
  return TURNS[status]?.who === 'user' ? `${plan} is ${status}: it waits until ${TURNS[status].sentence}.` : undefined;
}
