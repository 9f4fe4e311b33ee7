// Rules for what holds for the whole repository: the settings as the engine has read them, and whether anything may begin.

import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused } from '../model/decision.ts';
import type { EventOfKind } from '../model/event.ts';
import { speakerName } from '../model/refusals.ts';
import type { World } from '../model/world.ts';

export function setPolicy(world: World, { policy }: EventOfKind<'policy'>, now: Date): Decision {
  if (JSON.stringify(policy) === JSON.stringify(world.policy)) return IGNORED;
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'policy_set', policy }));
}

/** While cadre is frozen nothing is begun; what was begun goes on, and what it brings is taken. */
export function freezeOrThaw(world: World, { kind, by }: EventOfKind<'freeze' | 'thaw'>, now: Date): Decision {
  if (by.who !== 'user')
    return refused('user-only', `"${kind}" is a person's decision; ${speakerName(by)} cannot cause it.`);
  const isWanted = kind === 'freeze';
  if (world.frozen === isWanted) return IGNORED;
  return accepted(record({ world, now, by }, { event: isWanted ? 'frozen' : 'thawed' }));
}
