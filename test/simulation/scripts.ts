// What people and agents do in the simulation: stories of a few steps each, and random stories.
import type { TaskAct } from '../../src/core/model/event.ts';
import type { PlanEvent } from '../../src/machines/plan.ts';
import type { Role } from '../../src/signals/registry.ts';
import type { Random } from './random.ts';

export type Step =
  | { readonly do: 'register'; readonly plan: string }
  | { readonly do: 'move'; readonly plan: string; readonly event: PlanEvent; readonly feedback?: string }
  /** `cadre signal`: durable when it returns. */
  | {
      readonly do: 'say';
      readonly name: string;
      readonly plan: string;
      readonly session: string;
      readonly role: Role;
      readonly body?: string;
    }
  /** A sentinel file, never synced by the agent. */
  | { readonly do: 'touch'; readonly name: string; readonly body?: string }
  /** A message that was processed long ago appears in its box again. */
  | { readonly do: 'say-again' }
  | { readonly do: 'round' }
  | { readonly do: 'restart-engine' }
  | { readonly do: 'adopt'; readonly plan: string }
  | { readonly do: 'retry' }
  | { readonly do: 'drop' }
  /** A person or git writes plan-state.json. */
  | { readonly do: 'edit'; readonly edit: 'flat' | 'status' | 'add' | 'delete' | 'conflict' | 'truncate' }
  /** A person writes a plan's file the way editors do: under another name, synced, and renamed. */
  | {
      readonly do: 'write-plan';
      readonly plan: string;
      readonly tasks: readonly string[];
      readonly parallel?: boolean;
    }
  /** A person moves a task. */
  | { readonly do: 'task'; readonly plan: string; readonly task: string; readonly act: TaskAct }
  /** A person starts a session, or does something to the newest one. */
  | { readonly do: 'session'; readonly what: 'new' | 'switch' | 'resume' | 'stop' | 'pause' | 'send' }
  /** The program of a session exits. */
  | { readonly do: 'end-program' }
  /** A person has cadre build a plan. */
  | { readonly do: 'run'; readonly plan: string }
  /** A person pauses or resumes a plan, or all plans. */
  | { readonly do: 'pause' | 'resume'; readonly plan?: string }
  /** Somebody commits to the plan branch, or deletes it. */
  | { readonly do: 'move-branch' | 'delete-branch'; readonly plan: string }
  /** A person decides about an incident. */
  | { readonly do: 'incident'; readonly plan: string; readonly how: 'restore' | 'take' }
  /** Every agent that cadre has started for a plan does its work once and signals it. */
  | { readonly do: 'agents' }
  /** The machine sleeps, no engine runs, or somebody sets the clock, ahead or back. */
  | { readonly do: 'jump'; readonly hours: number }
  /** A person starts a workshop. */
  | { readonly do: 'plan-new'; readonly plan: string }
  /** A person does what a workshop asks for. */
  | { readonly do: 'decide'; readonly plan: string }
  /** A person edits or deletes a file of a workshop, by its path below docs/plans. */
  | { readonly do: 'change-file'; readonly file: string; readonly text: string | null }
  /** Several processes at once. */
  | { readonly do: 'together'; readonly steps: readonly Step[] };

export interface Script {
  readonly name: string;
  /** It has many similar places. */
  readonly isLong?: true;
  readonly steps: readonly Step[];
}

export const register = (plan: string): Step => ({ do: 'register', plan });
const move = (plan: string, event: PlanEvent): Step => ({ do: 'move', plan, event });
export const touch = (name: string, body?: string): Step => ({
  do: 'touch',
  name,
  ...(body === undefined ? {} : { body }),
});
export const say = (name: string, plan: string, role: Role, body?: string): Step => ({
  do: 'say',
  name,
  plan,
  session: `${role}-1`,
  role,
  ...(body === undefined ? {} : { body }),
});
export const writePlan = (plan: string, ...tasks: readonly string[]): Step => ({ do: 'write-plan', plan, tasks });
const task = (plan: string, task: string, act: TaskAct): Step => ({ do: 'task', plan, task, act });
const session = (what: Extract<Step, { do: 'session' }>['what']): Step => ({ do: 'session', what });
const jump = (hours: number): Step => ({ do: 'jump', hours });
const edit = (file: string, text: string): Step => ({ do: 'change-file', file, text });
const deletes = (file: string): Step => ({ do: 'change-file', file, text: null });
const together = (...steps: readonly Step[]): Step => ({ do: 'together', steps });
export const ROUND: Step = { do: 'round' };
const AGENTS: Step = { do: 'agents' };
const DECIDE: Step = { do: 'decide', plan: 'w.md' };

/** The shortest way to a plan in review. */
const UP_TO_REVIEW: readonly Step[] = [
  register('x.md'),
  move('x.md', 'implement_start'),
  touch('implement-finished-x.md'),
  ROUND,
];

/** A record that fills a segment, so that a new segment and a checkpoint are due. */
const A_SEGMENT_FULL: Step = {
  do: 'move',
  plan: 'x.md',
  event: 'review_changes_requested',
  feedback: 'more tests\n'.repeat(150),
};

export const SCRIPTS: readonly Script[] = [
  {
    name: 'a plan through its life',
    steps: [
      register('x.md'),
      move('x.md', 'plan_start'),
      touch('planner-finished-x.md'),
      ROUND,
      move('x.md', 'implement_start'),
      say('implement-finished', 'x.md', 'implementer'),
      ROUND,
      touch('review-changes-x.md', 'more tests'),
      ROUND,
      ROUND,
      say('implement-finished', 'x.md', 'implementer'),
      ROUND,
      touch('review-approved-x.md'),
      ROUND,
    ],
  },
  {
    name: 'the same signal twice before the engine reads it',
    steps: [
      register('x.md'),
      move('x.md', 'plan_start'),
      say('planner-finished', 'x.md', 'planner'),
      say('planner-finished', 'x.md', 'planner'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'an old message appears when the plan is in the same state again',
    steps: [
      register('x.md'),
      move('x.md', 'plan_start'),
      say('planner-finished', 'x.md', 'planner'),
      ROUND,
      move('x.md', 'plan_start'),
      { do: 'say-again' },
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'contradictory verdicts in one scan',
    steps: [
      ...UP_TO_REVIEW,
      touch('review-approved-x.md'),
      say('review-changes', 'x.md', 'reviewer', 'no'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'agents that overstep',
    steps: [
      ...UP_TO_REVIEW,
      say('review-approved', 'x.md', 'implementer'),
      touch('cancel-x.md'),
      ROUND,
      say('review-approved', 'x.md', 'reviewer'),
      ROUND,
      touch('start-over-x.md'),
      ROUND,
    ],
  },
  {
    name: 'two processes at the same plans',
    steps: [
      together(register('x.md'), register('y.md')),
      together(move('x.md', 'plan_start'), move('y.md', 'plan_start'), ROUND),
      together(move('x.md', 'cancel'), move('x.md', 'planner_finished'), move('y.md', 'cancel')),
      together(move('x.md', 'reopen'), move('y.md', 'reopen'), ROUND),
    ],
  },
  {
    name: 'a person cancels while an agent signals',
    steps: [
      register('x.md'),
      move('x.md', 'implement_start'),
      say('implement-finished', 'x.md', 'implementer'),
      together(move('x.md', 'cancel'), ROUND),
      ROUND,
      move('x.md', 'reopen'),
      ROUND,
    ],
  },
  {
    name: 'planner-finished for unregistered plans',
    steps: [
      touch('planner-finished-x.md'),
      touch('planner-finished-missing.md'),
      ROUND,
      say('planner-finished', 'y.md', 'planner'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'feedback bodies over several cycles',
    steps: [
      ...UP_TO_REVIEW,
      say('review-changes', 'x.md', 'reviewer', 'first\n'.repeat(200)),
      ROUND,
      say('implement-finished', 'x.md', 'implementer'),
      ROUND,
      touch('review-changes-x.md', 'second\n'.repeat(200)),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'signals that are refused, retried and dropped',
    steps: [
      register('x.md'),
      touch('cancel-x.md'),
      touch('nonsense'),
      say('implement-finished', 'x.md', 'implementer'),
      say('review-approved', 'x.md', 'implementer'),
      ROUND,
      { do: 'drop' },
      move('x.md', 'implement_start'),
      { do: 'retry' },
      ROUND,
      { do: 'retry' },
      ROUND,
      { do: 'drop' },
      ROUND,
    ],
  },
  {
    name: 'new segments and checkpoints',
    steps: [
      register('x.md'),
      register('y.md'),
      move('x.md', 'implement_start'),
      move('x.md', 'implement_finished'),
      A_SEGMENT_FULL,
      ROUND,
      move('y.md', 'plan_start'),
      move('x.md', 'implement_finished'),
      A_SEGMENT_FULL,
      move('y.md', 'cancel'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'plan-state.json is edited by hand and adopted',
    steps: [
      register('x.md'),
      { do: 'edit', edit: 'status' },
      ROUND,
      { do: 'adopt', plan: 'x.md' },
      { do: 'edit', edit: 'add' },
      ROUND,
      move('x.md', 'cancel'),
      ROUND,
    ],
  },
  {
    name: 'an older plan-state.json is imported',
    steps: [{ do: 'edit', edit: 'flat' }, move('x.md', 'cancel'), ROUND, move('y.md', 'cancel'), ROUND],
  },
  {
    name: 'plan-state.json is deleted, truncated and in conflict',
    steps: [
      register('x.md'),
      { do: 'edit', edit: 'delete' },
      ROUND,
      { do: 'edit', edit: 'truncate' },
      move('x.md', 'plan_start'),
      ROUND,
      { do: 'edit', edit: 'conflict' },
      move('x.md', 'planner_finished'),
      ROUND,
      { do: 'edit', edit: 'delete' },
      ROUND,
    ],
  },
  {
    name: 'a flood from one agent and a signal from another',
    steps: [
      register('x.md'),
      register('y.md'),
      move('y.md', 'plan_start'),
      ...Array.from({ length: 4 }, (_none, number) => touch(`review-approved-x${number}.md`)),
      ...Array.from({ length: 2 }, () => say('review-approved', 'x.md', 'reviewer')),
      say('planner-finished', 'y.md', 'planner'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'a plan is edited while its tasks are being built',
    steps: [
      writePlan('x.md', 'A', 'B'),
      register('x.md'),
      ROUND,
      ROUND,
      move('x.md', 'implement_start'),
      task('x.md', '1', 'launch'),
      writePlan('x.md', 'Z', 'A', 'B'),
      ROUND,
      ROUND,
      task('x.md', '2', 'mark-done'),
      writePlan('x.md', 'Z', 'B'),
      ROUND,
      ROUND,
      writePlan('x.md', 'A', 'Z'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'two people edit one plan, and two move its tasks',
    steps: [
      writePlan('x.md', 'A', 'B', 'C'),
      register('x.md'),
      move('x.md', 'implement_start'),
      ROUND,
      ROUND,
      together(writePlan('x.md', 'A', 'C'), task('x.md', '1', 'launch'), ROUND),
      together(writePlan('x.md', 'C', 'D'), task('x.md', '1', 'mark-done'), task('x.md', '1', 'revert'), ROUND),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'sessions start, are switched, end and start again',
    steps: [
      session('new'),
      ROUND,
      session('send'),
      session('switch'),
      ROUND,
      { do: 'end-program' },
      ROUND,
      session('resume'),
      ROUND,
      session('pause'),
      session('resume'),
      ROUND,
      session('stop'),
      ROUND,
    ],
  },
  {
    name: 'a session is stopped before it was started, and two people switch another at once',
    steps: [
      session('new'),
      session('stop'),
      ROUND,
      session('new'),
      together(session('switch'), session('switch'), ROUND),
      together(session('pause'), ROUND),
      ROUND,
    ],
  },
  {
    name: 'a plan of two tasks is built',
    isLong: true,
    steps: [
      writePlan('x.md', 'A', 'B'),
      register('x.md'),
      ROUND,
      ROUND,
      { do: 'run', plan: 'x.md' },
      ROUND,
      ...Array.from({ length: 7 }, () => [AGENTS, ROUND]).flat(),
    ],
  },
  {
    name: 'two tasks are built in parallel, an agent dies, and one signals out of turn',
    isLong: true,
    steps: [
      { do: 'write-plan', plan: 'x.md', tasks: ['A', 'B'], parallel: true },
      register('x.md'),
      ROUND,
      ROUND,
      together({ do: 'run', plan: 'x.md' }, ROUND),
      ROUND,
      { do: 'end-program' },
      together(AGENTS, ROUND),
      say('review-approved', 'x.md', 'implementer'),
      together(AGENTS, ROUND),
      { do: 'restart-engine' },
      ...Array.from({ length: 3 }, () => [AGENTS, ROUND]).flat(),
    ],
  },
  {
    name: 'a plan is cancelled while it is built, and reopened',
    isLong: true,
    steps: [
      writePlan('x.md', 'A'),
      register('x.md'),
      ROUND,
      ROUND,
      { do: 'run', plan: 'x.md' },
      ROUND,
      together(move('x.md', 'cancel'), AGENTS, ROUND),
      ROUND,
      move('x.md', 'reopen'),
      move('x.md', 'planner_finished'),
      { do: 'run', plan: 'x.md' },
      ROUND,
      AGENTS,
      ROUND,
    ],
  },
  {
    name: 'somebody moves and deletes the plan branch while a plan is built',
    isLong: true,
    steps: [
      { do: 'write-plan', plan: 'x.md', tasks: ['A', 'B'], parallel: true },
      register('x.md'),
      ROUND,
      ROUND,
      { do: 'run', plan: 'x.md' },
      ROUND,
      together(AGENTS, ROUND),
      { do: 'delete-branch', plan: 'x.md' },
      together(AGENTS, ROUND),
      ROUND,
      AGENTS,
      together({ do: 'move-branch', plan: 'x.md' }, ROUND),
      together(AGENTS, ROUND),
      together({ do: 'incident', plan: 'x.md', how: 'restore' }, ROUND),
      AGENTS,
      ROUND,
      { do: 'move-branch', plan: 'x.md' },
      ROUND,
      { do: 'incident', plan: 'x.md', how: 'take' },
      ...Array.from({ length: 3 }, () => [AGENTS, ROUND]).flat(),
    ],
  },
  {
    name: 'two tasks are paused again and again while they are built, also in the middle of a merge',
    isLong: true,
    steps: [
      { do: 'write-plan', plan: 'x.md', tasks: ['A', 'B'], parallel: true },
      register('x.md'),
      ROUND,
      ROUND,
      { do: 'run', plan: 'x.md' },
      ROUND,
      together({ do: 'pause' }, AGENTS, ROUND),
      ROUND,
      { do: 'restart-engine' },
      { do: 'resume' },
      ROUND,
      ...Array.from({ length: 4 }, (): readonly Step[] => [
        AGENTS,
        together({ do: 'pause', plan: 'x.md' }, ROUND),
        ROUND,
        together({ do: 'resume', plan: 'x.md' }, ROUND),
        ROUND,
      ]).flat(),
    ],
  },
  {
    name: 'engines come and go',
    steps: [
      register('x.md'),
      move('x.md', 'plan_start'),
      touch('planner-finished-x.md'),
      { do: 'restart-engine' },
      ROUND,
      touch('cancel-x.md'),
      { do: 'restart-engine' },
      together(ROUND, move('x.md', 'implement_start')),
      { do: 'restart-engine' },
      say('implement-finished', 'x.md', 'implementer'),
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'a plan is built while the machine sleeps, no engine runs for a night, and the clock is set',
    isLong: true,
    steps: [
      { do: 'write-plan', plan: 'x.md', tasks: ['A', 'B'], parallel: true },
      register('x.md'),
      ROUND,
      ROUND,
      { do: 'run', plan: 'x.md' },
      jump(9),
      ROUND,
      jump(8),
      together(AGENTS, ROUND),
      jump(-7),
      ROUND,
      { do: 'restart-engine' },
      jump(24),
      { do: 'run', plan: 'x.md' },
      AGENTS,
      ROUND,
      jump(-1),
      ...Array.from({ length: 3 }, () => [AGENTS, jump(5), ROUND]).flat(),
    ],
  },
  {
    name: 'a workshop has four rounds with questions, is sent back, worked out again and approved',
    isLong: true,
    steps: [
      { do: 'plan-new', plan: 'w.md' },
      ROUND,
      AGENTS,
      ROUND,
      DECIDE,
      ROUND,
      AGENTS,
      ROUND,
      AGENTS,
      ROUND,
      DECIDE,
      ROUND,
      AGENTS,
      ROUND,
      AGENTS,
      ROUND,
      DECIDE,
      ROUND,
      AGENTS,
      ROUND,
      AGENTS,
      ROUND,
      DECIDE,
      ROUND,
      ROUND,
    ],
  },
  {
    name: 'a workshop is paused and cancelled, its planner dies, and people edit and delete its files',
    isLong: true,
    steps: [
      together({ do: 'plan-new', plan: 'w.md' }, ROUND),
      ROUND,
      AGENTS,
      ROUND,
      edit('w/planning/meeting.jsonl', 'my minutes\n'),
      together(DECIDE, ROUND),
      { do: 'pause', plan: 'w.md' },
      ROUND,
      { do: 'resume', plan: 'w.md' },
      ROUND,
      { do: 'end-program' },
      ROUND,
      AGENTS,
      ROUND,
      together(AGENTS, ROUND),
      ROUND,
      deletes('w/planning/brief.md'),
      together(DECIDE, ROUND),
      move('w.md', 'cancel'),
      ROUND,
      move('w.md', 'reopen'),
      ROUND,
      AGENTS,
      { do: 'restart-engine' },
      ROUND,
      AGENTS,
      ROUND,
      edit('w/planning/plan.md', 'my plan\n'),
      together(DECIDE, ROUND),
      ROUND,
      AGENTS,
      ROUND,
      AGENTS,
      ROUND,
      edit('w.md', '# My own plan\n'),
      together(DECIDE, ROUND),
      ROUND,
      edit('w.md', '# My own plan, again\n'),
      deletes('w/planning/plan.files.json'),
      ROUND,
      ROUND,
    ],
  },
];

const EVENTS: readonly PlanEvent[] = [
  'plan_start',
  'planner_finished',
  'implement_start',
  'implement_finished',
  'review_approved',
  'review_changes_requested',
  'start_over',
  'cancel',
  'reopen',
];

/** A random story: mostly sensible, sometimes not. */
export function inventedScript(random: Random): Script {
  const plans = ['x.md', 'y.md'];
  const steps: Step[] = [register('x.md')];
  for (let count = 3 + random.below(5); count > 0; count--) steps.push(inventedStep(random, plans, true));
  return { name: 'invented', steps: [...steps, ROUND, ROUND] };
}

function inventedStep(random: Random, plans: readonly string[], mayNest: boolean): Step {
  const plan = random.pick(plans);
  switch (random.below(mayNest ? 14 : 10)) {
    case 0:
      return register(plan);
    case 1:
    case 2:
      return move(plan, random.pick(EVENTS));
    case 3:
      return say(
        random.pick(['planner-finished', 'implement-finished', 'review-approved', 'review-changes']),
        plan,
        random.pick(['planner', 'implementer', 'reviewer']),
        'text',
      );
    case 4:
      return touch(
        `${random.pick(['planner-finished', 'implement-finished', 'review-approved', 'review-changes', 'cancel', 'odd'])}-${plan}`,
        'text',
      );
    case 5:
    case 6:
    case 7:
      return ROUND;
    case 8:
      return writePlan(plan, ...['A', 'B', 'C', 'D'].filter(() => random.below(2) === 0));
    case 9:
      return task(plan, random.pick(['1', '2', '3']), random.pick(['launch', 'revert', 'mark-done']));
    case 10:
      return random.pick<Step>([
        { do: 'retry' },
        { do: 'drop' },
        { do: 'say-again' },
        { do: 'restart-engine' },
        { do: 'end-program' },
        jump(8),
        jump(-7),
        { do: 'move-branch', plan },
        { do: 'delete-branch', plan },
        { do: 'incident', plan, how: random.pick(['restore', 'take'] as const) },
        ...(['new', 'switch', 'resume', 'stop', 'pause', 'send'] as const).map(session),
      ]);
    case 11:
      return { do: 'edit', edit: random.pick(['status', 'add', 'delete', 'truncate']) };
    case 12:
      return { do: 'adopt', plan };
    default:
      return together(...Array.from({ length: 2 + random.below(2) }, () => inventedStep(random, plans, false)));
  }
}
