// Rules for the whole repository: the policy, freezing, and time that counts against nobody.

import { deadlines } from '../model/deadlines.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused } from '../model/decision.ts';
import type { EventOfKind } from '../model/event.ts';
import { personsDecision } from '../model/refusals.ts';
import { isBuilding } from '../model/tasks.ts';
import type { World } from '../model/world.ts';
import { type Guarded, holdBack, isSame } from '../settings/guarded.ts';
import type { Policy } from '../settings/policy.ts';

/** While a plan is being built, an agent may have changed the files, so part of the settings waits for a person's word. */
export function setPolicy(world: World, { policy: read, granted = [] }: EventOfKind<'policy'>, now: Date): Decision {
  const isOpen = (name: Guarded): boolean =>
    granted.includes(name) || !(isBuilding(world) || isWaiting(world, name, read));
  const { policy, proposed } = holdBack(world.policy, read, isOpen);
  if (isSame(policy, world.policy) && isSame(proposed, world.proposed)) return IGNORED;
  const change = isSame(proposed, world.proposed) ? {} : { proposed: proposed ?? null };
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'policy_set', policy, ...change }));
}

/** What changed while a plan was being built does not apply just because the plan is done. */
function isWaiting({ proposed }: World, name: Guarded, read: Policy): boolean {
  return proposed?.[name] !== undefined && isSame(proposed[name], read[name]);
}

export function acceptSettings(world: World, { by }: EventOfKind<'accept-settings'>, now: Date): Decision {
  if (by.who !== 'user') return refused('user-only', personsDecision('config accept', by));
  if (world.proposed === undefined) return refused('state', 'No changed settings wait to be accepted.');
  const policy = { ...world.policy, ...world.proposed };
  return accepted(record({ world, now, by }, { event: 'settings_accepted', policy, proposed: null }));
}

/** Recorded only where something has a deadline: in a repository at rest no engine need be awake. */
export function recordGap(world: World, { beat, from }: EventOfKind<'clock-gap'>, now: Date): Decision {
  if (deadlines(world).length === 0) return IGNORED;
  const gap = now.getTime() - Date.parse(from);
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'clock_gap', beat, from, gap }));
}

/** While cadre is frozen nothing new starts; running work continues, and its results are accepted. */
export function freezeOrThaw(world: World, { kind, by }: EventOfKind<'freeze' | 'thaw'>, now: Date): Decision {
  if (by.who !== 'user') return refused('user-only', personsDecision(kind, by));
  const isWanted = kind === 'freeze';
  if (world.frozen === isWanted) return IGNORED;
  return accepted(record({ world, now, by }, { event: isWanted ? 'frozen' : 'thawed' }));
}
