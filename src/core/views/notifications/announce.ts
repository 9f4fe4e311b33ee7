// Which notifications are new: each is announced once while what it is about holds, and what ends soon is never announced.
import type { Notification } from '../../ports/notify.ts';

/** What a person's attention was drawn to, and what may be next. */
export interface Attention {
  /** The ids of what was announced and still holds. */
  readonly announced: ReadonlySet<string>;
  /** Since when everything else has held, in milliseconds of the monotonic clock. */
  readonly settling: ReadonlyMap<string, number>;
}

export interface Announcement {
  readonly attention: Attention;
  readonly due: readonly Notification[];
  /** After how many milliseconds something more may be due. */
  readonly lookAgainIn: number | undefined;
}

/** How long something has to hold, in milliseconds: what the engine or somebody at a terminal ends before is not news. */
export const SETTLES_AFTER: { readonly [kind in Notification['kind']]: number } = {
  question: 0,
  decision: 0,
  permission: 5_000,
  halted: 0,
  budget: 0,
  'held-up': 30_000,
  incident: 5_000,
  land: 0,
  done: 0,
  test: 0,
};

export interface Holding {
  readonly notifications: readonly Notification[];
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: number;
  /** Whether nobody knows if this still holds, because it could not be looked at. */
  isUnseen(id: string): boolean;
}

export function attentionTo(ids: Iterable<string>): Attention {
  return { announced: new Set(ids), settling: new Map() };
}

export function announce(before: Attention, holding: Holding): Announcement {
  return announceAfter(before, holding, ({ kind }) => SETTLES_AFTER[kind]);
}

/** Everything that holds now and was not announced: for a surface that closes and cannot wait. */
export function announceAtOnce(before: Attention, holding: Holding): Announcement {
  return announceAfter(before, holding, () => 0);
}

function announceAfter(
  { announced, settling }: Attention,
  { notifications, elapsed, isUnseen }: Holding,
  settlesAfter: (notification: Notification) => number,
): Announcement {
  const stillAnnounced = new Set([...announced].filter(isUnseen));
  const stillSettling = new Map([...settling].filter(([id]) => isUnseen(id)));
  const due: Notification[] = [];
  const waits: number[] = [];
  for (const notification of notifications) {
    const { id } = notification;
    const since = settling.get(id) ?? elapsed;
    const left = since + settlesAfter(notification) - elapsed;
    if (!announced.has(id) && left > 0) {
      stillSettling.set(id, since);
      waits.push(left);
      continue;
    }
    if (!announced.has(id)) due.push(notification);
    stillAnnounced.add(id);
  }
  return {
    attention: { announced: stillAnnounced, settling: stillSettling },
    due,
    lookAgainIn: waits.length === 0 ? undefined : Math.min(...waits),
  };
}
