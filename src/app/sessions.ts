// Sessions as they are now: what the journal has of them, and what the host sees.
import { activityOf, needsAnswer } from '../core/model/activity.ts';
import type { SessionId } from '../core/model/ids.ts';
import type { SessionEntry } from '../core/model/session.ts';
import { type Suggestion, suggest } from '../core/model/suggestion.ts';

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

/** What an agent program asks on its own screen, such as whether it may run a command. No signal reports that. */
export interface Asking {
  readonly session: SessionId;
  readonly plan: PlanFile | null;
  /** The task's address; null where the session belongs to no task. */
  readonly task: string | null;
  readonly question: string;
  readonly actions: readonly Suggestion[];
}

/** What the sessions of a plan, or of all plans, ask at this moment. */
export async function asksNow(ports: AppPorts, plan?: PlanFile): Promise<readonly Asking[]> {
  const world = await ports.gateway.look();
  const entries = [...world.sessions.values()].filter(
    (entry) => isUp(entry) && (plan === undefined || entry.plan === plan),
  );
  if (entries.length === 0) return [];
  const now = ports.clock.now().getTime();
  const seen = await (await ports.sessions()).look(entries);
  return seen.flatMap(({ session, sight }) => {
    const entry = world.sessions.get(session);
    const activity = sight === undefined ? undefined : activityOf(sight, now);
    if (entry === undefined || activity === undefined || !needsAnswer(activity)) return [];
    const its = entry.plan === undefined ? undefined : world.plans.get(entry.plan);
    const task = its?.tasks.find(({ id }) => id === entry.task)?.address ?? null;
    const actions = [suggest('session-attach', session)];
    return [{ session, plan: its?.plan ?? null, task, question: activity.about ?? '', actions }];
  });
}

function isUp({ up, ended, wanted }: SessionEntry): boolean {
  return up !== undefined && ended === undefined && wanted === 'running';
}
