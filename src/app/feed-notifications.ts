// What a person who follows a build is notified of: each thing once, from the moment they started to follow it.
import type { World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Notification } from '../core/ports/notify.ts';
import { type Asks, NO_ASKS } from '../core/views/asking.ts';
import { announce, announceAtOnce, attentionTo } from '../core/views/notifications/announce.ts';
import { holdingIn } from '../core/views/notifications/notification.ts';
import type { PlanFile } from '../plan/name.ts';

export interface FeedNotifications {
  /** Announces what is new in this world. */
  inWorld(world: World): Promise<void>;
  /** The same, when it is known again what agents ask. */
  withAsks(world: World, asks: Asks): Promise<void>;
  /** The same at the end, when there is no time to wait and see whether it settles. */
  atEnd(world: World): Promise<void>;
}

interface Following {
  readonly clock: Clock;
  readonly plan: PlanFile;
  /** The ids of what held when the person started to follow. */
  readonly announced: readonly string[];
  show(notification: Notification): Promise<void> | void;
}

export function feedNotifications({ clock, plan, announced, show }: Following): FeedNotifications {
  let attention = attentionTo(announced);
  let asks = NO_ASKS;
  const update = async (world: World, how: typeof announce): Promise<void> => {
    const announcement = how(attention, holdingIn(world, asks, clock.elapsed(), plan));
    attention = announcement.attention;
    for (const notification of announcement.due) await show(notification);
  };
  return {
    inWorld: (world) => update(world, announce),
    withAsks(world, now) {
      asks = now;
      return update(world, announce);
    },
    atEnd: (world) => update(world, announceAtOnce),
  };
}
