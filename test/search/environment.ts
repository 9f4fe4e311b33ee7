// Everything that can happen to a world from outside: what people do, what agents send, and the results of effects.
import type { Event, EventOfKind, TaskAct } from '../../src/core/model/event.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import type { PlanWork, RunEntry, WorktreeFacts } from '../../src/core/model/run.ts';
import { isLive, sessionHealth, sessionHealthOf } from '../../src/core/model/run-status.ts';
import type { SessionEntry } from '../../src/core/model/session.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';
import type { PlanEvent } from '../../src/machines/plan.ts';
import { ROLES, SIGNALS } from '../../src/signals/registry.ts';
import { NOW, PLAN, USER } from '../support/world.ts';
import { FOREIGN, NEXT_TIP, START_COMMIT, TIP } from './canonical.ts';
import { OLD, planReviews, RULINGS, reviews } from './findings.ts';
import type { Ghost } from './ghost.ts';
import { incidentHappenings } from './incidents.ts';
import type { Model } from './models.ts';
import { DECISIONS as IN_WORKSHOP, isPlannerAtWork, plannerSays } from './workshop.ts';

export type Actor = 'user' | 'engine' | 'agent';

export interface Happening {
  readonly label: string;
  readonly actor: Actor;
  readonly event: Event;
  readonly now: Date;
  /** The merge of this task has reached the plan branch, but the result is not reported yet. */
  readonly lands?: string;
  /** What somebody changes behind cadre's back; the event does not happen. */
  readonly ghost?: Partial<Ghost>;
}

/** After every deadline. */
const MUCH_LATER = new Date(NOW.getTime() + 1e11);

export function happenings(model: Model, world: World, ghost: Ghost): readonly Happening[] {
  const entry = world.plans.get(PLAN);
  if (entry === undefined) return [];
  const scenario: Scenario = { model, world, entry, ghost };
  if (model.workshop) return workshopHappenings(scenario);
  const all = [
    ...entry.tasks.flatMap((task) => taskHappenings(scenario, task)),
    ...planHappenings(scenario),
    ...edits(scenario),
    ...signals(scenario),
    ...(model.incidents === undefined ? [] : incidentHappenings(model.incidents, scenario)).map((one) => ({
      ...one,
      now: NOW,
    })),
  ].map((one) => ({ ...one, event: withLanding(one.event, entry, ghost) }));
  const { only, without } = model;
  const possible = without === undefined ? all : all.filter(({ label }) => !without.test(label));
  return only === undefined ? possible : possible.filter(({ label }) => only.test(label));
}

interface Scenario {
  readonly model: Model;
  readonly world: World;
  readonly entry: PlanEntry;
  readonly ghost: Ghost;
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
  const { model } = scenario;
  const { run } = task;
  const found: Happening[] = [];
  const person = (act: TaskAct, text: string, worktree: WorktreeFacts, more = ''): void => {
    const event: Event = { kind: 'act', act, plan: PLAN, task: task.id, by: USER, text, worktree };
    found.push(happening('user', `${task.id} ${act}${more}`, event));
  };
  const seen = worktreeOf(run);
  for (const act of ACTS)
    person(act, act === 'back' && model.findings ? '' : 'text', act === 'next' ? anotherCommit(run) : seen);
  if (model.findings) for (const ruling of RULINGS) person(ruling, '', seen);
  if (run === undefined) return found;
  if (model.wide)
    for (const { worktree, how } of oddWorktrees(run)) {
      person('next', 'text', worktree, how);
      if (run.question?.kind === 'check-in') person('answer', 'ESCALATE', worktree, ` ESCALATE${how}`);
    }
  if (run.waitsNext) person('next', 'text', seen, ' (not moved)');
  if (run.state === 'CODE_REVIEW') person('approve', '', anotherCommit(run), ' (moved)');
  if (run.state === 'QUESTION') for (const text of answersTo(run)) person('answer', text, answeredAt(run), ` ${text}`);
  if (isLive(run)) found.push(...results(scenario, task, run), ...sessionHappenings(scenario, task, run));
  return found;
}

const DECISIONS = ['CONTINUE', 'ESCALATE', 'ABANDON', 'text'];

function answersTo({ question }: RunEntry): readonly string[] {
  if (question?.kind === 'check-in') return DECISIONS;
  return question?.kind === 'unchanged' ? ['text', 'OVERRULE', 'PARK', 'ABANDON'] : ['text', 'ESCALATE', 'ABANDON'];
}

/** Where nothing was changed, the branch is at the pinned commit. */
function answeredAt(run: RunEntry): WorktreeFacts {
  return run.question?.kind === 'unchanged' ? worktreeOf(run) : anotherCommit(run);
}

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

function results({ entry, ghost }: Scenario, task: TaskEntry, run: RunEntry): readonly Happening[] {
  const { issued } = run;
  if (issued === null) return [];
  const { effect } = issued;
  const { tip, moving } = entry.work ?? { tip: null, moving: null };
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
        ...(tip === null ? branchCreation(task, effect, moving) : []),
        ...(tip === null ? [] : [result('worktree ready', { of: 'worktree', base: TIP })]),
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
      if (ghost.landed.has(task.id))
        return [result('merged', { of: 'merge', tip: NEXT_TIP }), late({ landed: NEXT_TIP }), waits];
      const isIntended = moving?.effect === effect;
      // The branch moves between the record of the intention and that of the result.
      if (isIntended)
        return [
          ...(ghost.branch === 'ours' ? [{ ...result('lands', { of: 'merge', tip: NEXT_TIP }), lands: task.id }] : []),
          late({ landed: null }),
          waits,
        ];
      return [
        happening('engine', `${task.id} merge intended`, intended(effect, tip, NEXT_TIP)),
        result('merge conflict', { of: 'merge', conflict: '' }),
        late({ landed: null }),
        waits,
      ];
    }
  }
}

/** The first worktree needs the plan branch. */
function branchCreation(task: TaskEntry, effect: string, moving: PlanWork['moving'] | undefined): readonly Happening[] {
  if (moving != null)
    return [happening('engine', 'branch created', { kind: 'branch-moved', plan: PLAN, tip: moving.to })];
  return [happening('engine', `${task.id} branch intended`, intended(effect, null, TIP))];
}

function intended(effect: string, from: string | null, to: string): Event {
  const base = { branch: 'main', commit: START_COMMIT };
  const move = { effect, branch: 'plan', from, to, ...(from === null ? { base } : {}) } as const;
  return { kind: 'intend-move', plan: PLAN, move };
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
  if (session !== null && world.sessions.get(session.id)?.interrupted)
    found.push(...endsAsStopped(session.id, task.id));
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
      happening('user', `${task.id} text is not delivered`, {
        kind: 'session-news',
        session: session.id,
        news: { kind: 'sent', problem: 'p' },
      }),
    );
  return found;
}

/** The plan is made in a workshop, and built by people: cadre launches no task of it. */
function workshopHappenings(scenario: Scenario): readonly Happening[] {
  const { model, world, entry } = scenario;
  const session = entry.workshop?.session;
  const found: Happening[] = [
    ...IN_WORKSHOP.map(({ label, event }) => happening('user', label, event)),
    ...planMoves(['implement_start', ...PLAN_EVENTS]),
    ...stops(model),
    ...plannerSays(world, entry).map(({ label, event }) => happening('agent', label, event)),
    ...(entry.file === undefined
      ? model.files.map((file) => happening('user', `file has ${file.name}`, file.read))
      : []),
  ];
  if (session == null) return found;
  if (isPlannerAtWork(world, entry)) found.push(...deaths(session.id, 'planner'));
  if (world.sessions.get(session.id)?.interrupted) found.push(...endsAsStopped(session.id, 'planner'));
  return found;
}

/** The engine sees the end of a program that cadre has stopped itself. */
function endsAsStopped(session: SessionId, whose: string): readonly Happening[] {
  return deaths(session, whose).filter(({ event }) => event.kind === 'session-news');
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

function planMoves(events: readonly PlanEvent[]): readonly Happening[] {
  return events.map((event) => happening('user', event, { kind: 'move', plan: PLAN, event, by: USER, feedback: 'f' }));
}

/** People freeze and thaw, pause and resume, as far as the model has it. */
function stops(model: Model): readonly Happening[] {
  const found: Happening[] = [];
  if (model.wide)
    found.push(
      happening('user', 'freeze', { kind: 'freeze', by: USER }),
      happening('user', 'thaw', { kind: 'thaw', by: USER }),
    );
  if (model.pauses !== undefined) {
    const what = { by: USER, ...(model.pauses === 'plan' ? { plan: PLAN } : {}) };
    found.push(
      happening('user', 'pause', { kind: 'pause', ...what }),
      happening('user', 'resume', { kind: 'resume', ...what }),
    );
  }
  return found;
}

function planHappenings({ model, world, entry }: Scenario): readonly Happening[] {
  const events = model.wide ? [...PLAN_EVENTS, 'implement_start' as const] : PLAN_EVENTS;
  const found: Happening[] = [...planMoves(events), ...stops(model)];
  found.push(happening('user', 'run', { kind: 'run', plan: PLAN, by: USER }));
  if (model.planFindings)
    for (const ruling of RULINGS)
      found.push(happening('user', `plan ${ruling}`, { kind: 'rule-plan', plan: PLAN, ruling, by: USER }));
  const session = entry.work?.session ?? null;
  if (session !== null && sessionHealthOf(session, entry.entered, world.sessions) === 'working')
    found.push(...deaths(session.id, 'plan'));
  return found;
}

/** Every approval of the plan comes with a look at its branch right before. */
function withLanding(event: Event, { work }: PlanEntry, { branch }: Ghost): Event {
  if (work === undefined || work.tip === null || branch === 'gone') return event;
  const landing = { tip: branch === 'ours' ? work.tip : FOREIGN };
  if (event.kind === 'signal')
    return { ...event, signal: { ...event.signal, landing: { ...event.signal.landing, ...landing } } };
  return event.kind === 'move' && event.event === 'review_approved' ? { ...event, landing } : event;
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
    const task = entry.tasks.find(({ id }) => id === session.task);
    for (const { name, run: ofRun, plan: ofPlan } of SIGNALS) {
      const mayEver = (session.reviews ? ofPlan : ofRun)?.roles.includes(session.role) ?? false;
      if (session.reviews && model.planFindings) found.push(...reviewsOf(entry, session, name));
      else if (mayEver || model.hostile) found.push(...variants(model, session, name, task));
    }
  }
  if (model.hostile) found.push(...forged(world));
  if (model.hostile) for (const name of OUTSIDE) for (const role of ROLES) found.push(outside(name, role));
  return found;
}

function reviewsOf(entry: PlanEntry, session: SessionEntry, name: string): readonly Happening[] {
  const by = { who: 'agent', role: session.role, session: session.id } as const;
  return planReviews(entry)
    .filter((said) => said.name === name)
    .map(({ body, how, landing }) => {
      const event = signalEvent({ name, body, by, entered: entry.entered });
      const seen = event.kind === 'signal' ? { ...event, signal: { ...event.signal, landing } } : event;
      return happening('agent', `plan reviewer: ${name}${how}`, seen as Event);
    });
}

const OUTSIDE = [...SIGNALS.map((signal) => signal.name), 'cancel', 'start-over', 'reopen', 'plan-start', 'mark-done'];

/** What others say in the name of a session: without its key, or with their own. */
function forged({ sessions }: World): readonly Happening[] {
  return [...sessions.values()].flatMap((session) =>
    SIGNALS.flatMap(({ name }) => {
      const by = { who: 'agent', role: session.role, session: session.id } as const;
      const event = signalEvent({ name, body: 'text', by });
      if (event.kind !== 'signal') return [];
      const { keyOf: _key, ...unsigned } = event.signal;
      return [unsigned, { ...unsigned, keyOf: 'another' }].map((signal) =>
        happening('agent', `${FORGED} ${session.task ?? 'plan'} ${session.role}: ${name}`, { kind: 'signal', signal }),
      );
    }),
  );
}

/** How the labels start of what somebody says in another one's name. */
export const FORGED = 'forged';

function outside(name: string, role: (typeof ROLES)[number]): Happening {
  return happening(
    'agent',
    `outside ${role}: ${name}`,
    signalEvent({ name, body: 'text', by: { who: 'agent', role } }),
  );
}

function variants(
  model: Model,
  session: SessionEntry,
  name: string,
  task: TaskEntry | undefined,
): readonly Happening[] {
  const run = task?.run;
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
  if (model.findings && run !== undefined) {
    if (name === 'answer')
      return [...DECISIONS, 'PARK f1', 'PARK f1 f2'].map((word) => say(word, answeredAt(run), ` ${word}`));
    if (isReview && task !== undefined && session.role !== 'architect')
      return reviews(task, session.role === 'quality-reviewer' ? 'quality' : 'spec')
        .filter((said) => said.name === name)
        .map(({ body, how, facts, isMoved }) => say(body, { ...(isMoved ? anotherCommit(run) : here), ...facts }, how));
    if (FINISHING.includes(name))
      return [
        say('', here, ''),
        ...(run.pinned === null ? [] : [say('', worktreeOf(run), ' (same commit)')]),
        ...(run.pinned === null ? [] : [say('', { ...here, same: [OLD, run.pinned] }, ' (same files)')]),
      ];
  }
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
      via: 'command',
      ...(by.session === undefined ? {} : { keyOf: by.session }),
      body,
      file: { path: '', inode: '' },
      planFileExists: true,
      ...(entered === undefined ? {} : { entered }),
      ...(worktree === undefined ? {} : { worktree }),
    },
  };
}
