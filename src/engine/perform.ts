// Performs effects. One exhaustive switch; every branch may be taken twice for one effect.
import type { Effect } from '../core/effects.ts';
import type { Notify, Quarantine } from '../core/ports.ts';
import type { World } from '../core/world.ts';

export interface Hands {
  readonly quarantine: Quarantine;
  readonly notify: Notify;
}

export function perform(hands: Hands, world: World, effect: Effect): void {
  switch (effect.do) {
    case 'tell':
      return hands.notify.tell(effect.text);
    case 'quarantine': {
      const refused = world.refused.get(effect.quarantine);
      // A person may have dropped it in the meantime.
      return refused === undefined ? undefined : hands.quarantine.keep(refused);
    }
    case 'release':
      return hands.quarantine.putBack(effect.refused, effect.entered);
    case 'discard':
      return hands.quarantine.discard(effect.refused);
    default:
      return unreachable(effect);
  }
}

function unreachable(effect: never): never {
  throw new Error(`No hands for ${JSON.stringify(effect)}.`);
}
