// cadre land: lands an approved plan as the settings say, or says how a person does it.
import { viewPlan } from '../../../../core/views/plan.ts';
import { hasNotLanded } from '../../../../core/views/why.ts';
import { showText } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const after = await app.feedStart();
  return performAnd(context, { do: 'land', on: given.arguments[0] ?? '', input: {} }, async ({ plan, notes }) => {
    if (plan === undefined) throw new Error('The action landed no plan.');
    const outcome = await app.followBuild({ plan: plan.plan, after, stop: context.stop }, () => undefined);
    const world = await app.world();
    const entry = world.plans.get(plan.plan) ?? plan;
    const landed = entry.work?.landed ?? null;
    const sentence =
      outcome === undefined || landed === null
        ? `${plan.plan} is still landing; the engine continues in the background.`
        : showText(landed.text);
    answer(context, { plan: viewPlan(world, entry), landed, notes }, [sentence]);
    return hasNotLanded(entry) ? EXIT.person : EXIT.ok;
  });
};
