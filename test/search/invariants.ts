// The invariants of every world and every record, stated independently of the rules.
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { RunEntry } from '../../src/core/model/run.ts';
import { isHeldUp, isLive, sessionHealth, sessionHealthOf } from '../../src/core/model/run-status.ts';
import type { SessionEntry } from '../../src/core/model/session.ts';
import { openTasks } from '../../src/core/model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';
import { planWaitStatus, taskWaitStatus } from '../../src/core/views/why.ts';
import { step } from '../../src/machines/machine.ts';
import { machines } from '../../src/machines/machines.ts';
import type { RunState } from '../../src/machines/run.ts';
import type { TaskState } from '../../src/machines/task.ts';
import { PLAN } from '../support/world.ts';
import { findingsRecord } from './findings.ts';
import { evidenceOf, type Ghost } from './ghost.ts';
import { incidentRecord, incidentWorld, isBeingRelinked, isWaitingForBranch, worktreeRecord } from './incidents.ts';
import type { Model } from './models.ts';
import { workshopRecord, workshopWorld } from './workshop-invariants.ts';

/** One record, the worlds before and after it, and what is known of the commits. */
export interface Written {
  readonly model: Model;
  readonly before: World;
  readonly line: JournalRecord;
  readonly after: World;
  /** What really was the case before the record, and after it. */
  readonly seen: Ghost;
  readonly ghost: Ghost;
}

/** The invariants that a record breaks. */
export function brokenBy({ model, before, line, after, seen, ghost }: Written): string[] {
  const broken: string[] = [];
  const must = (holds: boolean, otherwise: string): void => void (holds || broken.push(otherwise));
  const entry = before.plans.get(PLAN);
  const next = after.plans.get(PLAN);
  if (entry === undefined || next === undefined) return [];
  const checked: Checked = { model, line, entry, next, ghost, must };
  for (const move of line.moves) {
    const machine = machines.find((one) => one.name === move.machine);
    if (machine === undefined || move.from === null) continue;
    if (move.event === 'replan') {
      must(line.by === 'user' && move.from === 'done', 'C1 only a person has a done task built again');
      continue;
    }
    const result = step(machine, move.from, move.event);
    must(result.kind === 'moved' && result.to === move.to, `C1 ${move.machine}: no edge ${move.from} ${move.event}`);
    must(!machine.userOnly.includes(move.event) || line.by === 'user', `C1 only a person causes ${move.event}`);
  }
  for (const move of line.moves) {
    if (move.machine === 'plan') planMove(checked, move);
    else if (move.machine === 'task') taskMove(checked, move);
    else if (move.machine === 'coder') runMove(checked, move);
  }
  verdicts(checked);
  pauses(before, line, checked);
  if (!model.policy.autoVerify) manualSteps(checked);
  incidentRecord({ line, entry, next, ghost: seen, must });
  worktreeRecord({ line, entry, next, ghost: seen, must });
  workshopRecord({ line, entry, next, must });
  findingsRecord(line, entry, next, must);
  taskFollowsRun(line, must);
  if (line.event === 'session_news' && line.news.kind === 'sent' && line.news.reminder === undefined)
    must(line.changes === undefined, 'C7 text of a person that was not delivered changed a run');
  for (const effect of line.effects ?? []) {
    const isNewWork = ['worktree', 'verify', 'merge', 'nudge'].includes(effect.do);
    must(!isNewWork || next.status === 'implementing', `C4 ${effect.do} issued while ${next.status}`);
    const starts = isNewWork || effect.do === 'start-session';
    must(!starts || !before.frozen, `C4 ${effect.do} issued while frozen`);
    must(!(starts || effect.do === 'land') || !isStopped(before, entry), `C31 ${effect.do} issued while paused`);
    if (effect.do === 'merge') {
      const evidence = evidenceOf(ghost, effect.task);
      must(evidence.pin === effect.pin, 'C5 another commit is merged than was pinned');
      must(evidence.verified || evidence.overridden, 'C5 the merged commit was neither verified nor overridden');
      must(evidence.spec && evidence.quality, 'C5 the merged commit has not passed both reviews');
    }
  }
  return broken;
}

interface Checked {
  readonly model: Model;
  readonly line: JournalRecord;
  /** The plan before the record, and after it. */
  readonly entry: PlanEntry;
  readonly next: PlanEntry;
  readonly ghost: Ghost;
  readonly must: Must;
}

type Must = (holds: boolean, otherwise: string) => void;
type MoveOf<Machine extends string> = Extract<JournalRecord['moves'][number], { machine: Machine }>;

function planMove({ line, entry, next, must }: Checked, move: MoveOf<'plan'>): void {
  // Of a plan that is driven from outside nothing is known except what is reported.
  if (entry.work === undefined) return;
  const open = openTasks(entry).length;
  if (move.event === 'implement_finished') {
    must(open === 0, 'C13 finished with an open task');
    must(
      entry.tasks.some((task) => !task.stale),
      'C13 finished without any task',
    );
    must(!entry.tasks.some(isMerging), 'C4 finished while something is being merged');
  }
  if (move.event === 'review_approved') must(open === 0, 'C14 approved with an open task');
  if (move.event === 'review_changes_requested')
    must(openTasks(next).length > 0, 'changes requested, but nothing to do');
  if (move.event === 'start_over')
    must(openTasks(next).length > 0 || !next.tasks.some((one) => !one.stale), 'C23 nothing to build');
  const isAgents = line.by === 'agent';
  const isReview = move.event === 'review_approved' || move.event === 'review_changes_requested';
  if (isAgents && isReview)
    must(
      line.session !== undefined && line.session === entry.work?.session?.id,
      'C6 a verdict on the plan from the wrong session',
    );
  if (isAgents && isReview)
    must(entry.work.session?.tip === entry.work.tip, 'C6 a verdict on another commit of the plan branch');
  must(!isAgents || isReview || move.event === 'planner_finished', `C1 an agent caused ${move.event}`);
}

function taskMove({ model, line, entry, must }: Checked, move: MoveOf<'task'>): void {
  const task = entry.tasks.find((one) => one.id === move.task);
  if (move.to === 'done') {
    const isMerged = line.moves.some((one) => one.machine === 'coder' && one.event === 'merged');
    must(isMerged || (move.event === 'mark_done' && line.by === 'user'), 'C3 done without a merge or a person');
  }
  if (move.event === 'revert')
    must(line.by === 'user' || (line.by === 'engine' && task?.run?.started === false), 'C1 reverted by the engine');
  if (move.event !== 'launch') return;
  must(line.by === 'user' || !task?.held, 'C20 launched although it is held');
  must(task?.stale === false, 'a stale task is launched');
  const others = entry.tasks.filter((one) => one.id !== move.task && isLive(one.run) && !one.stale);
  must(!model.sequential || others.length === 0, 'C21 two runs in a sequential plan');
}

function runMove({ line, entry, ghost, must }: Checked, move: MoveOf<'coder'>): void {
  const evidence = evidenceOf(ghost, move.task);
  if (move.to === 'CODING') must(evidence.approvedPlan, 'C19 coding without an approved plan');
  if (move.to === 'CODE_REVIEW') must(evidence.pin !== null, 'C19 a review of nothing');
  if (move.event === 'merged') must(ghost.landed.has(move.task), 'C11 done, but not on the branch');
  if (move.event === 'merge_conflict') must(!ghost.landed.has(move.task), 'C11 on the branch, but not done');
  if (move.event.startsWith('tests_'))
    must(line.by !== 'agent' || isAgentsToVerify(entry, move.task), 'C6 an agent’s report counts as the test result');
}

/** Nothing is pending for the run, as in the model in which agents verify. */
function isAgentsToVerify(entry: PlanEntry, task: string): boolean {
  return entry.tasks.find((one) => one.id === task)?.run?.issued === null;
}

/** The task's event for each step of its run, repeated independently of the rules. All other steps do not move the task. */
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

/** A record that moves a run moves its task as the table says, after the run. In a launch the task moves first. */
function taskFollowsRun(line: JournalRecord, must: Must): void {
  const moves = line.moves.filter((move) => move.machine !== 'plan');
  if (['launch', 'revert', 'mark_done', 'incident_ended'].includes(line.event)) return;
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

/** Verdicts on a run come from the session that was started for that review. */
function verdicts({ line, entry, must }: Checked): void {
  if (line.by !== 'agent' || !['approve', 'stage_passed', 'changes', 'advised'].includes(line.event)) return;
  if (!('task' in line)) return;
  const run = entry.tasks.find((one) => one.id === line.task)?.run;
  must(
    run?.session?.id === line.session && run?.session?.entered === run?.entered,
    'C6 a verdict from the wrong session',
  );
  must(
    line.role === JUDGES[run?.state === 'CODE_REVIEW' ? (run.stage ?? '') : (run?.state ?? '')],
    'C6 a verdict from another role',
  );
}

const ADVANCING: readonly string[] = ['tests_pass', 'approve', 'escalate', 'stage_passed'];

/** With `auto_verify` off, a person starts the verification, each review and the merge. */
function manualSteps({ line, entry, next, must }: Checked): void {
  const isPersons = line.by === 'user';
  for (const { id, run } of entry.tasks) {
    const after = next.tasks.find((task) => task.id === id)?.run;
    if (run === undefined || after === undefined || run.attempt !== after.attempt) continue;
    const events = line.moves.flatMap((move) => (move.machine === 'coder' && move.task === id ? [move.event] : []));
    const isVerified = events.some((event) => event === 'code_complete' || event === 'fix_done');
    must(!isVerified || isPersons, 'C33 a verification that no person started');
    const advances =
      'task' in line && line.task === id && run.state !== 'PLAN_REVIEW' && ADVANCING.includes(line.event);
    const isNext = after.state === 'CODE_REVIEW' || after.state === 'AWAIT_MERGE';
    must(!advances || !isNext || isPersons || after.waitsNext === true, `C33 nobody is asked after ${line.event}`);
    must(!run.waitsNext || after.waitsNext || isPersons || events.length > 0, 'C33 a wait ends without a person');
    const starts = (line.effects ?? []).some((effect) => effect.do === 'start-session' || effect.do === 'nudge');
    const isOurs = line.event === 'session_begun' ? line.begun.task === id : 'task' in line && line.task === id;
    must(!(starts && isOurs && run.waitsNext) || line.event === 'launch', 'C31 an agent works while a step waits');
    const merges = (line.effects ?? []).some((effect) => effect.do === 'merge' && effect.task === id);
    must(!merges || !run.waitsNext || isPersons, 'C33 a merge that no person started');
  }
}

function isStopped({ paused }: World, entry: PlanEntry): boolean {
  return paused || entry.paused === true;
}

const STOPS: readonly string[] = ['paused', 'plan_paused', 'resumed', 'plan_resumed', 'frozen', 'thawed'];

/** Stopping and continuing costs nothing, and what cadre stops itself has not failed. */
function pauses(before: World, line: JournalRecord, { entry, next, must }: Checked): void {
  if (line.event === 'move_intended')
    must(line.move.from === null || !isStopped(before, entry), 'C30 a branch moves during a pause');
  for (const { id, run } of entry.tasks) {
    const after = next.tasks.find((task) => task.id === id)?.run;
    if (run === undefined || after === undefined) continue;
    const isSame =
      JSON.stringify({ ...run.counts, mergeAttempts: 0 }) === JSON.stringify({ ...after.counts, mergeAttempts: 0 });
    if (STOPS.includes(line.event)) {
      const withdrawn = run.issued?.do === 'merge' && after.issued === null ? 1 : 0;
      must(isSame, `C35 ${line.event} changes a counter`);
      must(
        after.counts.mergeAttempts === run.counts.mergeAttempts - withdrawn,
        `C30 ${line.event} costs a merge attempt`,
      );
    }
    const session = run.session === null ? undefined : before.sessions.get(run.session.id);
    const isSameTurn = session?.interrupted && run.session?.entered === run.entered && run.session.trouble === null;
    if (!isSameTurn || session.ended !== undefined || session.failure !== undefined) continue;
    const isContinued = line.event === 'session_begun' && line.begun.task === id;
    must(!isContinued || isSame, 'C35 a turn that was interrupted is counted again');
    must(line.event !== 'auto_checkin' || line.task !== id, 'C35 a turn that was interrupted counts as used up');
  }
  if (line.event === 'session_news' && before.sessions.get(line.about)?.interrupted)
    must(line.news.kind === 'up', 'C35 what cadre stopped itself counts as a failure');
}

function isMerging(task: TaskEntry): boolean {
  return task.run?.issued?.do === 'merge';
}

/** The invariants that a settled world breaks. */
export function brokenIn(world: World, ghost: Ghost): string[] {
  const broken: string[] = [];
  const must: Must = (holds, otherwise) => void (holds || broken.push(otherwise));
  const entry = world.plans.get(PLAN);
  if (entry === undefined) return [];
  must(entry.whole !== true, 'C1 a plan with tasks became one task: its whole file');
  for (const task of entry.tasks) {
    must(task.state === stateFor(task), `C2 ${task.id} is ${task.state}, its run says ${stateFor(task)}`);
    if (ghost.landed.has(task.id))
      must(task.state === 'done' || task.state === 'quality_review', `C11 ${task.id} landed and is ${task.state}`);
    owned(world, entry, task, must);
  }
  for (const { run } of entry.tasks.filter(isMerging)) {
    const isOnItsWay = entry.work?.moving?.effect === run?.issued?.effect;
    must(!isStopped(world, entry) || isOnItsWay, 'C30 a merge is pending during a pause');
  }
  for (const session of world.sessions.values()) {
    if (session.wanted !== 'running') continue;
    const status = session.plans ? 'planning' : session.reviews ? 'reviewing' : 'implementing';
    if (session.ended === undefined && session.failure === undefined) livesRightly(world, entry, session, must);
    must(entry.status === status, `C4 a ${session.role} runs while the plan is ${entry.status}`);
  }
  incidentWorld(world, entry, must);
  workshopWorld(world, entry, must);
  ownedPlan(world, entry, must);
  if (entry.status === 'reviewing' || entry.status === 'done')
    must(!entry.tasks.some(isMerging), `C4 a merge while the plan is ${entry.status}`);
  return broken;
}

/** No session lives during a pause, nor while a person has the next step; a freeze lets sessions continue. */
function livesRightly(world: World, entry: PlanEntry, session: SessionEntry, must: Must): void {
  must(!isStopped(world, entry), `C31 a ${session.role} runs while the plan is paused`);
  const task = entry.tasks.find((one) => one.id === session.task);
  must(task?.run?.issued?.do !== 'verify', `C5 a ${session.role} runs while its commit is verified`);
  const status = task === undefined ? planWaitStatus(world, entry) : taskWaitStatus(world, entry, task);
  must(world.frozen || status.owner !== 'user', `C32 a ${session.role} runs while a person has the next step`);
}

/** The task's state for each state of its run, except CODE_REVIEW; repeated on purpose, independent of the rules. */
const BY_RUN: { readonly [state in Exclude<RunState, 'CODE_REVIEW'>]: TaskState } = {
  WAITING: 'planned',
  SETUP: 'implementing',
  PLANNING: 'implementing',
  PLAN_REVIEW: 'implementing',
  CODING: 'implementing',
  TESTING: 'verifying',
  FIXING: 'implementing',
  AWAIT_MERGE: 'quality_review',
  QUESTION: 'implementing',
  DONE: 'done',
  ERROR: 'implementing',
};

function stateFor({ run, state }: TaskEntry): TaskState {
  if (run === undefined) return state === 'done' ? 'done' : 'planned';
  if (run.state === 'CODE_REVIEW') return run.stage === 'quality' ? 'quality_review' : 'spec_review';
  return BY_RUN[run.state];
}

/** Somebody has the next step and can take it, there is a deadline, and a person can do something other than cancel. */
function owned(world: World, entry: PlanEntry, task: TaskEntry, must: Must): void {
  const { run } = task;
  const status = taskWaitStatus(world, entry, task);
  if (task.state === 'done') return;
  must(status.owner !== null, `C7 nobody has the next step of ${task.id}`);
  if (run === undefined || run.state === 'ERROR') return;
  if (entry.status !== 'implementing' && run.issued === null) return;
  const where = `${task.id} in ${run.state}`;
  if (isHeldUp(run))
    // The obstacle is outside of cadre, and so is what the person does about it.
    must(
      status.owner === 'user' && status.deadline?.leadsTo === 'remind' && isServed(world, entry, task, run),
      `C7 the merge of ${where} is held up, but not for a person`,
    );
  else if (status.owner === 'engine')
    must(isServed(world, entry, task, run), `C7 the engine has the next step of ${where} and does nothing`);
  else if (status.owner === 'user')
    must(status.waysOut.length > 0, `C7 a person has the next step of ${where} and cannot do anything`);
  else
    must(
      sessionHealth(run, world.sessions) === 'working',
      `C7 an agent has the next step of ${where} and is not working`,
    );
  const isKeptWaiting =
    isWaitingForMerge(entry, run) || isBeingRelinked(world, run) || (mayNotIssue(world, entry) && run.issued === null);
  if (status.owner !== 'user' && !(status.owner === 'engine' && isKeptWaiting))
    must(status.deadline !== null, `C7 ${where} has no deadline`);
  if (status.owner === 'user')
    must(status.deadline?.leadsTo === 'remind', `C32 a clock runs while ${where} is a person’s`);
  if (!isMerging(task)) must(status.waysOut.length > 0 || entry.status !== 'implementing', `C8 no way out of ${where}`);
}

/** Its effect is in the outbox, or it waits for another merge. While cadre is frozen or paused nothing has to be issued. */
function isServed(world: World, entry: PlanEntry, _task: TaskEntry, run: RunEntry): boolean {
  if (run.issued !== null) return world.outbox.has(run.issued.effect);
  return mayNotIssue(world, entry) || isWaitingForMerge(entry, run) || isBeingRelinked(world, run);
}

function mayNotIssue(world: World, entry: PlanEntry): boolean {
  return world.frozen || isStopped(world, entry) || isWaitingForBranch(world, entry);
}

function isWaitingForMerge(entry: PlanEntry, run: RunEntry): boolean {
  return run.state === 'AWAIT_MERGE' && run.issued === null && entry.tasks.some(isMerging);
}

function ownedPlan(world: World, entry: PlanEntry, must: Must): void {
  const status = planWaitStatus(world, entry);
  if (entry.status === 'done' || entry.status === 'cancelled') return;
  must(status.owner !== null, 'C7 nobody has the next step of the plan');
  if (entry.work === undefined) return;
  if (entry.status === 'reviewing') {
    const isAt = sessionHealthOf(entry.work?.session ?? null, entry.entered, world.sessions) === 'working';
    const isKeptWaiting = status.owner === 'user' || (status.owner === 'engine' && mayNotIssue(world, entry));
    must(isKeptWaiting || isAt, 'C7 nobody has the next step of the review');
    must(isKeptWaiting || status.deadline !== null, 'C7 the review has no deadline');
    must(status.waysOut.length > 0, 'C8 no way out of the review');
  }
  if (entry.status === 'implementing') {
    const isHeldUp = entry.tasks.some((task) => task.state !== 'done' && !task.stale);
    must(
      isHeldUp || !entry.tasks.some((task) => !task.stale) || entry.tasks.some(isMerging),
      'C7 everything is done, but nothing follows',
    );
  }
}
