// Where the branch of an approved plan goes: asked for with the approval, again by a person, and never while cadre is frozen.

import { slugOf } from '../../../plan/name.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import { numbered } from '../../model/effect.ts';
import type { EffectResult, EventOfKind } from '../../model/event.ts';
import { speakerName, unknownPlan } from '../../model/refusals.ts';
import { suggest } from '../../model/suggestion.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import type { ManagedContext } from './context.ts';

/** An approval while cadre was frozen has left the landing for the thaw. */
export function land(context: ManagedContext): Decision | undefined {
  return context.work.lands && !context.world.frozen ? startLanding(context) : undefined;
}

/** A person says it once more, after what was in the way is gone. */
export function landAgain(world: World, { plan, by }: EventOfKind<'land'>, now: Date): Decision {
  if (by.who !== 'user')
    return refused('user-only', `"land" is a person's decision; ${speakerName(by)} cannot cause it.`);
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  const { work, status } = entry;
  if (status !== 'done') return refused('state', `${plan} is ${status}; only an approved plan lands.`);
  if (work === undefined) return refused('no-run', `cadre did not build ${plan}, so merging it is up to you.`);
  if (work.landed?.ok) return refused('state', `${plan} has already landed: ${work.landed.text}`);
  if (world.frozen) return refused('frozen', `cadre is frozen, so ${plan} does not land.`, suggest('thaw'));
  if (isLanding(world, entry)) return refused('state', `${plan} is landing right now.`, suggest('why', slugOf(plan)));
  return startLanding({ world, now, by, entry, work });
}

function isLanding(world: World, { plan }: PlanEntry): boolean {
  return [...world.outbox.values()].some((effect) => effect.do === 'land' && effect.plan === plan);
}

function startLanding(context: ManagedContext): Decision {
  const { plan } = context.entry;
  return accepted(
    record(
      context,
      { event: 'land_begun', plan },
      {
        changes: [{ of: 'plan', plan, change: { lands: false, landed: null } }],
        effects: numbered(context.world.seq + 1, [{ do: 'land', plan, tip: context.work.tip }]),
      },
    ),
  );
}

/** What came of it is kept on the plan; it moves nothing. */
export function decideLanded(
  world: World,
  effect: string,
  { of: _of, ...outcome }: Extract<EffectResult, { of: 'land' }>,
  now: Date,
): Decision {
  const issued = world.outbox.get(effect);
  if (issued?.do !== 'land') return IGNORED;
  const { plan } = issued;
  const landed = { ...outcome, at: now.toISOString() };
  return accepted(
    record(
      { world, now, by: BY_ENGINE },
      { event: 'landed', plan, result: effect },
      { changes: [{ of: 'plan', plan, change: { landed } }] },
    ),
  );
}
