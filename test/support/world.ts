// Worlds and signals for tests of the pure core, built as the program does it: by deciding.

import { fold } from '../../src/core/journal/fold.ts';
import type { By, EffectResult, Event, EventOfKind, SessionNews, Signal, TaskAct } from '../../src/core/model/event.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import type { SessionEntry } from '../../src/core/model/session.ts';
import { EMPTY_WORLD, type TaskEntry, type World } from '../../src/core/model/world.ts';
import { decide } from '../../src/core/rules/decide.ts';
import { acceptedIn, type Machine, step } from '../../src/machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine, WORKING } from '../../src/machines/plan.ts';
import type { TaskState } from '../../src/machines/task.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { outlineOf } from '../../src/plan/outline.ts';
import { parse } from '../../src/plan/parse.ts';

export const NOW = new Date('2026-01-02T03:04:05.000Z');
export const USER: By = { who: 'user' };
export const ENGINE: By = { who: 'engine' };
export const PLAN = 'x.md' as PlanFile;

/** The world after these events. A refused event is a bug in the test. */
export function after(world: World, ...events: readonly Event[]): World {
  return events.reduce((now, event) => {
    const decision = decide(now, event, NOW);
    if (decision.kind !== 'accepted') throw new Error(`${JSON.stringify(event)} was ${decision.kind}`);
    return fold(now, decision.records);
  }, world);
}

export function register(plan: string): Event {
  return { kind: 'register', plan, by: USER, description: '', topic: '', planFileExists: true };
}

export function move(event: PlanEvent, by: By = USER, plan: PlanFile = PLAN): Event {
  return { kind: 'move', plan, event, by };
}

/** The event for a plan file with this text. Texts are their own digests, so that tests can name them. */
export function read(text: string, plan: PlanFile = PLAN): Event & { kind: 'read' } {
  return { kind: 'read', plan, outline: outlineOf(parse(text).plan, text, (body) => body) };
}

/** What a person does to a task whose worktree holds one commit and nothing uncommitted. */
export function taskAct(task: string, act: TaskAct, by: By = USER, plan: PlanFile = PLAN): Event {
  return { kind: 'act', act, plan, task, by, worktree: { head: 'c1', clean: true, commits: 1 } };
}

/** The result of the effect that the task's run is waiting for. */
export function taskResult(world: World, task: string, result: EffectResult): Event {
  return { kind: 'result', effect: taskIn(world, task).run?.issued?.effect ?? 'none', result };
}

/** A world whose only plan is in the given state, by the shortest path. */
export function worldWith(state: PlanState, plan: PlanFile = PLAN): World {
  const path = pathTo(planMachine, state).map((event) => move(event, USER, plan));
  return after(EMPTY_WORLD, register(plan), ...path);
}

/** A plan that is being implemented, with this text in its file and its tasks in these states. */
export function worldWithTasks(text: string, states: Readonly<Record<string, TaskState>> = {}): World {
  return Object.entries(states).reduce(
    (world, [task, state]) => STEPS_TO[state].reduce((now, step) => after(now, step(now, task)), world),
    after(worldWith(WORKING), read(text)),
  );
}

type TaskStep = (world: World, task: string) => Event;

const LAUNCH: TaskStep = (_world, task) => taskAct(task, 'launch');
const NEXT: TaskStep = (_world, task) => taskAct(task, 'next');
const APPROVE: TaskStep = (_world, task) => taskAct(task, 'approve');
const READY: TaskStep = (world, task) => taskResult(world, task, { of: 'worktree', base: 'b0' });
const PASS: TaskStep = (world, task) => taskResult(world, task, { of: 'verify', passed: true, text: '' });

/** How a person and the engine bring a task from `planned` into each state. */
const STEPS_TO: { readonly [state in TaskState]: readonly TaskStep[] } = {
  planned: [],
  implementing: [LAUNCH],
  verifying: [LAUNCH, READY, NEXT, APPROVE, NEXT],
  spec_review: [LAUNCH, READY, NEXT, APPROVE, NEXT, PASS],
  quality_review: [LAUNCH, READY, NEXT, APPROVE, NEXT, PASS, APPROVE],
  done: [LAUNCH, (_world, task) => taskAct(task, 'mark-done')],
};

export function taskIn(world: World, address: string): TaskEntry {
  const task = world.plans.get(PLAN)?.tasks.find((one) => one.address === address);
  if (task === undefined) throw new Error(`There is no task ${address}.`);
  return task;
}

function pathTo<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  goal: State,
): readonly Event[] {
  const paths = new Map<State, readonly Event[]>([[machine.initial, []]]);
  for (const [state, path] of paths)
    for (const event of acceptedIn(machine, state)) {
      const result = step(machine, state, event);
      if (result.kind === 'moved' && !paths.has(result.to)) paths.set(result.to, [...path, event]);
    }
  const path = paths.get(goal);
  if (path === undefined) throw new Error(`${goal} cannot be reached.`);
  return path;
}

/** A person starts a session; everything that is not given has a default. */
export function newSession(part: Partial<EventOfKind<'session-new'>> = {}): Event & { kind: 'session-new' } {
  const plain = {
    title: 'Dig',
    role: 'unknown',
    program: 'claude',
    flags: [],
    env: [],
    prompt: '',
    from: 'c0ffee',
  } as const;
  return { kind: 'session-new', by: USER, ...plain, ...part };
}

export function sessionNews(session: SessionId, news: SessionNews): Event {
  return { kind: 'session-news', session, news };
}

export function sessionIn(world: World, id: string): SessionEntry {
  const entry = [...world.sessions.values()].find((one) => one.id === id);
  if (entry === undefined) throw new Error(`There is no session ${id}.`);
  return entry;
}

export function signal(part: Partial<Signal> & Pick<Signal, 'name'>): Event & { kind: 'signal' } {
  const id = part.id ?? `${part.name}/${part.plan ?? PLAN}/1`;
  return {
    kind: 'signal',
    signal: {
      id,
      plan: PLAN,
      by: { who: 'agent', role: 'outside' },
      via: part.place === undefined ? 'command' : 'sentinel',
      ...(part.by?.session === undefined ? {} : { keyOf: part.by.session }),
      body: '',
      file: { path: `/signals/${id}`, inode: '1' },
      planFileExists: true,
      ...part,
    },
  };
}
