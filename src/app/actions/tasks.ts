// Actions on tasks and their runs, and verdicts on whole plans.
import type { Event, Ruling, TaskAct } from '../../core/model/event.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { SeenRun } from '../../core/model/run.ts';
import { type ActionName, type Suggestion, suggest } from '../../core/model/suggestion.ts';
import { isPlanning } from '../../core/model/workshop/status.ts';
import { readEvents, usableReading } from '../../core/rules/plan/outline.ts';
import { taskReference } from '../../core/views/actions.ts';
import { availableActions } from '../../core/views/available-actions.ts';
import { fileProblem } from '../../core/views/plan.ts';
import { PLAN_REVIEW, type PlanEvent } from '../../machines/plan.ts';
import { slugOf } from '../../plan/name.ts';
import { showLines } from '../../text/show.ts';
import type { AppPorts } from '../ports.ts';
import { known } from '../reads/world.ts';
import { plansOfTask, questionIn, type Subject, subjectNamed, type TaskTarget, taskNamed } from '../targets.ts';
import {
  type ActionRow,
  type Done,
  type Performed,
  type Refused,
  type Request,
  type RulingInput,
  refuse,
} from './action.ts';
import { passedPreflight, performMove, rulePlan } from './plans.ts';
import { preview, submit } from './submit.ts';
import { answerQuestions, approvePlan, redoPlanning } from './workshop.ts';

type TaskAction =
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
  | RulingAction;

type RulingAction = Extract<ActionName, `finding-${string}`>;

export const TASK_ROWS: { readonly [name in TaskAction]: ActionRow<name> } = {
  launch: {
    ...onTask<'launch'>('launch', 'Launch one task, without running the whole plan'),
    perform: async ({ ports, on }) => launch(ports, await taskOf(ports, on)),
  },
  retry: onTask('relaunch', 'Relaunch a failed task, or give a halted run a new agent'),
  revert: onTask('revert', 'Return a task to planned; what was built stays on its branch', 'Stop the run?'),
  'mark-done': onTask('mark-done', 'Mark a task done without merging anything', 'Stop the run and merge nothing?'),
  next: onTask('next', 'Take the next step of a task: verify what is committed, or start what waits for you'),
  back: {
    subject: 'task',
    help: 'Send a task back to the implementer',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on, input }) => act(ports, await taskOf(ports, on), 'back', { text: input.feedback }),
  },
  approve: {
    subject: 'task or plan',
    help: "Approve a task's plan, its code, or a whole plan in review",
    confirm: null,
    personOnly: true,
    perform: approve,
  },
  override: {
    subject: 'task',
    help: 'Approve a task even though its commit has not passed verification',
    confirm: 'Merge a commit that has not passed verification?',
    personOnly: true,
    perform: override,
  },
  reject: {
    subject: 'task or plan',
    help: "Send back a task's plan, its code, or a whole plan in review, with feedback",
    confirm: null,
    personOnly: true,
    perform: reject,
  },
  abandon: onTask('abandon', 'Abandon the run of a task that is in review or has a question', 'Abandon the run?'),
  answer: {
    subject: 'task',
    help: 'Answer the question of a task, or the questions of a planner',
    confirm: null,
    personOnly: true,
    perform: answer,
  },
  'merge-anyway': onTask(
    'merge-anyway',
    'Merge an approved task although it is no longer in the plan file',
    'Merge a task that is no longer in the plan file?',
  ),
  'finding-park': onFindings('park', 'Leave findings as they are; the review of the whole plan sees them'),
  'finding-overrule': onFindings('overrule', 'Decide that findings do not hold'),
  'finding-confirm': onFindings('confirm', 'Confirm that findings are addressed'),
  'finding-plan-holds': onFindings('plan-holds', 'Decide that the plan holds, not the finding that contradicts it'),
  'finding-holds': onFindings('finding-holds', 'Decide that a finding holds, not the plan that it contradicts'),
};

/** A ruling about findings of a task, or of the review of a whole plan. */
function onFindings<Name extends RulingAction>(name: Ruling, help: string): ActionRow<Name> {
  return {
    subject: 'task or plan',
    help,
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on, input }) => {
      const { findings, why }: RulingInput = input;
      const { task, ...target } = subjectNamed(await known(ports, on), on);
      if (task === undefined) return rulePlan(ports, target.entry, name, input);
      return act(ports, { ...target, task }, name, { text: why, findings });
    },
  };
}

/** An action that takes nothing but the task. */
function onTask<Name extends ActionName>(name: TaskAct, help: string, confirm: string | null = null): ActionRow<Name> {
  return {
    subject: 'task',
    help,
    confirm,
    personOnly: true,
    perform: async ({ ports, on }) => act(ports, await taskOf(ports, on), name),
  };
}

async function taskOf(ports: AppPorts, on: string | undefined): Promise<TaskTarget> {
  return taskNamed(await known(ports, on, plansOfTask), on);
}

/** In a plan that is ready, the same step starts building it; the other tasks wait until they are launched, or the plan is run. */
async function launch(ports: AppPorts, target: TaskTarget): Promise<Performed> {
  const { plan, status } = target.entry;
  if (status !== 'ready') return act(ports, target, 'launch');
  const reading = usableReading(target.entry, ports.planFiles.read(plan));
  const problem = fileProblem(plan, reading);
  const start: Event = {
    kind: 'move',
    plan,
    event: 'implement_start',
    by: ports.by,
    ...(problem === undefined ? {} : { fileProblem: problem }),
  };
  const asked: Event = { kind: 'act', act: 'launch', plan, task: target.task.address, by: ports.by };
  const no = await preview(ports, [...readEvents(plan, reading), start, asked]);
  if (no !== undefined) return no;
  const { policy, warnings } = await passedPreflight(ports, { headless: false });
  const settings: readonly Event[] = ports.engine.holder() === undefined ? [{ kind: 'policy', policy }] : [];
  const done = await act(ports, target, 'launch', { first: [...settings, start] });
  return done.kind === 'done' ? { ...done, notes: [...warnings, ...done.notes] } : done;
}

interface ActDetails {
  readonly text?: string | undefined;
  readonly findings?: readonly string[] | undefined;
  readonly seen?: SeenRun | undefined;
  /** What has to be accepted in the same step. */
  readonly first?: readonly Event[];
}

async function act(
  ports: AppPorts,
  target: TaskTarget,
  name: TaskAct,
  { text, findings, seen, first = [] }: ActDetails = {},
): Promise<Performed> {
  const { entry, task } = target;
  const { plan } = entry;
  const worktree =
    FACTS_NEEDED[name] === 'worktree' && task.run !== undefined
      ? await ports.facts.ofWorktree(plan, task.run, task)
      : undefined;
  const submitted = await submit(
    ports,
    {
      kind: 'act',
      act: name,
      plan,
      task: task.address,
      by: ports.by,
      ...(text === undefined ? {} : { text }),
      ...(findings === undefined ? {} : { findings }),
      ...(seen === undefined ? {} : { seen }),
      ...(worktree === undefined ? {} : { worktree }),
    },
    // The reference was resolved against the plan file as it is now, so the journal must know the same tasks.
    { before: [...readEvents(plan, usableReading(entry, ports.planFiles.read(plan))), ...first] },
  );
  if (submitted.kind === 'refused') return { ...submitted, try: [...submitted.try, ...instead(target, submitted)] };
  const { record, notes } = submitted;
  if (record === undefined) throw new Error(`"${name}" was accepted and left no record.`);
  if ((name === 'approve' || name === 'override') && record.event === 'changes') return notApproved(target, record);
  return { ...(await outcomeFor(ports, target)), kind: 'done', changed: true, record, notes };
}

/** Which facts an action needs: what depends on a commit is decided for the commit that the worktree has right now. */
const FACTS_NEEDED: { readonly [act in TaskAct]: 'worktree' | null } = {
  launch: null,
  relaunch: null,
  revert: null,
  'mark-done': null,
  next: 'worktree',
  back: null,
  approve: 'worktree',
  override: 'worktree',
  changes: null,
  abandon: null,
  answer: 'worktree',
  'merge-anyway': null,
  park: null,
  overrule: null,
  confirm: null,
  'plan-holds': null,
  'finding-holds': null,
};

/** If the task is in the wrong state for this action, `why` shows what is possible. */
function instead({ entry, task }: TaskTarget, { code }: Refused): readonly Suggestion[] {
  return code === 'state' || code === 'no-run' ? [suggest('why', taskReference(entry, task))] : [];
}

/** The worktree has moved on to a commit that nobody has verified, so the approval turned into a request for changes. */
function notApproved({ entry, task }: TaskTarget, record: JournalRecord): Refused {
  const cause = 'cause' in record ? showLines(record.cause ?? '') : '';
  return refuse('moved', `${entry.plan}#${task.address} was not approved and goes back to the implementer. ${cause}`);
}

async function outcomeFor(
  { gateway, engine }: AppPorts,
  { entry, task: before }: TaskTarget,
): Promise<Pick<Done, 'world' | 'plan' | 'task' | 'engine'>> {
  const world = await gateway.look();
  const plan = world.plans.get(entry.plan);
  const after = plan?.tasks.find((one) => one.id === before.id);
  if (plan === undefined || after === undefined) throw new Error(`${entry.plan} disappeared.`);
  return { world, plan, task: { before, after }, engine: engine.holder() ?? null };
}

async function approve({ ports, on, input: { seen } }: Request<'approve'>): Promise<Performed> {
  const subject = subjectNamed(await known(ports, on), on);
  const { world, entry, task } = subject;
  if (task === undefined) return judge(ports, subject, 'review_approved');
  if (availableActions(world, entry, task).includes('override'))
    return refuse('needs-override', `${entry.plan}#${task.address} has not passed verification.`, {
      try: [suggest('override', taskReference(entry, task))],
    });
  return act(ports, { world, entry, task }, 'approve', { seen });
}

async function override({ ports, on, input: { seen } }: Request<'override'>): Promise<Performed> {
  const { world, entry, task } = subjectNamed(await known(ports, on), on);
  if (task === undefined)
    return refuse('no-override', `Only a task can be approved with an override; ${entry.plan} is a plan.`);
  return act(ports, { world, entry, task }, 'override', { seen });
}

async function reject({ ports, on, input: { feedback = '' } }: Request<'reject'>): Promise<Performed> {
  const subject = subjectNamed(await known(ports, on), on);
  const { world, entry, task } = subject;
  // Where the reviewer has asked for changes and only waits for a person, the reviewer's words are the feedback.
  const hasFeedback = feedback.trim() !== '' || (task === undefined && entry.work?.waiting != null);
  const name = task === undefined ? entry.plan : `${entry.plan}#${task.address}`;
  const reference = task === undefined ? slugOf(entry.plan) : taskReference(entry, task);
  if (!hasFeedback)
    return refuse('no-feedback', `Rejecting ${name} needs feedback: say what has to change.`, {
      try: [suggest('reject', reference)],
    });
  if (task !== undefined) {
    const isEarlier = task.run?.state === 'TESTING' || task.run?.state === 'AWAIT_MERGE';
    return act(ports, { world, entry, task }, isEarlier ? 'back' : 'changes', { text: feedback });
  }
  return judge(ports, subject, 'review_changes_requested', feedback.trim() === '' ? undefined : feedback);
}

/** A verdict on a whole plan: on what was built, or on the plan of a workshop. */
async function judge(ports: AppPorts, { entry }: Subject, verdict: PlanEvent, feedback?: string): Promise<Performed> {
  const { plan, status } = entry;
  if (isPlanning(entry))
    return verdict === 'review_approved' ? approvePlan(ports, plan, false) : redoPlanning(ports, plan, feedback);
  if (status === PLAN_REVIEW) return performMove(ports, plan, verdict, feedback);
  const example = taskReference({ plan }, { address: '1' });
  return refuse(
    'state',
    `${plan} is ${status}, not in review. To approve or reject one of its tasks, name it as ${example}.`,
  );
}

async function answer({ ports, on, input: { text } }: Request<'answer'>): Promise<Performed> {
  const asked = questionIn(await known(ports, on), on);
  if (asked !== undefined) return answerQuestions(ports, asked.entry, [{ question: asked.question, text }]);
  const target = await taskOf(ports, on);
  const { entry, task } = target;
  if (text.trim() === '' && task.run?.state === 'QUESTION')
    return refuse('no-text', `The answer to ${entry.plan}#${task.address} is empty.`, {
      try: [suggest('answer', taskReference(entry, task))],
    });
  return act(ports, target, 'answer', { text: decisionIn(target, text) });
}

/** The word that decides a check-in may be typed in lower case; in other answers it is a word like any other. */
function decisionIn({ task }: TaskTarget, text: string): string {
  if (task.run?.question?.kind !== 'check-in') return text;
  return text.replace(/^\s*(continue|pivot|escalate|abandon)\b/i, (word) => word.toUpperCase());
}
