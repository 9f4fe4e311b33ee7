// What the engine does automatically for one live run of a plan that is being implemented.
import type { Decision } from '../../model/decision.ts';
import {
  answererOf,
  COUNTED,
  type Duty,
  dutyIn,
  findingsWait,
  hasFailed,
  rulerOf,
  sessionHealth,
} from '../../model/run-status.ts';
import { failureOf } from '../../model/session.ts';
import { mayIssue } from '../../model/stops.ts';
import { startSession, startTurn } from './agent-turns.ts';
import { answerQuestion } from './answer.ts';
import { endRun } from './end.ts';
import { passWithoutReview } from './review.ts';
import { ruleAutomatically } from './ruling.ts';
import { type RunContext, recordStep } from './step.ts';
import { giveVerdict } from './verdict.ts';
import { startVerify } from './verify.ts';

/** Nothing while the link of its worktree is changed: neither an agent nor a verification could be believed. */
export function reactRun(context: RunContext): Decision | undefined {
  if (context.run.incident != null) return undefined;
  return decideAutomatically(context) ?? (mayIssue(context.world, context.entry) ? keepWorking(context) : undefined);
}

/** With the policy `auto`, the task's own text is its plan, and questions are answered so that the work continues. */
function decideAutomatically(context: RunContext): Decision | undefined {
  const { run, world } = context;
  const { architect } = world.policy;
  if (run.state === 'PLANNING' && architect.plan_review === 'auto')
    return recordStep(context, { moves: ['submit_plan'] });
  if (run.state === 'PLAN_REVIEW' && architect.plan_review === 'auto')
    return giveVerdict(context, 'approve', '', undefined);
  if (!run.waitsNext && findingsWait(run, context.task) === 'passed') return passWithoutReview(context);
  if (findingsWait(run, context.task) === 'ruling' && rulerOf(run, world.policy, context.task) === 'auto')
    return ruleAutomatically(context);
  if (run.state !== 'QUESTION' || answererOf(run, world.policy, context.task) !== 'auto') return undefined;
  return answerQuestion(
    context,
    run.question?.kind === 'check-in' ? 'CONTINUE' : 'Decide it yourself and continue.',
    undefined,
  );
}

function keepWorking(context: RunContext): Decision | undefined {
  const { run, world } = context;
  const duty = dutyIn(run, world.policy, context.task);
  if (duty === undefined) return run.state === 'TESTING' && run.issued === null ? startVerify(context) : undefined;
  const present = sessionHealth(run, world.sessions);
  if (present === 'working') return undefined;
  if (hasFailed(duty, present)) return recover(context, duty);
  // The same turn continues, so it is not counted again.
  if (present === 'interrupted') return startSession(context, duty);
  return COUNTED[duty.work] === null ? startSession(context, duty) : startTurn(context, duty);
}

function whyNotStarted({ run, world }: RunContext): string {
  const entry = run.session === null ? undefined : world.sessions.get(run.session.id);
  return entry === undefined ? 'It failed to start.' : failureOf(entry);
}

/** Restarts a failed agent up to the limit. If the first agent never started, the launch failed and the task is reverted. */
function recover(context: RunContext, duty: Duty): Decision | undefined {
  const { run, world } = context;
  const { counts } = run;
  if (counts.relaunches < world.policy.budgets.relaunches)
    return startSession(context, duty, { counts: { ...counts, relaunches: counts.relaunches + 1 } });
  // The engine can verify without the agent's report.
  if (duty.work === 'verify' && world.policy.verification === 'both') return startVerify(context);
  const isFirst = !run.started && (duty.work === 'plan' || duty.work === 'build');
  return isFirst ? endRun(context, 'revert', whyNotStarted(context)) : undefined;
}
