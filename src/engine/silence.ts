// Notices agents that were given something to do and only wait.
import { activityOf } from '../core/model/activity.ts';
import type { Event } from '../core/model/event.ts';
import type { SessionId } from '../core/model/ids.ts';
import { treeOfSession } from '../core/model/run-name.ts';
import type { SessionEntry } from '../core/model/session.ts';
import type { World } from '../core/model/world.ts';
import type { RunWorktrees } from '../core/ports/worktrees.ts';
import type { SeenSession } from '../core/views/asking.ts';
import { taskOf, worktreeFacts } from './observe.ts';

/** A program that is starting, or still reading its prompt, shows the same empty input box as one that waits. */
export const SILENT_AFTER = 10_000;

/**
 * An agent is silent when it waits at two looks in a row; the inbox is emptied in between, because an agent that signals
 * and then waits is not silent. If only its screen shows it, it must wait at every look for a while.
 */
export class SilenceDetector {
  /** Since when each agent has been waiting, in milliseconds of the monotonic clock: a machine that sleeps ends no turn. */
  #waiting: ReadonlyMap<SessionId, number> = new Map();
  #silent: ReadonlySet<SessionId> = new Set();

  /** Whether only more looks can show if some waiting agents are silent. */
  get isUndecided(): boolean {
    return this.#waiting.size > this.#silent.size;
  }

  /** `seen`: what the host sees of these agents now. */
  async events(
    { trees, world }: { readonly trees: RunWorktrees; readonly world: World },
    agents: readonly SessionEntry[],
    seen: readonly SeenSession[],
    moment: Moment,
  ): Promise<readonly Event[]> {
    this.#look(seen, moment);
    return Promise.all(
      agents.filter(({ id }) => this.#silent.has(id)).map((entry) => silentEvent(trees, world, entry)),
    );
  }

  #look(seen: readonly SeenSession[], { now, elapsed }: Moment): void {
    const before = this.#waiting;
    const waiting = new Map<SessionId, number>();
    const silent = new Set<SessionId>();
    for (const { session, sight } of seen) {
      const activity = sight === undefined ? undefined : activityOf(sight, now);
      if (activity?.doing !== 'waits') continue;
      const sinceSent = now - (sight?.lastSent ?? Number.NEGATIVE_INFINITY);
      // A negative time means that the clock was set back; then only the looks count.
      const since = Math.max(before.get(session) ?? elapsed, sinceSent < 0 ? 0 : elapsed - sinceSent);
      waiting.set(session, since);
      if (before.has(session) && (activity.source === 'hook' || elapsed - since >= SILENT_AFTER)) silent.add(session);
    }
    this.#waiting = waiting;
    this.#silent = silent;
  }
}

/** One moment on both clocks: the wall clock, which anything may set, and the monotonic one. In milliseconds. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

async function silentEvent(trees: RunWorktrees, world: World, entry: SessionEntry): Promise<Event> {
  const tree = entry.attempt === undefined ? undefined : treeOfSession(entry);
  const worktree = tree === undefined ? undefined : await worktreeFacts(trees, tree, taskOf(world, tree));
  return { kind: 'silent', session: entry.id, ...(worktree === undefined ? {} : { worktree }) };
}
