// Which sessions a person wants to see without asking for all of them.
import type { SessionEntry } from '../model/session.ts';
import type { World } from '../model/world.ts';

/**
 * The newest session of each place. Of those that cadre started, only the running ones, and of those that a person started,
 * none that has been over for more than a day. The others are history.
 */
export function sessionsInUse(world: World, now: Date): readonly SessionEntry[] {
  return [...world.sessions.values()].filter((entry) => entry.followedBy === undefined && isInUse(entry, now));
}

function isInUse({ plan, wanted, ended, failure, since }: SessionEntry, now: Date): boolean {
  if (plan !== undefined) return wanted === 'running';
  const isOver = wanted === 'stopped' || ended !== undefined || failure !== undefined;
  return wanted === 'paused' || !isOver || now.getTime() - Date.parse(since) < A_DAY;
}

/** In milliseconds. */
const A_DAY = 24 * 60 * 60_000;
