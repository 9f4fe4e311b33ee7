// What a person does to the plan that is shown: runs, approves, pauses, lands it, or has it planned again.
import { slugOf, undated } from '../../../plan/name.ts';
import { perform } from './commands.ts';
import { askAbout, confirmation } from './dialogs.ts';
import type { ShownPlan } from './snapshot.ts';
import { become, doing, refusing, type Situation, type Step } from './step.ts';

export function planNext(situation: Situation): Step {
  const { snapshot } = situation;
  const { plan } = snapshot;
  if (plan === null) return runPlan(situation);
  const on = slugOf(plan.plan);
  if (plan.planning?.state === 'review_ready')
    return become(
      askAbout(
        situation,
        confirmation(
          `Approve the plan ${undated(on)}?`,
          ['Its file is written to docs/plans.'],
          [perform({ do: 'plan-approve', on, input: {} })],
        ),
      ),
    );
  if (plan.status === 'reviewing')
    return become(
      askAbout(
        situation,
        confirmation(
          `Approve ${undated(on)}?`,
          [`${plan.progress.done} of ${plan.progress.of} tasks are done.`],
          [perform({ do: 'approve', on, input: {} })],
        ),
      ),
    );
  if (plan.status === 'done') return landSelected(situation);
  return runPlan(situation);
}

export function runPlan(situation: Situation): Step {
  const { model, snapshot } = situation;
  const plan = snapshot.plan?.plan ?? snapshot.status?.active ?? undefined;
  if (plan === undefined)
    return refusing(situation, 'There is no plan to run. "N" starts one, ":run <file>" runs a file.');
  const on = slugOf(plan);
  if (snapshot.plan?.paused === true) return doing(model, perform({ do: 'resume', on, input: {} }));
  return doing(model, perform({ do: 'run', on: plan, input: { headless: false } }));
}

export function pause(situation: Situation): Step {
  return onPlan(situation, (plan, on) =>
    plan.paused
      ? refusing(situation, `${on} is paused already: "r" resumes it.`)
      : become(
          askAbout(
            situation,
            confirmation(
              `Pause ${undated(on)}?`,
              ['Its agents are stopped, and continue with the same turns.'],
              [perform({ do: 'pause', on, input: {} })],
            ),
          ),
        ),
  );
}

export function landSelected(situation: Situation): Step {
  return onPlan(situation, ({ landed }, on) => {
    if (landed?.ok === true && !landed.byHand) return refusing(situation, `${on} has already landed. ${landed.text}`);
    if (landed?.byHand === true) return refusing(situation, `The settings leave landing to you. ${landed.text}`);
    return become(
      askAbout(
        situation,
        confirmation(
          `Land ${undated(on)}?`,
          ['The plan branch is brought into its base branch.'],
          [perform({ do: 'land', on, input: {} })],
        ),
      ),
    );
  });
}

/** The plan goes back to planning. */
export function modify(situation: Situation): Step {
  const { model, snapshot } = situation;
  return onPlan(situation, ({ status }, on) => {
    const move = perform({ do: 'move', on, input: { event: 'plan_start' } });
    const isWorking = (snapshot.status?.sessions ?? []).some((session) => session.plan === snapshot.plan?.plan);
    if (!isWorking) return doing(model, move);
    return become(
      askAbout(
        situation,
        confirmation(`Modify ${undated(on)}?`, [`It is ${status}, and agents are working on it.`], [move]),
      ),
    );
  });
}

function onPlan(situation: Situation, step: (plan: ShownPlan, on: string) => Step): Step {
  const { plan } = situation.snapshot;
  return plan === null ? refusing(situation, 'There is no plan here.') : step(plan, slugOf(plan.plan));
}
