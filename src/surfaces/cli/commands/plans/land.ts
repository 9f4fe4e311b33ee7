// cadre land: an approved plan goes where the settings say, or a person is told how it does.
import { viewPlan } from '../../../../core/views/plan.ts';
import { hasNotLanded } from '../../../../core/views/why.ts';
import { showText } from '../../../../text/show.ts';
import { refusedToAgent } from '../../act.ts';
import { untilEnd } from '../../building.ts';
import { answer, EXIT, type Run, refuse } from '../../context.ts';
import { planNamed } from '../../find.ts';

export const run: Run = async (context, given) => {
  const no = refusedToAgent(context, 'land');
  if (no !== undefined) return no;
  const app = context.app();
  const before = await app.gateway.look();
  const { plan } = planNamed(before, given.arguments[0] ?? '');
  const { answers, notes } = await app.gateway.submit([{ kind: 'land', plan, by: app.by }]);
  for (const note of notes) context.say(note);
  const [outcome] = answers;
  if (outcome?.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
  await app.startEngine({ headless: false });
  const end = await untilEnd(app, plan, before.seq, context.stop, () => undefined);
  const world = await app.gateway.look();
  const entry = world.plans.get(plan);
  if (entry === undefined) throw new Error(`${plan} was there a moment ago.`);
  const landed = entry.work?.landed ?? null;
  const said =
    end === undefined || landed === null
      ? `${plan} is still landing; the engine goes on in the background.`
      : showText(landed.text);
  answer(context, { plan: viewPlan(world, entry), landed, notes }, [said]);
  return hasNotLanded(entry) ? EXIT.person : EXIT.ok;
};
