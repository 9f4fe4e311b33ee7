// Notices agents that were given something to do and only wait.
import { activityOf } from '../core/model/activity.ts';
import type { Event } from '../core/model/event.ts';
import type { SessionId } from '../core/model/ids.ts';
import { treeOfSession } from '../core/model/run-name.ts';
import type { SessionEntry } from '../core/model/session.ts';
import type { World } from '../core/model/world.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { RunWorktrees } from '../core/ports/worktrees.ts';
import { isManaged, worktreeFacts } from './observe.ts';

/** A program that is starting, or still reading its prompt, shows the same empty input box as one that waits. */
export const SILENT_AFTER = 10_000;

/**
 * An agent is silent when it waits at two looks in a row; the inbox is emptied in between, because an agent that signals
 * and then waits is not silent. If only its screen shows it, it must wait at every look for a while.
 */
export class SilenceDetector {
  /** Since when each agent has been waiting, in milliseconds since 1970. */
  #waiting: ReadonlyMap<SessionId, number> = new Map();
  #silent: ReadonlySet<SessionId> = new Set();

  /** Whether only more looks can show if some waiting agents are silent. */
  get isUndecided(): boolean {
    return this.#waiting.size > this.#silent.size;
  }

  async events(
    { sessions, trees }: { readonly sessions: Pick<Sessions, 'look'>; readonly trees: RunWorktrees },
    world: World,
    now: Date,
  ): Promise<readonly Event[]> {
    const agents = [...world.sessions.values()].filter(isManaged);
    await this.#look(sessions, agents, now.getTime());
    return Promise.all(agents.filter(({ id }) => this.#silent.has(id)).map((entry) => silentEvent(trees, entry)));
  }

  async #look(sessions: Pick<Sessions, 'look'>, agents: readonly SessionEntry[], now: number): Promise<void> {
    const before = this.#waiting;
    const waiting = new Map<SessionId, number>();
    const silent = new Set<SessionId>();
    for (const { session, sight } of agents.length === 0 ? [] : await sessions.look(agents)) {
      const activity = sight === undefined ? undefined : activityOf(sight, now);
      if (activity?.doing !== 'waits') continue;
      const since = Math.max(before.get(session) ?? now, sight?.lastSent ?? 0);
      waiting.set(session, since);
      if (before.has(session) && (activity.source === 'hook' || now - since >= SILENT_AFTER)) silent.add(session);
    }
    this.#waiting = waiting;
    this.#silent = silent;
  }
}

async function silentEvent(trees: RunWorktrees, entry: SessionEntry): Promise<Event> {
  const tree = entry.attempt === undefined ? undefined : treeOfSession(entry);
  const worktree = tree === undefined ? undefined : await worktreeFacts(trees, tree);
  return { kind: 'silent', session: entry.id, ...(worktree === undefined ? {} : { worktree }) };
}
