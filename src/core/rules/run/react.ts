// What the engine does by itself for one live run of a plan that is being implemented.
import type { Decision } from '../../model/decision.ts';
import { answererOf, COUNTED, type Duty, dutyIn, hasFailed, sessionHealth } from '../../model/run-status.ts';
import { failureOf } from '../../model/session.ts';
import { beginSession, beginTurn } from './agent-turns.ts';
import { answer } from './answer.ts';
import { endRun } from './end.ts';
import { type RunContext, recordStep } from './step.ts';
import { judge } from './verdict.ts';
import { beginVerify } from './verify.ts';

export function reactRun(scene: RunContext): Decision | undefined {
  return decideItself(scene) ?? (scene.world.frozen ? undefined : keepAtWork(scene));
}

/** Where nobody is to be asked: the task's own text is its plan, and what is asked is answered so that the work goes on. */
function decideItself(scene: RunContext): Decision | undefined {
  const { run, world } = scene;
  const { architect } = world.policy;
  if (run.state === 'PLANNING' && architect.plan_review === 'auto')
    return recordStep(scene, { moves: ['submit_plan'] });
  if (run.state === 'PLAN_REVIEW' && architect.plan_review === 'auto') return judge(scene, 'approve', '', undefined);
  if (run.state !== 'QUESTION' || answererOf(run, world.policy) !== 'auto') return undefined;
  return answer(scene, run.question?.kind === 'check-in' ? 'CONTINUE' : 'Decide it yourself, and go on.', undefined);
}

function keepAtWork(scene: RunContext): Decision | undefined {
  const { run, world } = scene;
  const duty = dutyIn(run, world.policy);
  if (duty === undefined) return run.state === 'TESTING' && run.issued === null ? beginVerify(scene) : undefined;
  const present = sessionHealth(run, world.sessions);
  if (present === 'working') return undefined;
  if (hasFailed(duty, present)) return recover(scene, duty);
  return COUNTED[duty.work] === null ? beginSession(scene, duty) : beginTurn(scene, duty);
}

function whyNotStarted({ run, world }: RunContext): string {
  const entry = run.session === null ? undefined : world.sessions.get(run.session.id);
  return entry === undefined ? 'It failed to start.' : failureOf(entry);
}

/** Another session for one that failed, as often as may be. A run whose first agent never came up was not really launched. */
function recover(scene: RunContext, duty: Duty): Decision | undefined {
  const { run, world } = scene;
  const { counts } = run;
  if (counts.relaunches < world.policy.budgets.relaunches)
    return beginSession(scene, duty, { counts: { ...counts, relaunches: counts.relaunches + 1 } });
  // The engine can find out by itself what its agent was to say first.
  if (duty.work === 'verify' && world.policy.verification === 'both') return beginVerify(scene);
  const isFirst = !run.started && (duty.work === 'plan' || duty.work === 'build');
  return isFirst ? endRun(scene, 'revert', whyNotStarted(scene)) : undefined;
}
