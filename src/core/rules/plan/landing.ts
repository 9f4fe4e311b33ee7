// Landing an approved plan: started with the approval, or again by a person, and never while nothing may be issued.

import { slugOf } from '../../../plan/name.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import { type Effect, numbered } from '../../model/effect.ts';
import type { EffectResult, EventOfKind } from '../../model/event.ts';
import { personsDecision, unknownPlan } from '../../model/refusals.ts';
import { branchStopOf, mayMoveBranches } from '../../model/stops.ts';
import { suggest } from '../../model/suggestion.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import type { ManagedContext } from './context.ts';

/** Starts a landing that was postponed because nothing could be issued. */
export function land(context: ManagedContext): Decision | undefined {
  return context.work.lands && mayMoveBranches(context.world, context.entry) ? startLanding(context) : undefined;
}

/** A person retries, after removing what was in the way. */
export function landAgain(world: World, { plan, by }: EventOfKind<'land'>, now: Date): Decision {
  if (by.who !== 'user') return refused('user-only', personsDecision('land', by));
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  const { work, status } = entry;
  if (status !== 'done')
    return refused('state', `${plan} is ${status}; only an approved plan can be landed.`, suggest('why', slugOf(plan)));
  if (work === undefined) return refused('no-run', `cadre did not build ${plan}, so merging it is up to you.`);
  if (work.landed?.ok) return refused('state', `${plan} has already landed: ${work.landed.text}`);
  const stop = branchStopOf(world, entry);
  if (stop !== undefined) return refused(stop.code, `${stop.why}, so ${plan} cannot be landed.`, stop.end);
  if (landingsOf(world, entry).length > 0)
    return refused('state', `${plan} is landing right now.`, suggest('why', slugOf(plan)));
  return startLanding({ world, now, by, entry, work });
}

type LandEffect = Extract<Effect, { do: 'land' }>;

/** At most one. */
export function landingsOf({ outbox }: World, { plan }: PlanEntry): readonly LandEffect[] {
  return [...outbox.values()].filter((effect): effect is LandEffect => effect.do === 'land' && effect.plan === plan);
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

/** The outcome is kept with the plan; its state does not change. */
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
      { changes: [{ of: 'plan', plan, change: { landed, moving: null } }] },
    ),
  );
}
