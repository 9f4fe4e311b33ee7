// What a person should know now: everything that needs them, and plans that are done.
import { type PlanFile, slugOf } from '../../../plan/name.ts';
import { showLines } from '../../../text/show.ts';
import { hasNotLanded } from '../../model/plan-owner.ts';
import { suggest } from '../../model/suggestion.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import type { Notification } from '../../ports/notify.ts';
import type { NotificationKind } from '../../settings/notify.ts';
import { type Asking, type Asks, askingSentence } from '../asking.ts';
import { askId, type Need, needsIn } from '../needs.ts';
import type { Holding } from './announce.ts';

/** What holds at this moment, in milliseconds of the monotonic clock. */
export function holdingIn(world: World, { asking, unseen }: Asks, elapsed: number, plan?: PlanFile): Holding {
  const unseenIds = new Set([...unseen].map((session) => askId({ session })));
  return { notifications: notificationsIn(world, asking, plan), elapsed, isUnseen: (id) => unseenIds.has(id) };
}

/** Of all plans, or of one. What the engine still retries, and what waits because the person wanted it so, is not in it. */
export function notificationsIn(world: World, asking: readonly Asking[], plan?: PlanFile): readonly Notification[] {
  const entries = [...world.plans.values()].filter((entry) => plan === undefined || entry.plan === plan);
  return [
    ...needsIn(world, plan).flatMap(ofNeed),
    ...entries.flatMap(ofEnd),
    ...asking.filter((one) => plan === undefined || one.plan === plan).map(ofAsking),
  ];
}

function ofNeed({ id, kind, plan, task, text, actions }: Need): readonly Notification[] {
  if (kind === null) return [];
  const title = `${aboutOf(plan, task)} ${kind === 'land' ? 'has not landed' : TITLES[kind]}`;
  return [{ id, kind, plan, task, session: null, title, text: limited(text), actions }];
}

/** A plan that is driven from outside ends where its agents work, and an imported one ended long ago. */
function ofEnd(entry: PlanEntry): readonly Notification[] {
  const { plan, status, entered, work } = entry;
  const landed = work?.landed ?? null;
  if (status !== 'done' || landed === null || hasNotLanded(entry)) return [];
  const kind = landed.byHand === true ? 'land' : 'done';
  const title = `${aboutOf(plan, null)} ${TITLES[kind]}`;
  const actions = kind === 'land' ? [suggest('diff', slugOf(plan))] : [];
  return [
    {
      id: `${plan} ${kind} ${entered}`,
      kind,
      plan,
      task: null,
      session: null,
      title,
      text: limited(landed.text),
      actions,
    },
  ];
}

function ofAsking(asking: Asking): Notification {
  const { session, plan, task, actions } = asking;
  const title = `${plan === null ? session : aboutOf(plan, task)} ${TITLES.permission}`;
  const text = limited(askingSentence(asking));
  return { id: askId(asking), kind: 'permission', plan, task, session, title, text, actions };
}

/** As a person names it. */
function aboutOf(plan: PlanFile, task: string | null): string {
  return task === null ? slugOf(plan) : `${slugOf(plan)}#${task}`;
}

const TITLES: { readonly [kind in NotificationKind]: string } = {
  question: 'needs an answer',
  decision: 'waits for your decision',
  permission: 'asks for permission',
  halted: 'is halted',
  budget: 'has reached a limit',
  'held-up': 'is held up',
  incident: 'has an incident',
  land: 'is ready to land',
  done: 'is done',
};

/** The journal has the whole text. */
const LONGEST_TEXT = 1_000;

function limited(text: string): string {
  const shown = showLines(text.trim());
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT)}…` : shown;
}
