// Managed plans for tests of the pure core: a run in any state, and the events that can reach it.
import type { Decision } from '../../src/core/model/decision.ts';
import type { EffectResult, Event, TaskAct } from '../../src/core/model/event.ts';
import type { RunEntry, WorktreeFacts } from '../../src/core/model/run.ts';
import { EMPTY_WORLD, type PlanEntry, type World } from '../../src/core/model/world.ts';
import { decideAll } from '../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../src/core/settings/default-policy.ts';
import type { Policy } from '../../src/core/settings/policy.ts';
import { NOW, PLAN, read, register, signal, taskIn, USER } from './world.ts';

/** A person decides everything, so a run waits in every state. */
export const HUMAN: Policy = {
  ...DEFAULT_POLICY,
  architect: { plan_review: 'human', questions: 'human', checkins: 'human' },
};
export const AGENT: Policy = {
  ...DEFAULT_POLICY,
  architect: { plan_review: 'agent', questions: 'agent', checkins: 'agent' },
};

export function withBudgets(policy: Policy, budgets: Partial<Policy['budgets']>): Policy {
  return { ...policy, budgets: { ...policy.budgets, ...budgets } };
}

export const ONE = '### Task 1: Dig\n\ndig\n';
export const TWO = `${ONE}\n### Task 2: Pour\n\npour\n`;
export const SIDE_BY_SIDE = `## Phase 1 (parallel)\n\n${TWO}`;

/** A worktree in which everything is committed. */
export const COMMITTED: WorktreeFacts = { head: 'c1', clean: true, commits: 1 };

/** The world after these events and everything that follows from them. Throws if one is not accepted. */
export function settled(world: World, ...events: readonly Event[]): World {
  const decided = decideAll(world, events, NOW);
  for (const [index, decision] of decided.decisions.entries())
    if (decision.kind !== 'accepted')
      throw new Error(
        `${JSON.stringify(events[index])}: ${decision.kind === 'refused' ? decision.why : decision.kind}`,
      );
  return decided.world;
}

/** The decision on one event. */
export function answerTo(world: World, event: Event): Decision {
  const [decision] = decideAll(world, [event], NOW).decisions;
  if (decision === undefined) throw new Error('There is no decision.');
  return decision;
}

export function planIn(world: World): PlanEntry {
  const entry = world.plans.get(PLAN);
  if (entry === undefined) throw new Error(`There is no ${PLAN}.`);
  return entry;
}

export function runIn(world: World, task = '1'): RunEntry {
  const { run } = taskIn(world, task);
  if (run === undefined) throw new Error(`Task ${task} has no run.`);
  return run;
}

/** A plan with this text that a person has started. */
export function going(policy: Policy = HUMAN, text: string = ONE): World {
  const policies: readonly Event[] = policy === DEFAULT_POLICY ? [] : [{ kind: 'policy', policy }];
  return settled(EMPTY_WORLD, register(PLAN), ...policies, read(text), { kind: 'run', plan: PLAN, by: USER });
}

export function act(
  what: TaskAct,
  more: { task?: string; text?: string; worktree?: WorktreeFacts; findings?: readonly string[] } = {},
): Event {
  return { kind: 'act', act: what, plan: PLAN, task: '1', by: USER, worktree: COMMITTED, ...more };
}

/** The result of the effect that the run waits for. */
export function result(world: World, outcome: EffectResult, task = '1'): Event {
  const { issued } = runIn(world, task);
  return { kind: 'result', effect: issued?.effect ?? 'none', result: outcome };
}

/** A signal from the run's session. Everything in the worktree is committed by default. */
export function says(
  world: World,
  name: string,
  more: { task?: string; body?: string; worktree?: WorktreeFacts; session?: string; plan?: string } = {},
): Event {
  const run = runIn(world, more.task);
  const session = more.session ?? run.session?.id ?? 'nobody';
  const role = [...world.sessions.values()].find((one) => one.id === session)?.role ?? 'implementer';
  return signal({
    id: `${name}/${session}/${world.seq}`,
    name,
    ...(more.plan === undefined ? {} : { plan: more.plan }),
    body: more.body ?? 'text',
    by: { who: 'agent', role, session },
    entered: run.entered,
    worktree: more.worktree ?? COMMITTED,
  });
}

/** A signal from the reviewer of the whole plan. */
export function reviewerSays(world: World, name: string, body = 'more tests'): Event {
  const { session, tip } = planIn(world).work ?? {};
  const by = { who: 'agent', role: 'reviewer', session: session?.id ?? 'nobody' } as const;
  const landing = tip == null ? {} : { landing: { tip } };
  return signal({ id: `${name}/${world.seq}`, name, body, by, ...landing });
}

/** The plan branch is created for the first run. */
export function branchMade(world: World, to = 'b0'): readonly Event[] {
  const effect = [...world.outbox.values()].find((one) => one.do === 'worktree')?.id ?? 'none';
  const base = { branch: 'main', commit: to };
  return [
    { kind: 'intend-move', plan: PLAN, move: { effect, branch: 'plan', from: null, to, base } },
    { kind: 'branch-moved', plan: PLAN, tip: to },
  ];
}

type Step = (world: World) => Event | readonly Event[];

const PASSED: Step = (world) => result(world, { of: 'verify', passed: true, text: '' });
const FAILED: Step = (world) => result(world, { of: 'verify', passed: false, text: 'one test fails' });
const READY: Step = (world) => [...branchMade(world), result(world, { of: 'worktree', base: 'b0' })];
const TO_CODING: readonly Step[] = [READY, (world) => says(world, 'plan-submitted'), () => act('approve')];
const TO_TESTING: readonly Step[] = [...TO_CODING, (world) => says(world, 'implement-finished')];
const TO_SPEC: readonly Step[] = [...TO_TESTING, PASSED];
const TO_QUALITY: readonly Step[] = [...TO_SPEC, (world) => says(world, 'review-approved')];
const TO_MERGE: readonly Step[] = [...TO_QUALITY, (world) => says(world, 'review-approved')];

/** The shortest path to each state in which a run can wait. The check-in comes after the only turn of coding. */
const WAYS = {
  SETUP: [],
  PLANNING: TO_CODING.slice(0, 1),
  PLAN_REVIEW: TO_CODING.slice(0, 2),
  CODING: TO_CODING,
  TESTING: TO_TESTING,
  FIXING: [...TO_TESTING, FAILED],
  'CODE_REVIEW spec': TO_SPEC,
  'CODE_REVIEW quality': TO_QUALITY,
  AWAIT_MERGE: TO_MERGE,
  DONE: [...TO_MERGE, (world) => result(world, { of: 'merge', tip: 't1' })],
  ERROR: [(world) => result(world, { of: 'worktree', failed: 'no space' })],
  'QUESTION from PLANNING': [...TO_CODING.slice(0, 1), (world) => says(world, 'question')],
  'QUESTION from CODING': [...TO_CODING, (world) => says(world, 'question')],
  'QUESTION from FIXING': [...TO_TESTING, FAILED, (world) => says(world, 'question')],
  'check-in': [...TO_CODING, silent],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

export type Place = keyof typeof WAYS;
export const PLACES = Object.keys(WAYS) as readonly Place[];

/** The run's agent has been silent. */
export function silent(world: World, task = '1', worktree?: WorktreeFacts): Event {
  const { session } = runIn(world, task);
  if (session === null) throw new Error('There is no session.');
  return { kind: 'silent', session: session.id, ...(worktree === undefined ? {} : { worktree }) };
}

/** A plan of one task (or of this text) whose first run is in this state. */
export function at(place: Place, policy: Policy = HUMAN, text: string = ONE): World {
  const start = going(place === 'check-in' ? withBudgets(policy, { coding: 1 }) : policy, text);
  return WAYS[place].reduce((world, step: Step) => settled(world, ...[step(world)].flat()), start);
}

/** The state of the run, under the name that it has in `PLACES`. */
export function placeOf(world: World, task = '1'): string {
  const { state, stage, question } = runIn(world, task);
  if (state === 'CODE_REVIEW') return `${state} ${stage}`;
  if (state !== 'QUESTION') return state;
  return question?.kind === 'check-in' ? 'check-in' : `${state} from ${question?.origin}`;
}
