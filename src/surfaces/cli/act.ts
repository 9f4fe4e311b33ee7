// What a person does to a task, through the gateway, and how its outcome is told.

import type { Event, TaskAct } from '../../core/model/event.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { RefusalCode } from '../../core/model/refusal.ts';
import { speakerName } from '../../core/model/refusals.ts';
import type { WorktreeFacts } from '../../core/model/run.ts';
import type { PlanEntry, TaskEntry } from '../../core/model/world.ts';
import { readEvents } from '../../core/rules/plan/outline.ts';
import { branchOfRun } from '../../core/rules/run/launch.ts';
import { viewPlan } from '../../core/views/plan.ts';
import { showLines } from '../../text/show.ts';
import type { App } from './app.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from './context.ts';
import { idOf, type TaskTarget, taskMeant } from './find-task.ts';
import { recordJson } from './json/record-json.ts';
import { chainOf } from './text/record-line.ts';

/** A command that does one thing to a task, and takes nothing but the task. */
export function actCommand(act: TaskAct): Run {
  return async (context, given) =>
    refusedToAgent(context, act) ?? takeAct(context, await taskMeant(context.app(), given), act);
}

/** Whatever an agent types, in whatever words: what is a person's to decide is not decided by it. */
export function refusedToAgent(context: Context, what: string): ExitCode | undefined {
  const { by } = context.app();
  if (by.who !== 'agent') return undefined;
  return refuse(context, 'user-only', `"${what}" is a person's decision; ${speakerName(by)} cannot cause it.`);
}

export async function takeAct(context: Context, meant: TaskTarget, act: TaskAct, text?: string): Promise<ExitCode> {
  const app = context.app();
  const { plan } = meant.entry;
  const worktree = await lookedAt(app, meant, act);
  const event: Event = {
    kind: 'act',
    act,
    plan,
    task: meant.task.address,
    by: app.by,
    ...(text === undefined ? {} : { text }),
    ...(worktree === undefined ? {} : { worktree }),
  };
  // The task was found in the file as it is now, so that is what it is done to.
  const before = readEvents(plan, app.planFiles.read(plan));
  const { answers, notes } = await app.gateway.submit([...before, event]);
  for (const note of notes) context.say(note);
  const outcome = answers[before.length];
  if (outcome?.kind === 'refused')
    return refuse(context, outcome.code, `${outcome.why}${instead(meant, outcome.code)}`, outcome.try);
  const record = outcome?.records[0];
  if (record === undefined) throw new Error(`"${act}" was accepted and left no record.`);
  return tell(context, meant, act, record, notes);
}

/** Where it is the task's state that stands against it, there is something else that can be done. */
function instead({ entry, task }: TaskTarget, code: RefusalCode): string {
  return code === 'state' || code === 'no-run' ? ` "cadre why ${idOf(entry, task)}" shows what can be done.` : '';
}

/** What depends on a commit is said of the one that is there at this moment. */
const LOOKING: readonly TaskAct[] = ['next', 'approve', 'override', 'answer'];

async function lookedAt(app: App, { entry, task }: TaskTarget, act: TaskAct): Promise<WorktreeFacts | undefined> {
  return task.run === undefined || !LOOKING.includes(act) ? undefined : app.worktreeFacts(entry.plan, task.run);
}

async function tell(
  context: Context,
  { entry: before, task: taskBefore }: TaskTarget,
  act: TaskAct,
  record: JournalRecord,
  notes: readonly string[],
): Promise<ExitCode> {
  const app = context.app();
  const world = await app.gateway.look();
  const entry = world.plans.get(before.plan);
  const task = entry?.tasks.find((one) => one.id === taskBefore.id);
  if (entry === undefined || task === undefined) throw new Error(`${before.plan} was there a moment ago.`);
  const name = `${entry.plan}#${task.address}`;
  if (APPROVING.includes(act) && record.event === 'changes')
    return refuse(context, 'moved', `${name} was not approved, and goes back to the implementer. ${causeOf(record)}`);
  const view = viewPlan(world, entry);
  const engine = app.engine() ?? null;
  answer(
    context,
    {
      plan: view,
      task: view.tasks.find((one) => one.task === task.address),
      record: recordJson(record),
      notes,
      engine,
    },
    [
      `${name} ${SAID[act]({ record, entry, task, taskBefore })}`,
      ...(engine === null ? ['No engine is running, so it goes no further: "cadre engine start" starts one.'] : []),
    ],
  );
  return EXIT.ok;
}

const APPROVING: readonly TaskAct[] = ['approve', 'override'];

interface Done {
  readonly record: JournalRecord;
  readonly entry: PlanEntry;
  readonly task: TaskEntry;
  readonly taskBefore: TaskEntry;
}

const SAID: { readonly [act in TaskAct]: (done: Done) => string } = {
  launch: launched,
  relaunch: (done) =>
    done.record.event === 'launch'
      ? launched(done)
      : `has another ${done.task.run?.session?.role ?? 'agent'} (${done.task.run?.session?.id}).`,
  revert: (done) => `is planned again, and only a person launches it from now on.${kept(done)}`,
  'mark-done': (done) => `is marked done. Nothing was merged.${kept(done)}`,
  next: (done) => `goes on: ${chain(done)}.`,
  back: (done) => `goes back to the implementer: ${chain(done)}.`,
  approve: (done) =>
    done.record.event === 'stage_passed'
      ? 'does what the task asks for; its quality is reviewed next.'
      : `is approved: ${chain(done)}.`,
  override: (done) => `is approved, although it has not passed the verification: ${chain(done)}.`,
  changes: (done) => `goes back: ${chain(done)}.`,
  abandon: (done) => `is given up: ${chain(done)}.`,
  answer: (done) => `has its answer: ${chain(done)}.`,
  'merge-anyway': () => 'is being merged, although it is gone from the file.',
};

function launched({ task }: Done): string {
  return `is launched: attempt ${task.attempts}, on ${task.run?.branch}.`;
}

function chain({ record }: Done): string {
  return chainOf(record.moves, 'coder');
}

/** Of a task that was worked on from outside, cadre has nothing. */
function kept({ entry, taskBefore }: Done): string {
  return taskBefore.run === undefined
    ? ''
    : ` What was built is kept on ${branchOfRun(entry, taskBefore, taskBefore.run.attempt)}.`;
}

function causeOf(record: JournalRecord): string {
  return 'cause' in record ? showLines(record.cause ?? '') : '';
}
