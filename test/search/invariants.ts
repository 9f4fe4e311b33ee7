// What must hold in every world and for every step to it, stated apart from the rules that are to keep it.
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { RunEntry } from '../../src/core/model/run.ts';
import { isHeldUp, isLive, sessionHealth, sessionHealthOf } from '../../src/core/model/run-status.ts';
import { openTasks } from '../../src/core/model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';
import { planWaitStatus, taskWaitStatus } from '../../src/core/views/why.ts';
import { step } from '../../src/machines/machine.ts';
import { machines } from '../../src/machines/machines.ts';
import { PLAN } from '../support/world.ts';
import { evidenceOf, type Ghost } from './ghost.ts';
import type { Model } from './models.ts';

/** What a step breaks: `before` and `after` are the worlds around one record, the ghosts what is known of the commits. */
export function brokenBy(model: Model, before: World, line: JournalRecord, after: World, ghost: Ghost): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, otherwise: string): void => void (holds || broken.push(otherwise));
  const entry = before.plans.get(PLAN);
  const next = after.plans.get(PLAN);
  if (entry === undefined || next === undefined) return [];
  for (const move of line.moves) {
    const machine = machines.find((one) => one.name === move.machine);
    if (machine === undefined || move.from === null) continue;
    const result = step(machine, move.from, move.event);
    must(result.kind === 'moved' && result.to === move.to, `C1 ${move.machine}: no edge ${move.from} ${move.event}`);
    must(!machine.userOnly.includes(move.event) || line.by === 'user', `C1 ${move.event} is a person's`);
  }
  for (const move of line.moves) {
    if (move.machine === 'plan') planMove(line, move, entry, next, must);
    else if (move.machine === 'task') taskMove(model, line, move, entry, must);
    else runMove(line, move, entry, ghost, must);
  }
  verdicts(line, entry, must);
  taskFollowsRun(line, must);
  for (const effect of line.effects ?? []) {
    const isNewWork = ['worktree', 'verify', 'merge', 'nudge'].includes(effect.do);
    must(!isNewWork || next.status === 'implementing', `C4 ${effect.do} issued while ${next.status}`);
    must(!(isNewWork || effect.do === 'start-session') || !before.frozen, `C4 ${effect.do} issued while frozen`);
    if (effect.do === 'merge') {
      const seen = evidenceOf(ghost, effect.task);
      must(seen.pin === effect.pin, 'C5 another commit is merged than was pinned');
      must(seen.verified || seen.overridden, 'C5 what is merged was neither verified nor overridden');
      must(seen.spec && seen.quality, 'C5 what is merged has not passed both reviews');
    }
  }
  return broken;
}

type Must = (holds: boolean, otherwise: string) => void;
type MoveOf<Machine extends string> = Extract<JournalRecord['moves'][number], { machine: Machine }>;

function planMove(line: JournalRecord, move: MoveOf<'plan'>, entry: PlanEntry, next: PlanEntry, must: Must): void {
  // Of a plan that is driven from outside nothing is known but what is said.
  if (entry.work === undefined) return;
  const open = openTasks(entry).length;
  if (move.event === 'implement_finished') {
    must(open === 0, 'C13 finished with an open task');
    must(
      entry.tasks.some((task) => !task.stale),
      'C13 finished without any task',
    );
    must(!entry.tasks.some(isMerging), 'C4 finished while something is merged');
  }
  if (move.event === 'review_approved') must(open === 0, 'C14 approved with an open task');
  if (move.event === 'review_changes_requested')
    must(openTasks(next).length > 0, 'changes asked for, and nothing to do');
  if (move.event === 'start_over')
    must(openTasks(next).length > 0 || !next.tasks.some((one) => !one.stale), 'C23 nothing to build');
  const isAgents = line.by === 'agent';
  const isReview = move.event === 'review_approved' || move.event === 'review_changes_requested';
  if (isAgents && isReview)
    must(
      line.session !== undefined && line.session === entry.work?.session?.id,
      'C6 a verdict on the plan from a stranger',
    );
  if (isAgents && isReview)
    must(entry.work.session?.tip === entry.work.tip, 'C6 a verdict on another commit of the plan’s branch');
  must(!isAgents || isReview || move.event === 'planner_finished', `C1 an agent caused ${move.event}`);
}

function taskMove(model: Model, line: JournalRecord, move: MoveOf<'task'>, entry: PlanEntry, must: Must): void {
  const task = entry.tasks.find((one) => one.id === move.task);
  if (move.to === 'done') {
    const isMerged = line.moves.some((one) => one.machine === 'coder' && one.event === 'merged');
    must(isMerged || (move.event === 'mark_done' && line.by === 'user'), 'C3 done without merge or person');
  }
  if (move.event === 'revert')
    must(line.by === 'user' || (line.by === 'engine' && task?.run?.started === false), 'C1 taken back by the engine');
  if (move.event !== 'launch') return;
  must(line.by === 'user' || !task?.held, 'C20 launched again although a person took it back');
  must(task?.stale === false, 'a stale task is launched');
  const others = entry.tasks.filter((one) => one.id !== move.task && isLive(one.run) && !one.stale);
  must(!model.sequential || others.length === 0, 'C21 two runs in a sequential plan');
}

function runMove(line: JournalRecord, move: MoveOf<'coder'>, entry: PlanEntry, ghost: Ghost, must: Must): void {
  const seen = evidenceOf(ghost, move.task);
  if (move.to === 'CODING') must(seen.approvedPlan, 'C19 coding without an approved plan');
  if (move.to === 'CODE_REVIEW') must(seen.pin !== null, 'C19 a review of nothing');
  if (move.event === 'merged') must(ghost.landed.has(move.task), 'C11 done, but not on the branch');
  if (move.event === 'merge_conflict') must(!ghost.landed.has(move.task), 'C11 on the branch, but not done');
  if (move.event.startsWith('tests_'))
    must(line.by !== 'agent' || isAgentsToVerify(entry, move.task), 'C6 tests on an agent’s word');
}

/** Set by the model that lets agents verify. */
function isAgentsToVerify(entry: PlanEntry, task: string): boolean {
  return entry.tasks.find((one) => one.id === task)?.run?.issued === null;
}

/** The task's event that goes with a step of its run, said once more and apart from the rules. All other steps leave the task where it is. */
const TASK_EVENTS: Readonly<Record<string, string>> = {
  code_complete: 'verify_start',
  fix_done: 'verify_start',
  tests_pass: 'verify_pass',
  tests_fail: 'verify_fail',
  escalate: 'escalate',
  merge_conflict: 'review_fail',
  merged: 'review_pass',
  'CODE_REVIEW changes': 'review_fail',
  'CODE_REVIEW abandon': 'review_fail',
  'CODE_REVIEW unrecoverable': 'review_fail',
};

/** A record that moves a run moves its task as the table says, after the run. A launch, which makes the run, moves the task first. */
function taskFollowsRun(line: JournalRecord, must: Must): void {
  const moves = line.moves.filter((move) => move.machine !== 'plan');
  if (line.event === 'launch' || line.event === 'revert' || line.event === 'mark_done') return;
  const events = moves.flatMap((move) =>
    move.machine === 'coder' ? (TASK_EVENTS[`${move.from} ${move.event}`] ?? TASK_EVENTS[move.event] ?? []) : [],
  );
  const expected = line.event === 'stage_passed' ? ['review_pass'] : events;
  const seen = moves.flatMap((move) => (move.machine === 'task' ? move.event : []));
  const isLast = moves.findLastIndex((move) => move.machine === 'coder') < moves.length - seen.length;
  must(isLast && seen.join() === expected.join(), `C2 ${line.event} moves the task by "${seen}", not by "${expected}"`);
}

const JUDGES: Readonly<Record<string, string>> = {
  PLAN_REVIEW: 'architect',
  spec: 'spec-reviewer',
  quality: 'quality-reviewer',
};

/** Who says yes or no about a run is the session that was begun for exactly that. */
function verdicts(line: JournalRecord, entry: PlanEntry, must: Must): void {
  if (line.by !== 'agent' || !['approve', 'stage_passed', 'changes', 'advised'].includes(line.event)) return;
  if (!('task' in line)) return;
  const run = entry.tasks.find((one) => one.id === line.task)?.run;
  must(run?.session?.id === line.session && run?.session?.entered === run?.entered, 'C6 a verdict from a stranger');
  must(
    line.role === JUDGES[run?.state === 'CODE_REVIEW' ? (run.stage ?? '') : (run?.state ?? '')],
    'C6 a verdict from another role',
  );
}

function isMerging(task: TaskEntry): boolean {
  return task.run?.issued?.do === 'merge';
}

/** What is wrong with a world at rest. */
export function brokenIn(world: World, ghost: Ghost): string[] {
  const broken: string[] = [];
  const must: Must = (holds, otherwise) => void (holds || broken.push(otherwise));
  const entry = world.plans.get(PLAN);
  if (entry === undefined) return [];
  for (const task of entry.tasks) {
    must(task.state === stateFor(task), `C2 ${task.id} is ${task.state}, its run says ${stateFor(task)}`);
    if (ghost.landed.has(task.id))
      must(task.state === 'done' || task.state === 'quality_review', `C11 ${task.id} landed and is ${task.state}`);
    owned(world, entry, task, must);
  }
  for (const session of world.sessions.values()) {
    if (session.wanted !== 'running') continue;
    const status = session.reviews ? 'reviewing' : 'implementing';
    must(entry.status === status, `C4 ${session.role} at work while the plan is ${entry.status}`);
  }
  ownedPlan(world, entry, must);
  if (entry.status === 'reviewing' || entry.status === 'done')
    must(!entry.tasks.some(isMerging), `C4 a merge while the plan is ${entry.status}`);
  return broken;
}

const BY_RUN: Readonly<Record<string, string>> = {
  WAITING: 'planned',
  TESTING: 'verifying',
  AWAIT_MERGE: 'quality_review',
  DONE: 'done',
};

/** The task's state as a function of its run. */
function stateFor({ run, state }: TaskEntry): string {
  if (run === undefined) return state === 'done' ? 'done' : 'planned';
  if (run.state === 'CODE_REVIEW') return run.stage === 'quality' ? 'quality_review' : 'spec_review';
  return BY_RUN[run.state] ?? 'implementing';
}

/** Somebody has the turn who can take it, not for ever, and a person has a way besides cancelling. */
function owned(world: World, entry: PlanEntry, task: TaskEntry, must: Must): void {
  const { run } = task;
  const standing = taskWaitStatus(world, entry, task);
  if (task.state === 'done') return;
  must(standing.owner !== null, `C7 nobody owns ${task.id}`);
  if (run === undefined || run.state === 'ERROR') return;
  if (entry.status !== 'implementing' && run.issued === null) return;
  const where = `${task.id} in ${run.state}`;
  if (isHeldUp(run))
    // What is in the way is outside of cadre, and so is what a person does about it.
    must(
      standing.owner === 'user' && standing.deadline?.leadsTo === 'remind' && isServed(world, entry, task, run),
      `C7 the merge of ${where} waits, and not for a person`,
    );
  else if (standing.owner === 'engine')
    must(isServed(world, entry, task, run), `C7 the engine owes ${where} something and does nothing`);
  else if (standing.owner === 'user') must(standing.waysOut.length > 0, `C7 a person owns ${where} and can do nothing`);
  else must(sessionHealth(run, world.sessions) === 'working', `C7 an agent owns ${where} and does not work`);
  const isKeptWaiting = isWaitingForMerge(entry, run) || (world.frozen && run.issued === null);
  if (standing.owner !== 'user' && !(standing.owner === 'engine' && isKeptWaiting))
    must(standing.deadline !== null, `C7 ${where} may wait for ever`);
  if (!isMerging(task))
    must(standing.waysOut.length > 0 || entry.status !== 'implementing', `C8 no way out of ${where}`);
}

/** An effect is issued and in the outbox, or another's merge is; while a person wants nothing to begin, nothing need be. */
function isServed(world: World, entry: PlanEntry, _task: TaskEntry, run: RunEntry): boolean {
  if (run.issued !== null) return world.outbox.has(run.issued.effect);
  return world.frozen || isWaitingForMerge(entry, run);
}

function isWaitingForMerge(entry: PlanEntry, run: RunEntry): boolean {
  return run.state === 'AWAIT_MERGE' && run.issued === null && entry.tasks.some(isMerging);
}

function ownedPlan(world: World, entry: PlanEntry, must: Must): void {
  const standing = planWaitStatus(world, entry);
  if (entry.status === 'done' || entry.status === 'cancelled') return;
  must(standing.owner !== null, 'C7 nobody owns the plan');
  if (entry.work === undefined) return;
  if (entry.status === 'reviewing') {
    const isAt = sessionHealthOf(entry.work?.session ?? null, entry.entered, world.sessions) === 'working';
    const isKeptWaiting = standing.owner === 'user' || (standing.owner === 'engine' && world.frozen);
    must(isKeptWaiting || isAt, 'C7 the review is nobody’s');
    must(isKeptWaiting || standing.deadline !== null, 'C7 the review may last for ever');
    must(standing.waysOut.length > 0, 'C8 no way out of the review');
  }
  if (entry.status === 'implementing') {
    const isHeldUp = entry.tasks.some((task) => task.state !== 'done' && !task.stale);
    must(
      isHeldUp || !entry.tasks.some((task) => !task.stale) || entry.tasks.some(isMerging),
      'C7 all done, and nothing follows',
    );
  }
}
