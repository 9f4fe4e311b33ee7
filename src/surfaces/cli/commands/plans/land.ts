// cadre land: lands an approved plan as the settings say, or says how a person does it.

import { hasNotLanded } from '../../../../core/model/plan-owner.ts';
import { viewPlan } from '../../../../core/views/plan.ts';
import { showText } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { ENGINE_GONE } from '../../text/engine-lines.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const after = await app.feedStart();
  return performAnd(context, { do: 'land', on: given.arguments[0] ?? '', input: {} }, async ({ plan, notes }) => {
    if (plan === undefined) throw new Error('The action landed no plan.');
    const outcome = await app.followBuild({ plan: plan.plan, after, stop: context.stop }, () => undefined);
    const world = await app.world();
    const entry = world.plans.get(plan.plan) ?? plan;
    const landed = entry.work?.landed ?? null;
    const isStuck = outcome?.kind === 'no-engine';
    const pending = isStuck ? (outcome.problem ?? ENGINE_GONE) : 'The engine continues in the background.';
    const isPending = outcome === undefined || isStuck || landed === null;
    const sentence = isPending ? `${plan.plan} is still landing. ${pending}` : showText(landed.text);
    answer(context, { plan: viewPlan(world, entry), landed, notes }, [sentence]);
    return isStuck || hasNotLanded(entry) ? EXIT.person : EXIT.ok;
  });
};
