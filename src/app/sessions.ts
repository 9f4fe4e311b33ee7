// Sessions as they are now: what the journal has of them, and what the host sees.
import { Failure } from '../core/model/failure.ts';
import type { SessionEntry } from '../core/model/session.ts';
import { type Asking, type Asks, asksIn, NO_ASKS } from '../core/views/asking.ts';
import { type SessionSeen, type SessionView, viewSession } from '../core/views/session.ts';
import type { PlanFile } from '../plan/name.ts';
import type { AppPorts } from './ports.ts';

export type SessionShown = SessionView & { readonly worktree: string | null };

/** Asks the host once, and not at all where no session can be running. */
export async function viewSessions(
  ports: AppPorts,
  entries: readonly SessionEntry[],
): Promise<readonly SessionShown[]> {
  if (entries.length === 0) return [];
  const mayRun = entries.some(
    (entry) => entry.up !== undefined && entry.ended === undefined && entry.wanted !== 'paused',
  );
  const sessions = await ports.sessions();
  const seen = new Map((mayRun ? await sessions.look(entries) : []).map((one) => [one.session, one]));
  const now = ports.clock.now();
  const gone: SessionSeen | undefined = mayRun ? { life: { kind: 'gone' } } : undefined;
  return entries.map((entry) => ({
    ...viewSession(entry, seen.get(entry.id) ?? gone, now),
    worktree: sessions.worktreeOf(entry) ?? null,
  }));
}

/** What the sessions of a plan, or of all plans, ask at this moment. */
export async function asksNow(ports: AppPorts, plan?: PlanFile): Promise<Asks> {
  const world = await ports.gateway.look();
  const entries = [...world.sessions.values()].filter(
    (entry) => isUp(entry) && (plan === undefined || entry.plan === plan),
  );
  if (entries.length === 0) return NO_ASKS;
  const seen = await (await ports.sessions()).look(entries);
  return asksIn(world, entries, seen, ports.clock.now().getTime());
}

function isUp({ up, ended, wanted }: SessionEntry): boolean {
  return up !== undefined && ended === undefined && wanted === 'running';
}

/** The same for what can be shown without it: nothing where the host does not answer. */
export async function asksSeen(ports: AppPorts, plan: PlanFile): Promise<readonly Asking[]> {
  try {
    return (await asksNow(ports, plan)).asking;
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
