// One stream of everything that happens: records, warnings of the engine, what agents ask on their screens, the engine itself.
import { Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import { type Outcome, outcomeOf } from '../core/views/outcome.ts';
import type { PlanFile } from '../plan/name.ts';
import type { AppPorts } from './ports.ts';
import { type Asking, asksNow } from './sessions.ts';

export type FeedItem =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'asks'; readonly asking: Asking }
  /** `missing`: no engine for a moment, perhaps between two of them. `lost`: nobody has started another since. */
  | { readonly kind: 'engine'; readonly is: 'missing' | 'lost' };

export interface FeedRequest {
  /** The plan whose build is followed. Records of other plans are shown too. */
  readonly plan: PlanFile;
  /** Shows records after this number, and warnings after this place in the engine's log. */
  readonly after: { readonly seq: number; readonly warnings: number };
  readonly stop: AbortSignal;
  /** How often to look for what is in no record, in milliseconds. */
  readonly pollEvery?: number;
}

type Show = (item: FeedItem) => Promise<void> | void;

/** The position for a feed of everything that happens from now on. */
export async function feedStart(ports: AppPorts): Promise<FeedRequest['after']> {
  return { seq: (await ports.gateway.look()).seq, warnings: ports.engine.warnings().next };
}

/** Shows everything until the build ends or waits for a person. Undefined when it is stopped before that. */
export async function followBuild(ports: AppPorts, request: FeedRequest, show: Show): Promise<Outcome | undefined> {
  const { plan, after, stop } = request;
  const poll = startPolling(ports, request, show);
  try {
    const start = await ports.gateway.look();
    let outcome = outcomeOf(start, plan);
    if (outcome !== undefined && start.seq <= after.seq) return outcome;
    for await (const record of ports.journal.follow(after.seq, stop)) {
      await show({ kind: 'record', record });
      const world = await ports.gateway.look();
      outcome = outcomeOf(world, plan);
      // The world may be ahead of the records that were shown.
      if (outcome !== undefined && record.seq >= world.seq) break;
    }
    return outcome;
  } finally {
    await poll.stop();
  }
}

const POLL_EVERY = 2_000;
/** How many polls in a row find no engine before that is shown, and before the engine counts as lost. */
const [MISSING_AFTER, LOST_AFTER] = [2, 5];

/** Shows what no record says: warnings in the engine's log, questions on screens, and that no engine is running. */
function startPolling(
  ports: AppPorts,
  { plan, after, pollEvery = POLL_EVERY }: FeedRequest,
  show: Show,
): { stop(): Promise<void> } {
  const newQuestions = questionsOnce(ports, plan);
  let position = after.warnings;
  let withoutEngine = 0;
  let asking: Promise<void> | undefined;
  const showWarnings = (): void => {
    const { texts, next } = ports.engine.warnings(position);
    position = next;
    for (const text of texts) void show({ kind: 'warning', text });
  };
  const showEngine = (): void => {
    withoutEngine = ports.engine.holder() === undefined ? withoutEngine + 1 : 0;
    if (withoutEngine === MISSING_AFTER) void show({ kind: 'engine', is: 'missing' });
    if (withoutEngine === LOST_AFTER) void show({ kind: 'engine', is: 'lost' });
  };
  const showQuestions = async (): Promise<void> => {
    for (const question of await newQuestions()) void show({ kind: 'asks', asking: question });
    asking = undefined;
  };
  const timer = setInterval(() => {
    showWarnings();
    showEngine();
    asking ??= showQuestions();
  }, pollEvery);
  return {
    async stop() {
      clearInterval(timer);
      showWarnings();
      await asking;
    },
  };
}

/** Each question once, when it appears. */
function questionsOnce(ports: AppPorts, plan: PlanFile): () => Promise<readonly Asking[]> {
  let known: ReadonlySet<string> = new Set();
  return async () => {
    try {
      const all = await asksNow(ports, plan);
      const appeared = all.filter((asking) => !known.has(keyOf(asking)));
      known = new Set(all.map(keyOf));
      return appeared;
    } catch (error) {
      // A host that does not answer is asked again the next time.
      if (error instanceof Failure) return [];
      throw error;
    }
  };
}

function keyOf({ session, question }: Asking): string {
  return `${session} ${question}`;
}
