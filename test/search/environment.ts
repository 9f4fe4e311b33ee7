// Everything that can happen to a world from outside: what people do, what agents send, and the results of effects.
import type { Event, EventOfKind, TaskAct } from '../../src/core/model/event.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import type { RunEntry, WorktreeFacts } from '../../src/core/model/run.ts';
import { isLive, sessionHealth, sessionHealthOf } from '../../src/core/model/run-status.ts';
import type { SessionEntry } from '../../src/core/model/session.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';
import { ROLES, SIGNALS } from '../../src/signals/registry.ts';
import { NOW, PLAN, USER } from '../support/world.ts';
import { OTHER_TIP, START_COMMIT, TIP } from './canonical.ts';
import type { Model } from './models.ts';

export type Actor = 'user' | 'engine' | 'agent';

export interface Happening {
  readonly label: string;
  readonly actor: Actor;
  readonly event: Event;
  readonly now: Date;
  /** The merge of this task has reached the plan branch, but the result is not reported yet. */
  readonly lands?: string;
}

/** Tasks whose merge is on the plan branch, in this generation. */
export type LandedTasks = ReadonlySet<string>;

/** After every deadline. */
const MUCH_LATER = new Date(NOW.getTime() + 1e11);

export function happenings(model: Model, world: World, landed: LandedTasks): readonly Happening[] {
  const entry = world.plans.get(PLAN);
  if (entry === undefined) return [];
  const scenario: Scenario = { model, world, entry, landed };
  const all = [
    ...entry.tasks.flatMap((task) => taskHappenings(scenario, task)),
    ...planHappenings(scenario),
    ...edits(scenario),
    ...signals(scenario),
  ];
  const { only } = model;
  return only === undefined ? all : all.filter(({ label }) => only.test(label));
}

interface Scenario {
  readonly model: Model;
  readonly world: World;
  readonly entry: PlanEntry;
  readonly landed: LandedTasks;
}

function happening(actor: Actor, label: string, event: Event, now: Date = NOW): Happening {
  return { actor, label, event, now };
}

const ACTS: readonly TaskAct[] = [
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
  'merge-anyway',
];

function taskHappenings(scenario: Scenario, task: TaskEntry): readonly Happening[] {
  const { model, landed } = scenario;
  const { run } = task;
  const found: Happening[] = [];
  const person = (act: TaskAct, text: string, worktree: WorktreeFacts, more = ''): void => {
    const event: Event = { kind: 'act', act, plan: PLAN, task: task.id, by: USER, text, worktree };
    found.push(happening('user', `${task.id} ${act}${more}`, event));
  };
  const seen = worktreeOf(run);
  for (const act of ACTS) person(act, 'text', act === 'next' ? anotherCommit(run) : seen);
  if (run === undefined) return found;
  if (model.wide)
    for (const { worktree, how } of oddWorktrees(run)) {
      person('next', 'text', worktree, how);
      if (run.question?.kind === 'check-in') person('answer', 'ESCALATE', worktree, ` ESCALATE${how}`);
    }
  if (run.state === 'CODE_REVIEW') person('approve', '', anotherCommit(run), ' (moved)');
  if (run.state === 'QUESTION')
    for (const text of run.question?.kind === 'check-in' ? DECISIONS : ['text', 'ESCALATE', 'ABANDON'])
      person('answer', text, anotherCommit(run), ` ${text}`);
  if (isLive(run)) found.push(...results(task, run, landed), ...sessionHappenings(scenario, task, run));
  return found;
}

const DECISIONS = ['CONTINUE', 'ESCALATE', 'ABANDON', 'text'];

/** The branch is at the pinned commit. */
export function worktreeOf(run: RunEntry | undefined): WorktreeFacts {
  return { head: run?.pinned ?? START_COMMIT, clean: true, commits: 1 };
}

/** There is a new commit; two names are enough to distinguish it from the previous one. */
export function anotherCommit(run: RunEntry | undefined): WorktreeFacts {
  return { head: run?.pinned === 'a' ? 'b' : 'a', clean: true, commits: 1 };
}

/** The work is reported as finished, but there are uncommitted files, or nothing was committed since the last time. */
function oddWorktrees(run: RunEntry): readonly { readonly worktree: WorktreeFacts; readonly how: string }[] {
  const changed = { worktree: { ...anotherCommit(run), clean: false }, how: ' (changed files)' };
  return run.pinned === null ? [changed] : [changed, { worktree: worktreeOf(run), how: ' (same commit)' }];
}

function results(task: TaskEntry, run: RunEntry, landed: LandedTasks): readonly Happening[] {
  const { issued } = run;
  if (issued === null) return [];
  const { effect } = issued;
  const late = (more: { landed?: string | null } = {}): Happening =>
    happening(
      'engine',
      `${task.id} ${issued.do} overdue`,
      { kind: 'overdue', wait: { for: 'effect', plan: PLAN, task: task.id, effect }, ...more },
      MUCH_LATER,
    );
  const result = (label: string, outcome: EventOfKind<'result'>['result']): Happening =>
    happening('engine', `${task.id} ${label}`, { kind: 'result', effect, result: outcome });
  switch (issued.do) {
    case 'worktree':
      return [
        result('worktree ready', { of: 'worktree', base: TIP }),
        result('worktree failed', { of: 'worktree', failed: '' }),
        late(),
      ];
    case 'verify':
      return [
        result('tests pass', { of: 'verify', passed: true, text: '' }),
        result('tests fail', { of: 'verify', passed: false, text: '' }),
        late(),
      ];
    case 'merge': {
      const waits = happening('engine', `${task.id} merge waits`, {
        kind: 'held-up',
        effect,
        why: 'w',
        needsPerson: true,
      });
      if (landed.has(task.id)) return [result('merged', { of: 'merge', tip: TIP }), late({ landed: TIP }), waits];
      return [
        { ...result('lands', { of: 'merge', tip: TIP }), lands: task.id },
        result('merge conflict', { of: 'merge', conflict: '' }),
        late({ landed: null }),
        waits,
      ];
    }
  }
}

function sessionHappenings({ model, world, entry }: Scenario, task: TaskEntry, run: RunEntry): readonly Happening[] {
  const { session } = run;
  const found: Happening[] = [];
  if (model.wall && entry.status === 'implementing')
    found.push(
      happening(
        'engine',
        `${task.id} time is up`,
        { kind: 'overdue', wait: { for: 'run', plan: PLAN, task: task.id, attempt: run.attempt } },
        MUCH_LATER,
      ),
    );
  if (session === null || sessionHealth(run, world.sessions) !== 'working') return found;
  found.push(...deaths(session.id, task.id));
  found.push(
    happening('agent', `${task.id} silent after a commit`, {
      kind: 'silent',
      session: session.id,
      worktree: anotherCommit(run),
    }),
  );
  if (model.wide)
    found.push(
      happening('agent', `${task.id} silent with changed files`, {
        kind: 'silent',
        session: session.id,
        worktree: { ...anotherCommit(run), clean: false },
      }),
    );
  return found;
}

function deaths(session: SessionId, whose: string): readonly Happening[] {
  return [
    happening('agent', `${whose} session fails`, { kind: 'session-news', session, news: { kind: 'failed', why: '' } }),
    happening('agent', `${whose} session ends`, {
      kind: 'session-news',
      session,
      news: { kind: 'ended', life: { kind: 'gone' } },
    }),
    happening('agent', `${whose} silent`, {
      kind: 'silent',
      session,
      worktree: { head: START_COMMIT, clean: true, commits: 0 },
    }),
    happening('engine', `${whose} session overdue`, { kind: 'overdue', wait: { for: 'session', session } }, MUCH_LATER),
  ];
}

const PLAN_EVENTS = [
  'plan_start',
  'planner_finished',
  'implement_finished',
  'review_approved',
  'review_changes_requested',
  'cancel',
  'reopen',
  'start_over',
] as const;

function planHappenings({ model, world, entry }: Scenario): readonly Happening[] {
  const events = model.wide ? [...PLAN_EVENTS, 'implement_start' as const] : PLAN_EVENTS;
  const found: Happening[] = events.map((event) =>
    happening('user', event, { kind: 'move', plan: PLAN, event, by: USER, feedback: 'f' }),
  );
  if (model.wide)
    found.push(
      happening('user', 'freeze', { kind: 'freeze', by: USER }),
      happening('user', 'thaw', { kind: 'thaw', by: USER }),
      happening('user', 'the branch moves', { kind: 'tip', plan: PLAN, tip: anotherTip(entry) }),
    );
  found.push(happening('user', 'run', { kind: 'run', plan: PLAN, by: USER }));
  const session = entry.work?.session ?? null;
  if (session !== null && sessionHealthOf(session, entry.entered, world.sessions) === 'working')
    found.push(...deaths(session.id, 'plan'));
  return found;
}

function anotherTip({ work }: PlanEntry): string {
  return work?.tip === TIP ? OTHER_TIP : TIP;
}

/** People edit the file: each task may be removed and added again. */
function edits({ model, entry }: Scenario): readonly Happening[] {
  if (model.edits === 'none') return [];
  if (model.edits === 'at rest' && entry.tasks.some((task) => isLive(task.run))) return [];
  return model.files.map((file) => happening('user', `file has ${file.name}`, file.read));
}

/** Every session, also one of an earlier state, sends what its role may send, or, in a hostile model, any signal. */
function signals({ model, world, entry }: Scenario): readonly Happening[] {
  const found: Happening[] = [];
  for (const session of world.sessions.values()) {
    const run = entry.tasks.find((task) => task.id === session.task)?.run;
    for (const { name, run: ofRun, plan: ofPlan } of SIGNALS) {
      const mayEver = (session.reviews ? ofPlan : ofRun)?.roles.includes(session.role) ?? false;
      if (mayEver || model.hostile) found.push(...variants(model, session, name, run));
    }
  }
  if (model.hostile) for (const name of OUTSIDE) for (const role of ROLES) found.push(outside(name, role));
  return found;
}

const OUTSIDE = [...SIGNALS.map((signal) => signal.name), 'cancel', 'start-over', 'reopen', 'plan-start', 'mark-done'];

function outside(name: string, role: (typeof ROLES)[number]): Happening {
  return happening(
    'agent',
    `outside ${role}: ${name}`,
    signalEvent({ name, body: 'text', by: { who: 'agent', role } }),
  );
}

function variants(model: Model, session: SessionEntry, name: string, run: RunEntry | undefined): readonly Happening[] {
  const by = { who: 'agent', role: session.role, session: session.id } as const;
  const whose = session.task ?? 'plan';
  const say = (body: string, worktree: WorktreeFacts, more: string): Happening =>
    happening(
      'agent',
      `${whose} ${session.role}: ${name}${more}`,
      signalEvent({ name, body, by, entered: run?.entered, worktree }),
    );
  const isReview = name === 'review-approved' || name === 'review-changes';
  const here = isReview ? worktreeOf(run) : anotherCommit(run);
  if (name === 'answer') return DECISIONS.map((word) => say(word, here, ` ${word}`));
  const plain = say('text', here, '');
  if (name === 'review-approved') {
    const changed = model.hostile || model.wide ? [say('text', { ...here, clean: false }, ' (changed files)')] : [];
    return [plain, say('text', anotherCommit(run), ' (moved)'), ...changed];
  }
  if (!model.wide || run === undefined || !FINISHING.includes(name)) return [plain];
  return [plain, ...oddWorktrees(run).map(({ worktree, how }) => say('text', worktree, how))];
}

const FINISHING: readonly string[] = ['implement-finished', 'fix-finished'];

interface Sent {
  readonly name: string;
  readonly body: string;
  readonly by: EventOfKind<'signal'>['signal']['by'];
  readonly entered?: number | undefined;
  readonly worktree?: WorktreeFacts;
}

function signalEvent({ name, body, by, entered, worktree }: Sent): Event {
  return {
    kind: 'signal',
    signal: {
      id: 'x',
      name,
      plan: PLAN,
      by,
      body,
      file: { path: '', inode: '' },
      planFileExists: true,
      ...(entered === undefined ? {} : { entered }),
      ...(worktree === undefined ? {} : { worktree }),
    },
  };
}
