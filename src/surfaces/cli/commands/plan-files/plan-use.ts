// cadre plan use: the plan that a person works on.

import type { Event } from '../../../../core/model/event.ts';
import { unknownFailure, unknownPlan } from '../../../../core/model/refusals.ts';
import type { Submission } from '../../../../core/ports/gateway.ts';
import { readEvents } from '../../../../core/rules/plan/outline.ts';
import { activePlan } from '../../../../core/views/plan.ts';
import type { App } from '../../app.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from '../../context.ts';
import { oneOf } from '../../find.ts';

export const run: Run = async (context, given) => {
  const [reference] = given.arguments;
  const newest = given.options.newest === true;
  if (newest === (reference !== undefined))
    return refuse(context, 'usage', 'Name one plan, or say --newest to go back to the one that was changed last.');
  const app = context.app();
  return reference === undefined ? goBack(context, app) : use(context, app, reference);
};

async function use(context: Context, app: App, reference: string): Promise<ExitCode> {
  const world = app.gateway.look();
  const plan = oneOf(new Set([...world.plans.keys(), ...app.planFiles.list()]), reference);
  if (plan === undefined) throw unknownFailure('unknown-plan', unknownPlan(reference));
  const isNew = !world.plans.has(plan);
  const registration: Event = {
    kind: 'register',
    plan,
    by: app.by,
    description: app.titleOf(plan),
    topic: '',
    planFileExists: app.planFileExists(plan),
  };
  const choice: Event = { kind: 'choose', plan, by: app.by };
  const submission = await app.gateway.submit([
    ...(isNew ? [registration, ...readEvents(plan, app.planFiles.read(plan))] : []),
    choice,
  ]);
  return tell(context, app, submission, isNew ? [`${plan} was not registered; it is now.`] : []);
}

async function goBack(context: Context, app: App): Promise<ExitCode> {
  return tell(context, app, await app.gateway.submit([{ kind: 'choose', plan: null, by: app.by }]), []);
}

function tell(context: Context, app: App, { answers, notes }: Submission, remarks: readonly string[]): ExitCode {
  for (const note of notes) context.say(note);
  for (const outcome of answers)
    if (outcome.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
  const world = app.gateway.look();
  const active = activePlan(world, app.planFiles.list()) ?? null;
  const chosen = world.chosen !== undefined;
  answer(context, { active, chosen }, [
    ...remarks,
    active === null ? 'There is no plan yet.' : `${active} is the active plan${chosen ? '' : ': it was changed last'}.`,
  ]);
  return EXIT.ok;
}
