// How a plan or a task got where it is, whose turn it is, and what a person can do.
import type { TaskAct } from '../../core/model/event.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { Suggestion } from '../../core/model/suggestion.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { planActions, taskActions } from '../../core/views/actions.ts';
import { type Concerns, concernsPlan, concernsTask } from '../../core/views/history.ts';
import { fileProblem, type PlanView, type TaskView, taskBehind, viewPlan, viewTasks } from '../../core/views/plan.ts';
import type { Quarantined } from '../../core/views/refused-signal.ts';
import { hasNotLanded, planWaitStatus, taskWaitStatus } from '../../core/views/why.ts';
import { acceptedIn } from '../../machines/machine.ts';
import { type PlanEvent, planMachine } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import { type PlanTarget, subjectNamed, type TaskTarget } from '../targets.ts';
import { known } from './world.ts';

export type Why = WhyPlan | WhyTask;

export interface WhyPlan {
  readonly of: 'plan';
  readonly view: PlanView;
  /** Why the plan file cannot be built from, if it cannot. */
  readonly fileProblem: string | undefined;
  readonly hasLanded: boolean;
  readonly waysOut: readonly PlanEvent[];
  readonly actions: readonly Suggestion[];
  readonly history: readonly JournalRecord[];
  readonly refused: readonly Quarantined[];
  readonly engine: LockHolder | null;
  readonly waitingSignals: number;
}

export interface WhyTask {
  readonly of: 'task';
  readonly plan: PlanFile;
  readonly view: TaskView;
  readonly waysOut: readonly TaskAct[];
  readonly actions: readonly Suggestion[];
  readonly history: readonly JournalRecord[];
  readonly refused: readonly Quarantined[];
}

export async function readWhy(ports: AppPorts, reference: string | undefined): Promise<Why> {
  const { world, entry, task } = subjectNamed(await known(ports, reference), reference);
  return task === undefined ? whyPlan(ports, { world, entry }) : whyTask(ports, { world, entry, task });
}

async function whyPlan(ports: AppPorts, { world, entry }: PlanTarget): Promise<WhyPlan> {
  const { waysOut: offered, suggestions } = planWaitStatus(world, entry);
  const waysOut = acceptedIn(planMachine, entry.status).filter(
    (event) => event === 'cancel' || offered.includes(event),
  );
  return {
    of: 'plan',
    view: viewPlan(world, entry),
    fileProblem: fileProblem(entry.plan, ports.planFiles.read(entry.plan)),
    hasLanded: entry.work?.landed != null && !hasNotLanded(entry),
    waysOut,
    actions: [...suggestions, ...planActions(entry, waysOut)],
    history: await lastRecords(ports, entry.plan, concernsPlan(entry.plan)),
    refused: [...world.refused.values()].filter((one) => one.plan === entry.plan),
    engine: ports.engine.holder() ?? null,
    waitingSignals: ports.signals.waiting(),
  };
}

async function whyTask(ports: AppPorts, { world, entry, task }: TaskTarget): Promise<WhyTask> {
  const view = viewTasks(world, entry).find((one) => one.task === task.address);
  if (view === undefined) throw new Error(`${entry.plan}#${task.address} cannot be viewed.`);
  const { waysOut, suggestions } = taskWaitStatus(world, entry, task);
  return {
    of: 'task',
    plan: entry.plan,
    view,
    waysOut,
    actions: [...suggestions, ...taskActions(entry, task, waysOut)],
    history: await lastRecords(ports, entry.plan, concernsTask(entry.plan, task.id)),
    refused: [...world.refused.values()].filter((one) => one.plan === entry.plan && taskBehind(world, one) === task.id),
  };
}

const HISTORY = 8;

function lastRecords({ journal }: AppPorts, plan: PlanFile, isWanted: Concerns): Promise<readonly JournalRecord[]> {
  return journal.lastRecords({ plan, isWanted, count: HISTORY });
}
