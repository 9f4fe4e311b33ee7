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
  /** Only what concerns this plan, records apart. */
  readonly plan: PlanFile;
  /** Records after this number, warnings after this place in the engine's log. */
  readonly after: { readonly seq: number; readonly warnings: number };
  readonly stop: AbortSignal;
}

/** Where a feed continues that starts now. */
export async function feedStart(ports: AppPorts): Promise<FeedRequest['after']> {
  return { seq: (await ports.gateway.look()).seq, warnings: ports.engine.warnings().next };
}

/**
 * Shows everything until the building of the plan has ended, or only a person can continue it. Undefined when stopped
 * before that.
 */
export async function followBuild(
  ports: AppPorts,
  { plan, after, stop }: FeedRequest,
  show: (item: FeedItem) => Promise<void> | void,
): Promise<Outcome | undefined> {
  const poll = pollEngine(ports, plan, after.warnings, show);
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
    await poll.close();
  }
}

const POLL_EVERY = 2_000;
/** How many polls in a row find no engine before that is shown, and before the engine counts as lost. */
const [MISSING_AFTER, LOST_AFTER] = [2, 5];

/** What no record reports: warnings in the engine's log, questions on screens, an engine that is gone. */
function pollEngine(
  ports: AppPorts,
  plan: PlanFile,
  from: number,
  show: (item: FeedItem) => Promise<void> | void,
): { close(): Promise<void> } {
  let next = from;
  let missing = 0;
  let asking: Promise<void> | undefined;
  const asked = new AskedBefore();
  const warnings = (): void => {
    const { texts, next: after } = ports.engine.warnings(next);
    next = after;
    for (const text of texts) void show({ kind: 'warning', text });
  };
  const timer = setInterval(() => {
    warnings();
    missing = ports.engine.holder() === undefined ? missing + 1 : 0;
    if (missing === MISSING_AFTER) void show({ kind: 'engine', is: 'missing' });
    if (missing === LOST_AFTER) void show({ kind: 'engine', is: 'lost' });
    asking ??= asked
      .poll(ports, plan, (one) => void show({ kind: 'asks', asking: one }))
      .finally(() => {
        asking = undefined;
      });
  }, POLL_EVERY);
  return {
    async close() {
      clearInterval(timer);
      warnings();
      await asking;
    },
  };
}

/** Reports each question once, when it appears. */
class AskedBefore {
  #known: ReadonlySet<string> = new Set();

  /** A host that does not answer is asked again the next time. */
  async poll(ports: AppPorts, plan: PlanFile, report: (asking: Asking) => void): Promise<void> {
    try {
      const all = await asksNow(ports, plan);
      for (const asking of all) if (!this.#known.has(keyOf(asking))) report(asking);
      this.#known = new Set(all.map(keyOf));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
}

function keyOf({ session, question }: Asking): string {
  return `${session} ${question}`;
}
