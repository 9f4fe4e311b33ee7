// How a plan or a task got where it is, whose turn it is, and what a person can do.
import type { TaskAct } from '../../core/model/event.ts';
import { hasNotLanded } from '../../core/model/plan-owner.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import { isBuilt } from '../../core/model/tasks.ts';
import type { PlanEntry, World } from '../../core/model/world.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { usableReading } from '../../core/rules/plan/outline.ts';
import { planActions, taskActions } from '../../core/views/actions.ts';
import { type Asking, askingSentence } from '../../core/views/asking.ts';
import { type Concerns, concernsPlan, concernsTask } from '../../core/views/history.ts';
import { type Need, needsIn } from '../../core/views/needs.ts';
import {
  fileProblem,
  type PlanView,
  type TaskView,
  taskBehind,
  viewFile,
  viewPlan,
  viewTasks,
} from '../../core/views/plan.ts';
import { proposedSentence } from '../../core/views/proposed.ts';
import { type TaskNames, taskNames } from '../../core/views/record.ts';
import type { Quarantined } from '../../core/views/refused-signal.ts';
import { planWaitStatus, taskWaitStatus } from '../../core/views/why.ts';
import { acceptedIn } from '../../machines/machine.ts';
import { type PlanEvent, planMachine } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import { asksSeen } from '../sessions.ts';
import { type PlanTarget, subjectNamed, type TaskTarget } from '../targets.ts';
import { type OutputKind, treeOf } from './output.ts';
import { known } from './world.ts';

export type Why = WhyPlan | WhyTask;

export interface WhyPlan {
  readonly of: 'plan';
  /** What changed in the settings and waits for a person's word. */
  readonly settings: string | null;
  readonly view: PlanView;
  /** Why the plan file cannot be built from, if it cannot. */
  readonly fileProblem: string | undefined;
  readonly hasLanded: boolean;
  /** What its agents ask on their screens. */
  readonly asks: readonly Asking[];
  readonly waysOut: readonly PlanEvent[];
  readonly actions: readonly Suggestion[];
  /** The tasks that wait for a person, with what can be done about each. */
  readonly needsYou: readonly Need[];
  readonly history: readonly JournalRecord[];
  readonly names: TaskNames;
  readonly refused: readonly Quarantined[];
  readonly engine: LockHolder | null;
  /** Where a background engine logs. */
  readonly engineLog: string;
  readonly waitingSignals: number;
}

export interface WhyTask {
  readonly of: 'task';
  readonly plan: PlanFile;
  readonly view: TaskView;
  /** Where its worktree is, and the output of its last verification and of its setup command. */
  readonly paths: { readonly worktree: string | null; readonly output: string | null; readonly setup: string | null };
  /** Whether its last agent was started behind a wall, as a sentence; null where none was wanted. */
  readonly wall: string | null;
  /** What its agent asks on its screen. */
  readonly asks: readonly Asking[];
  readonly waysOut: readonly TaskAct[];
  readonly actions: readonly Suggestion[];
  readonly history: readonly JournalRecord[];
  readonly names: TaskNames;
  readonly refused: readonly Quarantined[];
}

export async function readWhy(ports: AppPorts, reference: string | undefined): Promise<Why> {
  const { world, entry, task } = subjectNamed(await known(ports, reference), reference);
  return task === undefined ? whyPlan(ports, { world, entry }) : whyTask(ports, { world, entry, task });
}

async function whyPlan(ports: AppPorts, { world, entry }: PlanTarget): Promise<WhyPlan> {
  const { waysOut: offered, suggestions } = planWaitStatus(world, entry);
  const waysOut = acceptedIn(planMachine, entry.status).filter(
    (event) => (event === 'cancel' && entry.archived === undefined) || offered.includes(event),
  );
  const asks = await asksSeen(ports, entry.plan);
  // Of the agents of its tasks each task says it; the plan itself waits for its reviewer only.
  const own = asks.filter(({ task }) => task === null);
  return {
    of: 'plan',
    view: waitingFor(viewPlan(world, entry), own),
    asks,
    settings: isBuilt(entry) ? (proposedSentence(world) ?? null) : null,
    fileProblem: problemOfFile(ports, entry),
    hasLanded: entry.work?.landed != null && !hasNotLanded(entry),
    waysOut,
    actions: [
      ...(isBuilt(entry) && world.proposed !== undefined ? [suggest('config-accept')] : []),
      ...asks.flatMap(({ actions }) => actions),
      ...suggestions,
      ...planActions(entry, waysOut),
    ],
    needsYou: needsIn(world, entry.plan).filter(({ task }) => task !== null),
    names: taskNames(world),
    history: await lastRecords(ports, entry.plan, concernsPlan(entry.plan)),
    refused: [...world.refused.values()].filter((one) => one.plan === entry.plan),
    engine: ports.engine.holder() ?? null,
    engineLog: ports.engine.log,
    waitingSignals: ports.signals.waiting(),
  };
}

/** A plan that its workshop has not published yet has no file to restore, and neither has an archived one. */
function problemOfFile({ planFiles }: AppPorts, entry: PlanEntry): string | undefined {
  const reading = usableReading(entry, planFiles.read(entry.plan));
  const { state } = viewFile(entry, reading);
  return state === 'unwritten' || state === 'archived' ? undefined : fileProblem(entry.plan, reading);
}

async function whyTask(ports: AppPorts, { world, entry, task }: TaskTarget): Promise<WhyTask> {
  const view = viewTasks(world, entry).find((one) => one.task === task.address);
  if (view === undefined) throw new Error(`${entry.plan}#${task.address} cannot be viewed.`);
  const { waysOut, suggestions } = taskWaitStatus(world, entry, task);
  const asks = (await asksSeen(ports, entry.plan)).filter((asking) => asking.task === task.address);
  return {
    of: 'task',
    plan: entry.plan,
    view: waitingFor(view, asks),
    paths: pathsOf(ports, { world, entry, task }),
    wall: wallOf(world, entry.plan, task.id),
    asks,
    waysOut,
    actions: [...asks.flatMap(({ actions }) => actions), ...suggestions, ...taskActions(entry, task, waysOut)],
    names: taskNames(world),
    history: await lastRecords(ports, entry.plan, concernsTask(entry.plan, task.id)),
    refused: [...world.refused.values()].filter((one) => one.plan === entry.plan && taskBehind(world, one) === task.id),
  };
}

function wallOf({ sessions }: World, plan: PlanFile, task: string): string | null {
  const agents = [...sessions.values()].filter((one) => one.plan === plan && one.task === task && one.up !== undefined);
  const { id, role, wall } = agents.at(-1) ?? {};
  if (wall === undefined) return null;
  const where = wall.wall === null ? `without a wall: ${wall.why}` : `behind a wall (${wall.wall}).`;
  return `The ${role} (${id}) was started ${where}`;
}

function pathsOf({ runPaths }: AppPorts, subject: TaskTarget): WhyTask['paths'] {
  const tree = treeOf(subject);
  if (tree === undefined) return { worktree: null, output: null, setup: null };
  const pathOf = (kind: OutputKind): string | null => runPaths.lastOutput(tree, kind)?.path ?? null;
  return {
    worktree: runPaths.worktreeOf(tree) ?? null,
    output: pathOf('verification'),
    setup: pathOf('setup'),
  };
}

/** An agent that asks something works on nothing until a person answers. Its deadline holds all the same. */
function waitingFor<View extends PlanView | TaskView>(view: View, [first]: readonly Asking[]): View {
  return first === undefined ? view : { ...view, owner: 'user', sentence: askingSentence(first) };
}

const HISTORY = 8;

function lastRecords({ journal }: AppPorts, plan: PlanFile, isWanted: Concerns): Promise<readonly JournalRecord[]> {
  return journal.lastRecords({ plan, isWanted, count: HISTORY });
}
