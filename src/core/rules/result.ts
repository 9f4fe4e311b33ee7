// Rules for what a run waits for: the result of an effect, an agent that falls silent, a deadline.
import { WORKING } from '../../machines/plan.ts';
import { isOverdue, planningDeadlines, reviewDeadlines, runDeadlines } from '../model/deadlines.ts';
import { BY_ENGINE, type Decision, IGNORED } from '../model/decision.ts';
import type { EffectResult, EventOfKind } from '../model/event.ts';
import type { SessionId } from '../model/ids.ts';
import { dutyIn, isLive, sessionHealth } from '../model/run-status.ts';
import type { World } from '../model/world.ts';
import { decideRestored } from './plan/incident.ts';
import { decideLanded } from './plan/landing.ts';
import { reviewerTrouble } from './plan/review.ts';
import { cleanupEffects, endInError } from './run/end.ts';
import { type RunContext, type RunStep, recordStep } from './run/step.ts';
import { backFromMerge, finishWork, testsFail, testsPass } from './run/verify.ts';
import { decideRelinked } from './run/worktree-incident.ts';
import { plannerTrouble } from './workshop/keep.ts';

/** The result of an effect that no live run waits for is ignored. */
export function decideResult(world: World, { effect, result }: EventOfKind<'result'>, now: Date): Decision {
  if (!world.outbox.has(effect)) return IGNORED;
  if (result.of === 'land') return decideLanded(world, effect, result, now);
  if (result.of === 'set-branch') return decideRestored(world, effect, result, now);
  if (result.of === 'relink') return decideRelinked(world, effect, result, now);
  const context = runWaitingFor(world, effect, now);
  if (context === undefined || context.run.issued?.do !== result.of) return IGNORED;
  return applyResult(context, result, { result: effect });
}

function applyResult(
  context: RunContext,
  result: Exclude<EffectResult, { of: 'land' | 'set-branch' | 'relink' }>,
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
      return recordStep(context, {
        ...more,
        moves: ['workspace_ready'],
        change: { base: result.base, head: result.base },
      });
    case 'verify': {
      if ('failed' in result) return testsFail(context, 'verify_infrastructure', result.failed, more);
      const how = { ...more, verified: result.verified };
      return result.passed ? testsPass(context, how) : testsFail(context, 'test_failure', result.text, how);
    }
    case 'merge':
      if ('conflict' in result) return backFromMerge(context, 'merge_conflict', result.conflict, more);
      if ('failed' in result) return backFromMerge(context, 'merge_failure', result.failed, more);
      return merged(context, result.tip, more);
  }
}

/** The task is done only now. The commit on the plan branch is the one that the merge intended. */
function merged(context: RunContext, tip: string, more: Pick<RunStep, 'result'>): Decision {
  const { plan } = context.entry;
  return recordStep(context, {
    ...more,
    moves: ['merged'],
    change: { merged: tip },
    also: [{ of: 'plan', plan, change: { tip, moving: null } }],
    effects: cleanupEffects(context, 'remove'),
  });
}

/** Changes no state. Ignored as long as the reason stays the same, however often the engine retries. */
export function decideHeldUp(world: World, { effect, why, needsPerson }: EventOfKind<'held-up'>, now: Date): Decision {
  const context = world.outbox.has(effect) ? runWaitingFor(world, effect, now) : undefined;
  const issued = context?.run.issued;
  if (context === undefined || !issued || issued.heldUp?.why === why) return IGNORED;
  // The deadline restarts when it is the engine's turn again.
  const { asleep: _asleep, ...anew } = issued;
  const heldUp =
    issued.heldUp?.needsPerson === needsPerson
      ? { ...issued, heldUp: { ...issued.heldUp, why } }
      : { ...anew, heldUp: { why, since: now.toISOString(), needsPerson } };
  return recordStep(context, { moves: [], name: 'held_up', cause: why, change: { issued: heldUp } });
}

/** A silent implementer that has committed may be finished; verifying costs one test run. Any other silent agent has failed. */
export function decideSilent(world: World, { session, worktree }: EventOfKind<'silent'>, now: Date): Decision {
  const context = runOfSession(world, session, now);
  if (context === undefined)
    return plannerTrouble(world, session, 'silent', now) ?? reviewerTrouble(world, session, 'silent', now);
  const { run, entry } = context;
  if (entry.status !== WORKING || sessionHealth(run, world.sessions) !== 'working') return IGNORED;
  if (isYetToBeReminded(world, session)) return IGNORED;
  const duty = dutyIn(run, world.policy, context.task);
  if (duty === undefined) return IGNORED;
  const isFinished =
    (duty.work === 'build' || duty.work === 'fix') && worktree !== undefined && worktree.head !== run.session?.head;
  const finished = isFinished ? finishWork(context, worktree) : undefined;
  if (finished?.kind === 'accepted') return finished;
  const head = worktree?.head ?? run.head;
  return markTrouble(context, 'silent', { started: true, head });
}

/** An agent whose reminder is still pending has not fallen silent again. */
function isYetToBeReminded({ outbox }: World, session: SessionId): boolean {
  return [...outbox.values()].some((effect) => effect.do === 'nudge' && effect.session === session);
}

function markTrouble(context: RunContext, trouble: 'silent' | 'overdue', change: RunStep['change'] = {}): Decision {
  const { session } = context.run;
  if (session === null) return IGNORED;
  const name = trouble === 'silent' ? 'fell_silent' : 'session_overdue';
  return recordStep(context, { moves: [], name, change: { ...change, session: { ...session, trouble } } });
}

/** Ignored if the deadline has not passed, or was met in the meantime. */
export function decideOverdue(world: World, { wait, landed }: EventOfKind<'overdue'>, now: Date): Decision {
  if (wait.for === 'session') return sessionOverdue(world, wait, now);
  const entry = world.plans.get(wait.plan);
  const task = entry?.tasks.find((one) => one.id === wait.task);
  if (entry === undefined || task === undefined || !isLive(task.run)) return IGNORED;
  const context: RunContext = { world, now, by: BY_ENGINE, entry, task, run: task.run };
  if (!isOverdue(runDeadlines(world, entry, task, task.run), wait, now)) return IGNORED;
  if (wait.for === 'run') return endInError(context, 'The run has reached its time limit.');
  const more = { result: wait.effect };
  switch (task.run.issued?.do) {
    case 'worktree':
      return applyResult(context, { of: 'worktree', failed: 'The worktree was not ready in time.' }, more);
    case 'verify':
      return applyResult(context, { of: 'verify', failed: 'The verification did not finish in time.' }, more);
    case 'merge':
      // A merge that is about to move the branch, or has just done so, is completed.
      if (landed === undefined || (landed === null && isMoving(context))) return IGNORED;
      if (landed !== null) return merged(context, landed, more);
      return applyResult(context, { of: 'merge', failed: 'The merge did not finish in time.' }, more);
    default:
      return IGNORED;
  }
}

function isMoving({ entry, run }: RunContext): boolean {
  return entry.work?.moving != null && entry.work.moving.effect === run.issued?.effect;
}

function sessionOverdue(
  world: World,
  wait: Extract<EventOfKind<'overdue'>['wait'], { for: 'session' }>,
  now: Date,
): Decision {
  const context = runOfSession(world, wait.session, now);
  if (context !== undefined) {
    const found = runDeadlines(world, context.entry, context.task, context.run);
    const isUp = world.sessions.get(wait.session)?.up !== undefined;
    return isOverdue(found, wait, now) ? markTrouble(context, 'overdue', isUp ? { started: true } : {}) : IGNORED;
  }
  for (const entry of world.plans.values()) {
    if (isOverdue(planningDeadlines(world, entry), wait, now))
      return plannerTrouble(world, wait.session, 'overdue', now) ?? IGNORED;
    if (isOverdue(reviewDeadlines(world, entry), wait, now))
      return reviewerTrouble(world, wait.session, 'overdue', now);
  }
  return IGNORED;
}

/** The live run that waits for the effect. */
function runWaitingFor(world: World, effect: string, now: Date): RunContext | undefined {
  for (const entry of world.plans.values())
    for (const task of entry.tasks)
      if (isLive(task.run) && task.run.issued?.effect === effect)
        return { world, now, by: BY_ENGINE, entry, task, run: task.run };
  return undefined;
}

/** The live run whose newest session it is. */
function runOfSession(world: World, id: SessionId, now: Date): RunContext | undefined {
  const session = world.sessions.get(id);
  if (session?.attempt === undefined || session.plan === undefined) return undefined;
  const entry = world.plans.get(session.plan);
  const task = entry?.tasks.find((one) => one.id === session.task);
  if (entry === undefined || task === undefined || !isLive(task.run) || task.run.session?.id !== id) return undefined;
  return { world, now, by: BY_ENGINE, entry, task, run: task.run };
}
