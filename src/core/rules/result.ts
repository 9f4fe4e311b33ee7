// What came of something that a run waits for: the result of an effect, an agent that does nothing, a deadline.
import { WORKING } from '../../machines/plan.ts';
import { isOverdue, reviewDeadlines, runDeadlines } from '../model/deadlines.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED } from '../model/decision.ts';
import type { EffectResult, EventOfKind } from '../model/event.ts';
import type { SessionId } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';
import type { RecordChange } from '../model/run.ts';
import { dutyIn, isLive, sessionHealth } from '../model/run-status.ts';
import type { World } from '../model/world.ts';
import { decideLanded } from './plan/landing.ts';
import { reviewerTrouble } from './plan/review.ts';
import { cleanupEffects, giveUp } from './run/end.ts';
import { type RunContext, type RunStep, recordStep } from './run/step.ts';
import { backFromMerge, finishWork, testsFail, testsPass } from './run/verify.ts';

/** Of an effect that nobody waits for any more, or of a run that has ended, nothing follows. */
export function decideResult(world: World, { effect, result }: EventOfKind<'result'>, now: Date): Decision {
  if (!world.outbox.has(effect)) return IGNORED;
  if (result.of === 'land') return decideLanded(world, effect, result, now);
  const context = whoWaits(world, effect, now);
  if (context === undefined || context.run.issued?.do !== result.of) return IGNORED;
  return follow(context, result, { result: effect });
}

function follow(
  context: RunContext,
  result: Exclude<EffectResult, { of: 'land' }>,
  more: Pick<RunStep, 'result'>,
): Decision {
  switch (result.of) {
    case 'worktree':
      if ('failed' in result)
        return recordStep(context, {
          ...more,
          moves: ['setup_failed'],
          cause: result.failed,
          change: { failed: result.failed },
        });
      return ready(context, result.base, more);
    case 'verify':
      if ('failed' in result) return testsFail(context, 'verify_infrastructure', result.failed, more);
      return result.passed ? testsPass(context, more) : testsFail(context, 'test_failure', result.text, more);
    case 'merge':
      if ('conflict' in result) return backFromMerge(context, 'merge_conflict', result.conflict, more);
      if ('failed' in result) return backFromMerge(context, 'merge_failure', result.failed, more);
      return merged(context, result.tip, more);
  }
}

/** The first worktree shows where the plan's branch begins; from then on merges tell. */
function ready(context: RunContext, base: string, more: Pick<RunStep, 'result'>): Decision {
  const decision = recordStep(context, { ...more, moves: ['workspace_ready'], change: { base, head: base } });
  return context.entry.work?.tip == null ? withTip(context, base, decision) : decision;
}

/** Only now is the task done. */
function merged(context: RunContext, tip: string, more: Pick<RunStep, 'result'>): Decision {
  return withTip(
    context,
    tip,
    recordStep(context, { ...more, moves: ['merged'], effects: cleanupEffects(context, 'remove') }),
  );
}

function withTip({ entry }: RunContext, tip: string, decision: Decision): Decision {
  const [line] = decision.records;
  if (decision.kind !== 'accepted' || line === undefined || entry.work?.tip === tip) return decision;
  const change: RecordChange = { of: 'plan', plan: entry.plan, change: { tip } };
  const changed: JournalRecord = { ...line, changes: [...(line.changes ?? []), change] };
  return accepted(changed);
}

/** It moves nothing. That the same is still in the way is known already, however often it was tried since. */
export function decideHeldUp(world: World, { effect, why, needsPerson }: EventOfKind<'held-up'>, now: Date): Decision {
  const context = world.outbox.has(effect) ? whoWaits(world, effect, now) : undefined;
  const issued = context?.run.issued;
  if (context === undefined || !issued || issued.heldUp?.why === why) return IGNORED;
  // Time counts anew when it is the engine's turn again.
  const since = issued.heldUp?.needsPerson === needsPerson ? issued.heldUp.since : now.toISOString();
  return recordStep(context, {
    moves: [],
    name: 'held_up',
    cause: why,
    change: { issued: { ...issued, heldUp: { why, since, needsPerson } } },
  });
}

/** An implementer that has committed and does nothing may be finished; to find out costs one test run. Anyone else has failed. */
export function decideSilent(world: World, { session, worktree }: EventOfKind<'silent'>, now: Date): Decision {
  const context = whoseSession(world, session, now);
  if (context === undefined) return reviewerTrouble(world, session, 'silent', now);
  const { run, entry } = context;
  if (entry.status !== WORKING || sessionHealth(run, world.sessions) !== 'working') return IGNORED;
  if (isYetToBeReminded(world, session)) return IGNORED;
  const duty = dutyIn(run, world.policy);
  if (duty === undefined) return IGNORED;
  const isFinished =
    world.policy.autoVerify &&
    (duty.work === 'build' || duty.work === 'fix') &&
    worktree !== undefined &&
    worktree.head !== run.session?.head;
  const finished = isFinished ? finishWork(context, worktree) : undefined;
  if (finished?.kind === 'accepted') return finished;
  const head = worktree?.head ?? run.head;
  return markTrouble(context, 'silent', { started: true, head });
}

/** Whoever has not heard the reminder yet has not fallen silent after it. */
function isYetToBeReminded({ outbox }: World, session: SessionId): boolean {
  return [...outbox.values()].some((effect) => effect.do === 'nudge' && effect.session === session);
}

function markTrouble(context: RunContext, trouble: 'silent' | 'overdue', change: RunStep['change'] = {}): Decision {
  const { session } = context.run;
  if (session === null) return IGNORED;
  const name = trouble === 'silent' ? 'fell_silent' : 'session_overdue';
  return recordStep(context, { moves: [], name, change: { ...change, session: { ...session, trouble } } });
}

/** A deadline that has not passed, or has been met in the meantime, is none. */
export function decideOverdue(world: World, { wait, landed }: EventOfKind<'overdue'>, now: Date): Decision {
  if (wait.for === 'session') return sessionOverdue(world, wait, now);
  const entry = world.plans.get(wait.plan);
  const task = entry?.tasks.find((one) => one.id === wait.task);
  if (entry === undefined || task === undefined || !isLive(task.run)) return IGNORED;
  const context: RunContext = { world, now, by: BY_ENGINE, entry, task, run: task.run };
  if (!isOverdue(runDeadlines(world, entry, task, task.run), wait, now)) return IGNORED;
  if (wait.for === 'run') return giveUp(context, 'The run has reached its time limit.');
  const more = { result: wait.effect };
  switch (task.run.issued?.do) {
    case 'worktree':
      return follow(context, { of: 'worktree', failed: 'The worktree was not ready in time.' }, more);
    case 'verify':
      return follow(context, { of: 'verify', failed: 'The verification did not finish in time.' }, more);
    case 'merge':
      // Only a look at the branch tells whether it has happened.
      if (landed === undefined) return IGNORED;
      if (landed !== null) return merged(context, landed, more);
      return follow(context, { of: 'merge', failed: 'The merge did not finish in time.' }, more);
    default:
      return IGNORED;
  }
}

function sessionOverdue(
  world: World,
  wait: Extract<EventOfKind<'overdue'>['wait'], { for: 'session' }>,
  now: Date,
): Decision {
  const context = whoseSession(world, wait.session, now);
  if (context !== undefined) {
    const found = runDeadlines(world, context.entry, context.task, context.run);
    const isUp = world.sessions.get(wait.session)?.up !== undefined;
    return isOverdue(found, wait, now) ? markTrouble(context, 'overdue', isUp ? { started: true } : {}) : IGNORED;
  }
  for (const entry of world.plans.values())
    if (isOverdue(reviewDeadlines(world, entry), wait, now))
      return reviewerTrouble(world, wait.session, 'overdue', now);
  return IGNORED;
}

/** The live run that waits for the effect. */
function whoWaits(world: World, effect: string, now: Date): RunContext | undefined {
  for (const entry of world.plans.values())
    for (const task of entry.tasks)
      if (isLive(task.run) && task.run.issued?.effect === effect)
        return { world, now, by: BY_ENGINE, entry, task, run: task.run };
  return undefined;
}

/** The live run whose newest session it is. */
function whoseSession(world: World, id: SessionId, now: Date): RunContext | undefined {
  const session = world.sessions.get(id);
  if (session?.attempt === undefined || session.plan === undefined) return undefined;
  const entry = world.plans.get(session.plan);
  const task = entry?.tasks.find((one) => one.id === session.task);
  if (entry === undefined || task === undefined || !isLive(task.run) || task.run.session?.id !== id) return undefined;
  return { world, now, by: BY_ENGINE, entry, task, run: task.run };
}
