// The schemas of everything that is shown. The compiler holds each of them to the type of its view.
import * as z from 'zod';
import { RULE_REFUSALS } from '../../core/model/refusal.ts';
import type { TranscriptEntry } from '../../core/model/workshop/entry.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import type { Delivery, Notification } from '../../core/ports/notify.ts';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../core/settings/notify.ts';
import type { IncidentView } from '../../core/views/incident.ts';
import type { FileView, PlanView, TaskView } from '../../core/views/plan.ts';
import type { OpenQuestion } from '../../core/views/questions.ts';
import type { RecordView } from '../../core/views/record.ts';
import type { RefusedSignalView } from '../../core/views/refused-signal.ts';
import type { RunView } from '../../core/views/run.ts';
import type { SessionView } from '../../core/views/session.ts';
import type { WorkshopView } from '../../core/views/workshop/view.ts';
import { eventsOf, statesOf } from '../../machines/machine.ts';
import type { PlanEvent, PlanState } from '../../machines/plan.ts';
import { planMachine } from '../../machines/plan.ts';
import { type RunState, runMachine } from '../../machines/run.ts';
import { taskMachine } from '../../machines/task.ts';
import { type WorkshopState, workshopMachine } from '../../machines/workshop.ts';
import type { Problem } from '../../plan/plan.ts';
import {
  type ImplementerReport,
  REPORT_LIMITS,
  REPORT_STATUSES,
  type ReportedCommand,
} from '../../reviews/implementer-report.ts';
import { ROLES } from '../../signals/registry.ts';
import { PLAIN_TEXT } from '../../workshop/shape.ts';
import type { Check } from '../ports.ts';
import type { Plain } from './plain.ts';

/** A schema that the compiler compares with the type it describes. Its id names it in the JSON Schema. */
export function view<T>(id: string, schema: z.ZodType<Plain<T>>): z.ZodType<Plain<T>> {
  return schema.meta({ id });
}

const time = z.iso.datetime();
const strings = z.array(z.string());
const planState = z.enum(words<PlanState>(statesOf(planMachine)));
const runState = z.enum(words<RunState>(statesOf(runMachine)));
const planEvent = z.enum(words<PlanEvent>(eventsOf(planMachine)));
const role = z.enum(ROLES);
const owner = z.enum(['user', 'engine', ...ROLES]).nullable();
const taskAct = z.enum([
  'launch',
  'relaunch',
  'revert',
  'mark-done',
  'next',
  'back',
  'approve',
  'changes',
  'abandon',
  'override',
  'answer',
  'merge-anyway',
  'park',
  'overrule',
  'confirm',
  'plan-holds',
  'finding-holds',
]);
const deadline = z
  .strictObject({ at: time, leadsTo: z.enum(['restart', 'fail', 'end', 'remind']) })
  .nullable()
  .describe('When the wait ends automatically, and how.');

export const problem = view<Problem>(
  'Problem',
  z.strictObject({
    line: z.int(),
    column: z.int(),
    severity: z.enum(['error', 'warning', 'advice']),
    code: z.string(),
    message: z.string(),
  }),
);

const author = z.enum(['person', 'engine', ...ROLES]);
const used = z.strictObject({ used: z.int(), of: z.int() });
const heldUp = z.strictObject({ why: z.string(), since: time, needsPerson: z.boolean() });

const reported = z.string().max(REPORT_LIMITS.text).regex(/\S/).regex(PLAIN_TEXT);
const command = view<ReportedCommand>(
  'ReportedCommand',
  z.strictObject({ run: reported.describe('As it was typed.'), result: reported.describe('What came of it.') }),
);

const remarks = z.array(reported).max(REPORT_LIMITS.list).exactOptional();

export const implementerReport = view<ImplementerReport>(
  'ImplementerReport',
  z.strictObject({
    status: z
      .enum(REPORT_STATUSES)
      .describe('With "needs-context" and "blocked" the work is not finished, so the implementer has to ask instead.'),
    summary: reported,
    commands: z.array(command).max(REPORT_LIMITS.list).exactOptional(),
    files: z
      .array(z.string().max(REPORT_LIMITS.path).regex(/\S/).regex(PLAIN_TEXT))
      .max(REPORT_LIMITS.list)
      .exactOptional(),
    left_out: remarks.describe('What was asked for and is not done.'),
    concerns: remarks.describe('What the implementer is not sure about.'),
  }),
);

export const runView = view<RunView>(
  'Run',
  z.strictObject({
    attempt: z.int(),
    state: runState,
    stage: z.enum(['spec', 'quality']).nullable(),
    since: time,
    branch: z.string(),
    commit: z.string().nullable(),
    unverified: z.boolean(),
    verified: z
      .strictObject({
        command: z.array(z.string()).nullable().describe('null: the project has no verify command'),
        rewrites: z.array(z.string()).describe('files of the command itself that the run has changed'),
      })
      .nullable(),
    doing: z.enum(['worktree', 'verify', 'merge']).nullable(),
    heldUp: heldUp.nullable(),
    incident: z.string().nullable(),
    session: z.strictObject({ id: z.string(), role }).nullable(),
    question: z
      .strictObject({
        origin: z.enum(['PLANNING', 'CODING', 'FIXING']),
        kind: z.enum(['ordinary', 'check-in']),
        text: z.string(),
      })
      .nullable(),
    feedback: z
      .strictObject({
        reason: z
          .enum(['test_failure', 'code_review_changes', 'merge_conflict', 'merge_failure', 'verify_infrastructure'])
          .nullable(),
        by: author.nullable(),
        text: z.string(),
      })
      .nullable(),
    report: implementerReport.nullable(),
    counts: z.strictObject({
      coding: used,
      fixing: used,
      checkins: used,
      turns: used,
      mergeAttempts: used,
      relaunches: used,
    }),
  }),
);

export const taskView = view<TaskView>(
  'Task',
  z.strictObject({
    task: z.string().describe('Its address within the plan.'),
    name: z.string(),
    phase: z.int().nullable(),
    state: z.enum(words(statesOf(taskMachine))),
    since: time,
    blockedBy: strings,
    mayStart: z.boolean(),
    stale: z.boolean(),
    held: z.boolean(),
    notStarted: z.boolean(),
    profile: z.string().nullable(),
    changed: z.boolean(),
    owner,
    sentence: z.string(),
    deadline,
    waysOut: z.array(taskAct),
    halted: z.boolean(),
    suspended: z.boolean(),
    merging: z.boolean(),
    markedDone: time.nullable(),
    run: runView.nullable(),
  }),
);

const landed = z
  .strictObject({ ok: z.boolean(), text: z.string(), byHand: z.literal(true).exactOptional(), at: time })
  .nullable();

const incidentFields = {
  of: z.enum(['plan-branch', 'base', 'worktree']),
  branch: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
  since: time,
  restoring: z.boolean(),
  sentence: z.string(),
};
const incident = view<IncidentView>('Incident', z.strictObject(incidentFields));

export const workshopView = view<WorkshopView>(
  'Workshop',
  z.strictObject({
    state: z.enum(words<WorkshopState>(statesOf(workshopMachine))),
    since: time,
    round: z.int(),
    rounds: z.strictObject({ used: z.int(), of: z.int() }),
    waits: z.enum(['answers', 'rounds', 'documents', 'planner']).nullable(),
    heuristics: z
      .strictObject({
        blocking_questions: z.int(),
        no_new_info: z.boolean(),
        commitment_readiness: z.boolean(),
      })
      .nullable(),
    advice: z.string().nullable(),
    version: z.int(),
    questions: z.array(
      z.strictObject({
        id: z.string(),
        text: z.string(),
        blocking: z.boolean(),
        why: z.string(),
        suggestions: strings,
        state: z.enum(['open', 'answered', 'skipped', 'withdrawn']),
        round: z.int(),
        answer: z.string().nullable(),
      }),
    ),
  }),
);

const planFields = {
  plan: z.string(),
  status: planState,
  since: time,
  waitingFor: z
    .strictObject({
      who: z.enum(['user', 'planner', 'implementer', 'reviewer']),
      for: z.array(planEvent),
      sentence: z.string(),
    })
    .nullable(),
  next: z.array(planEvent),
  description: z.string(),
  branch: z.string(),
  topic: z.string(),
  feedback: z.string().nullable(),
  feedbackBy: author.nullable().describe('Who said that.'),
  difference: z.strictObject({ status: planState, at: time }).nullable(),
  phases: z.array(z.strictObject({ number: z.number(), name: z.string(), parallel: z.boolean() })),
  progress: z.strictObject({ done: z.int(), of: z.int() }),
  tasks: z.array(taskView),
  owner,
  sentence: z.string(),
  deadline,
  waysOut: z.array(planEvent),
  going: z.boolean(),
  paused: z.boolean(),
  landed,
  incident: incident.nullable(),
  planning: z
    .strictObject({ state: z.enum(words<WorkshopState>(statesOf(workshopMachine))), round: z.int() })
    .nullable(),
  archived: z.string().nullable(),
  actors: z.strictObject({ planning: workshopView.nullable() }),
};

export const planView = view<PlanView>('Plan', z.strictObject(planFields));

const fileView = view<FileView>(
  'PlanFile',
  z.strictObject({
    state: z.enum(['read', 'unusable', 'missing', 'unwritten', 'archived']),
    problems: z.array(problem),
  }),
);

export const planListed = view<
  Pick<PlanView, 'plan' | 'status' | 'since' | 'progress' | 'owner' | 'sentence' | 'archived'>
>(
  'PlanListed',
  z.strictObject({
    plan: planFields.plan,
    status: planFields.status,
    since: planFields.since,
    progress: planFields.progress,
    owner: planFields.owner,
    sentence: planFields.sentence,
    archived: planFields.archived,
  }),
);

export const planWithFile = view<PlanView & { readonly file: FileView }>(
  'PlanWithFile',
  z.strictObject({ ...planFields, file: fileView }),
);

export const engine = view<LockHolder>('Engine', z.strictObject({ pid: z.int(), command: z.string() })).nullable();

/** Moves, effects and details are as the journal has them. */
export const recordView = view<RecordView>(
  'Record',
  z.strictObject({
    version: z.literal(1),
    seq: z.int(),
    at: time,
    by: z.string(),
    session: z.string().nullable(),
    role: z.string().nullable(),
    plan: z.string().nullable(),
    machine: z.string().nullable(),
    event: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    moves: z.array(z.custom<Plain<RecordView['moves'][number]>>(isObject)),
    signal: z
      .strictObject({
        id: z.string(),
        name: z.string(),
        body: z.string().exactOptional(),
        via: z.enum(['command', 'sentinel']).exactOptional().describe('How it came; not in older records.'),
      })
      .nullable(),
    effects: z.array(z.custom<Plain<RecordView['effects'][number]>>(isObject)),
    details: z.record(z.string(), z.unknown()),
  }),
);

export const sessionView = view<Omit<SessionView, 'suggestions'> & SessionAnswer>(
  'Session',
  z.strictObject({
    session: z.string(),
    title: z.string(),
    role,
    program: z.string(),
    branch: z.string(),
    plan: z.string().nullable(),
    state: z.enum(['starting', 'running', 'ended', 'failed', 'gone', 'unknown', 'stopped', 'paused']),
    since: time,
    wall: z.enum(['bubblewrap']).nullable().describe('The wall that its program runs behind, if there is one.'),
    sentence: z.string(),
    source: z.enum(['journal', 'host', 'hook', 'screen', 'output']),
    activity: z
      .strictObject({
        doing: z.enum(['works', 'waits', 'asks-permission', 'asks-trust', 'quota', 'crashed', 'unclear']),
        about: z.string().nullable(),
        source: z.enum(['hook', 'screen', 'output']),
      })
      .nullable(),
    worktree: z.string().nullable(),
    commands: strings,
  }),
);

interface SessionAnswer {
  readonly worktree: string | null;
  readonly commands: readonly string[];
}

export const refusedSignal = view<RefusedSignalView>(
  'RefusedSignal',
  z.strictObject({
    id: z.string(),
    at: time,
    code: z.enum(RULE_REFUSALS),
    why: z.string(),
    name: z.string(),
    plan: z.string().nullable(),
    file: z.string(),
  }),
);

const notificationKind = z.enum(words(Object.keys(NOTIFICATION_KINDS) as NotificationKind[]));

export const need = z
  .strictObject({
    kind: notificationKind
      .nullable()
      .describe('null: you stopped it or have not started it, or another need is about the same'),
    plan: z.string(),
    task: z.string().nullable(),
    sentence: z.string(),
    commands: strings,
  })
  .meta({ id: 'Need' });

const notificationFields = {
  id: z.string().describe('The same for as long as what it is about holds.'),
  kind: z.enum([...notificationKind.options, 'test']),
  plan: z.string().nullable(),
  task: z.string().nullable().describe('Its address within the plan.'),
  session: z.string().nullable().describe('For "permission".'),
  title: z.string(),
  text: z.string().describe('Safe to print; several lines.'),
  repo: z.string().nullable().describe('The main checkout.'),
  commands: strings.describe('What you can run about it.'),
};

export const notification = view<Omit<Notification, 'actions'> & NotificationAnswer>(
  'Notification',
  z.strictObject(notificationFields),
);

interface NotificationAnswer {
  readonly repo: string | null;
  readonly commands: readonly string[];
}

export const delivery = view<Delivery>(
  'Delivery',
  z.strictObject({
    channel: z.enum(['bell', 'osc9', 'desktop', 'command']),
    result: z.enum(['sent', 'off', 'missing', 'failed']),
    sentence: z.string(),
  }),
);

export const asking = z
  .strictObject({
    session: z.string(),
    plan: z.string().nullable(),
    task: z.string().nullable(),
    question: z.string(),
    command: z.string().nullable(),
  })
  .meta({ id: 'Asking' });

export const openQuestion = view<OpenQuestion & { readonly command: string }>(
  'Question',
  z.strictObject({
    id: z.string(),
    plan: z.string(),
    task: z.string().nullable(),
    name: z.string(),
    kind: z.enum(['ordinary', 'check-in', 'unchanged', 'planning']),
    since: time,
    text: z.string(),
    answerer: z.enum(['human', 'agent', 'auto']),
    suspended: z.boolean(),
    answers: strings,
    blocking: z.boolean(),
    why: z.string(),
    suggestions: strings,
    command: z.string(),
  }),
);

export const transcriptEntry = view<TranscriptEntry>(
  'TranscriptEntry',
  z.strictObject({
    ts: time,
    round: z.int(),
    actor: z.enum(['person', 'planner', 'architect', 'cadre']),
    phase: z.enum(words<WorkshopState>(statesOf(workshopMachine))),
    role: z.string(),
    source: z.string(),
    kind: z.enum([
      'brief',
      'proposal',
      'question',
      'answer',
      'skip',
      'invalid',
      'transition',
      'plan',
      'decision',
      'feedback',
      'advice',
      'approval',
    ]),
    content: z.string(),
    question: z.string().exactOptional(),
    proposals: z.custom<Plain<NonNullable<TranscriptEntry['proposals']>>>(isObject).exactOptional(),
    heuristics: z.record(z.string(), z.union([z.number(), z.boolean()])).exactOptional(),
  }),
);

export const check = view<Omit<Check, 'try'>>(
  'Check',
  z.strictObject({ name: z.string(), result: z.enum(['ok', 'note', 'bad']), sentence: z.string() }),
);

export { deadline, incidentFields, landed, notificationFields, owner, planEvent, runState, strings, taskAct, time };

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The words of a table, as zod wants them: at least one. */
function words<Word extends string>(all: readonly Word[]): [Word, ...Word[]] {
  const [first, ...rest] = all;
  if (first === undefined) throw new Error('There are no words.');
  return [first, ...rest];
}
