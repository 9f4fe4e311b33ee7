// One stream of everything that happens: records, warnings of the engine, what agents ask on their screens, what a person is
// notified of, the engine itself.
import { Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import type { Notification } from '../core/ports/notify.ts';
import type { Asking, Asks } from '../core/views/asking.ts';
import { notificationsIn } from '../core/views/notifications/notification.ts';
import { type Outcome, outcomeOf } from '../core/views/outcome.ts';
import type { PlanFile } from '../plan/name.ts';
import { type EngineNews, watchEngine } from './engine-watch.ts';
import { type FeedNotifications, feedNotifications } from './feed-notifications.ts';
import type { AppPorts, RunOptions } from './ports.ts';
import { asksNow } from './sessions.ts';

export type FeedItem =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'asks'; readonly asking: Asking }
  | { readonly kind: 'notification'; readonly notification: Notification }
  | EngineNews;

export interface FeedRequest {
  /** The plan whose build is followed. Records of other plans are shown too. */
  readonly plan: PlanFile;
  /** How an engine that was killed is started again. */
  readonly engine?: RunOptions;
  readonly after: FeedPosition;
  readonly stop: AbortSignal;
  /** How often to look for what is in no record, in milliseconds. */
  readonly pollEvery?: number;
}

/** Records after this number are shown, warnings after this place in the engine's log, and no notification of these ids. */
export interface FeedPosition {
  readonly seq: number;
  readonly warnings: number;
  readonly announced: readonly string[];
}

type Show = (item: FeedItem) => Promise<void> | void;

/** The position for a feed of everything that happens from now on. */
export async function feedStart(ports: AppPorts): Promise<FeedPosition> {
  const world = await ports.gateway.look();
  const announced = notificationsIn(world, []).map(({ id }) => id);
  return { seq: world.seq, warnings: ports.engine.warnings().next, announced };
}

/**
 * How following ended: as the build did, or because no engine is left that can continue it. `problem`: what keeps the one that
 * runs from its work. Undefined when it was stopped.
 */
export type Followed = Outcome | { readonly kind: 'no-engine'; readonly problem?: string } | undefined;

/** Shows everything until the build ends or waits for a person, or the engine is lost. */
export async function followBuild(ports: AppPorts, request: FeedRequest, show: Show): Promise<Followed> {
  const lost = new AbortController();
  let why: { readonly problem?: string } = {};
  const stop = AbortSignal.any([request.stop, lost.signal]);
  const outcome = await followRecords(ports, { ...request, stop }, (item) => {
    if (item.kind === 'engine' && (item.is === 'lost' || item.is === 'stuck')) {
      why = item.is === 'stuck' ? { problem: item.problem } : {};
      lost.abort();
    }
    return show(item);
  });
  return outcome === undefined && lost.signal.aborted ? { kind: 'no-engine', ...why } : outcome;
}

async function followRecords(ports: AppPorts, request: FeedRequest, show: Show): Promise<Outcome | undefined> {
  const { plan, after, stop } = request;
  const notifications = feedNotifications({
    clock: ports.clock,
    plan,
    announced: after.announced,
    show: (notification) => show({ kind: 'notification', notification }),
  });
  const poll = startPolling(ports, request, notifications, show);
  try {
    const start = await ports.gateway.look();
    let outcome = outcomeOf(start, plan);
    if (outcome !== undefined && start.seq <= after.seq) return outcome;
    for await (const record of ports.journal.follow(after.seq, stop)) {
      await show({ kind: 'record', record });
      const world = await ports.gateway.look();
      outcome = outcomeOf(world, plan);
      await notifications.inWorld(world);
      // The world may be ahead of the records that were shown.
      if (outcome !== undefined && record.seq >= world.seq) break;
    }
    if (outcome !== undefined) await notifications.atEnd(await ports.gateway.look());
    return outcome;
  } finally {
    await poll.stop();
  }
}

const POLL_EVERY = 2_000;
/** Looking at the screens of many agents takes longer than everything else, and a person reads for a few seconds anyway. */
const SCREENS_EVERY = 3;

/** Shows what no record says: warnings in the engine's log, questions on screens, and that no engine is running. */
function startPolling(
  ports: AppPorts,
  { plan, after, engine = { headless: false }, pollEvery = POLL_EVERY }: FeedRequest,
  notifications: FeedNotifications,
  show: Show,
): { stop(): Promise<void> } {
  const newQuestions = questionsOnce();
  let position = after.warnings;
  let asking: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  const lookForEngine = watchEngine(ports, engine, (news) => void show(news));
  const showWarnings = (): void => {
    const { texts, next } = ports.engine.warnings(position);
    position = next;
    for (const text of texts) void show({ kind: 'warning', text });
  };
  const showEngine = async (): Promise<void> => {
    await lookForEngine();
    looking = undefined;
  };
  const showQuestions = async (): Promise<void> => {
    const asks = await asksIfKnown(ports, plan);
    if (asks !== undefined) {
      for (const question of newQuestions(asks.asking)) void show({ kind: 'asks', asking: question });
      await notifications.withAsks(await ports.gateway.look(), asks);
    }
    asking = undefined;
  };
  let looks = 0;
  const timer = setInterval(() => {
    showWarnings();
    looking ??= showEngine();
    if (looks % SCREENS_EVERY === 0) asking ??= showQuestions();
    looks += 1;
  }, pollEvery);
  return {
    async stop() {
      clearInterval(timer);
      showWarnings();
      await Promise.all([asking, looking]);
    },
  };
}

/** A host that does not answer is asked again the next time. */
async function asksIfKnown(ports: AppPorts, plan: PlanFile): Promise<Asks | undefined> {
  try {
    return await asksNow(ports, plan);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Each question once, when it appears. */
function questionsOnce(): (all: readonly Asking[]) => readonly Asking[] {
  let known: ReadonlySet<string> = new Set();
  return (all) => {
    const appeared = all.filter((asking) => !known.has(keyOf(asking)));
    known = new Set(all.map(keyOf));
    return appeared;
  };
}

function keyOf({ session, question }: Asking): string {
  return `${session} ${question}`;
}
