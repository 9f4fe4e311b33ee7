// What agent programs ask on their own screens, such as whether they may run a command. No signal reports that.
import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import { type Activity, activityOf, needsAnswer, type Sight } from '../model/activity.ts';
import type { SessionId } from '../model/ids.ts';
import type { SessionEntry } from '../model/session.ts';
import { type Suggestion, suggest } from '../model/suggestion.ts';
import type { World } from '../model/world.ts';

export interface Asking {
  readonly session: SessionId;
  readonly role: Role;
  readonly plan: PlanFile | null;
  /** The task's address; null where the session belongs to no task. */
  readonly task: string | null;
  readonly wants: 'permission' | 'trust';
  readonly question: string;
  readonly actions: readonly Suggestion[];
}

export interface Asks {
  readonly asking: readonly Asking[];
  /** Sessions of which nothing could be seen, so that they may be asking something. */
  readonly unseen: ReadonlySet<SessionId>;
}

export interface SeenSession {
  readonly session: SessionId;
  readonly sight?: Sight;
}

export const NO_ASKS: Asks = { asking: [], unseen: new Set() };

/** What these sessions ask. `seen`: what the host sees of them; `now` in milliseconds since 1970. */
export function asksIn(
  world: Pick<World, 'plans'>,
  entries: readonly SessionEntry[],
  seen: readonly SeenSession[],
  now: number,
): Asks {
  const sights = new Map(
    seen.flatMap(({ session, sight }) => (sight === undefined ? [] : [[session, sight] as const])),
  );
  return {
    asking: entries.flatMap((entry) => {
      const sight = sights.get(entry.id);
      return sight === undefined ? [] : askingOf(world, entry, activityOf(sight, now));
    }),
    unseen: new Set(entries.flatMap(({ id }) => (sights.has(id) ? [] : [id]))),
  };
}

/** What the program of a session asks, judging by its activity; empty where it asks nothing. */
export function askingOf(
  { plans }: Pick<World, 'plans'>,
  { id, role, plan, task }: SessionEntry,
  activity: Activity,
): readonly Asking[] {
  if (!needsAnswer(activity)) return [];
  const entry = plan === undefined ? undefined : plans.get(plan);
  return [
    {
      session: id,
      role,
      plan: entry?.plan ?? null,
      task: entry?.tasks.find((one) => one.id === task)?.address ?? null,
      wants: activity.doing === 'asks-trust' ? 'trust' : 'permission',
      question: activity.about ?? '',
      actions: [suggest('session-attach', id)],
    },
  ];
}

/** As a whole sentence, with what the program wrote. */
export function askingSentence({ session, role, wants, question }: Asking): string {
  return `The ${role} (${session}) ${ASKS[wants]}: ${question}`;
}

const ASKS = { permission: 'asks for permission', trust: 'asks whether to trust its folder' } as const;
