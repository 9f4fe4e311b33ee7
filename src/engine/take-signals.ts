// Takes the signals that agents dropped. Everything that counts is decided at once; what is refused is recorded and kept one
// by one only as far as its source is not flooding.
import type { Decision } from '../core/model/decision.ts';
import type { Event, EventOfKind, SignalFile } from '../core/model/event.ts';
import type { World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Gateway } from '../core/ports/gateway.ts';
import type { FoundSignal, Inbox } from '../core/ports/inbox.ts';
import type { Quarantine } from '../core/ports/quarantine.ts';
import { decide } from '../core/rules/decide.ts';
import type { EffectPorts } from './effects/perform.ts';
import { branchEvents, linkEvents, withFacts } from './observe.ts';
import type { RefusalLimit } from './refusal-limit.ts';

const SIGNALS_PER_ROUND = 500;

export interface SignalPorts {
  readonly gateway: Gateway;
  readonly inbox: Inbox;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly runs: EffectPorts['runs'];
}

export interface TakenSignals {
  readonly lookAgainIn: number | undefined;
  readonly notes: readonly string[];
  /** Whether more signals are waiting and taking these made progress. */
  readonly hasProgressed: boolean;
}

export async function takeSignals(ports: SignalPorts, limit: RefusalLimit): Promise<TakenSignals> {
  const { gateway, inbox, quarantine, runs, clock } = ports;
  const elapsed = clock.elapsed();
  const paused = limit.paused(elapsed);
  const { signals, hasMore, ...scan } = inbox.scan(SIGNALS_PER_ROUND, paused.sources);
  const lookAgainIn = earlier(scan.lookAgainIn, paused.lookAgainIn);
  if (signals.length === 0) return { lookAgainIn, notes: [], hasProgressed: false };
  const changed = linkEvents(runs, await gateway.look());
  if (changed.length > 0) await gateway.submit(changed, 'then');
  const world = await gateway.look();
  const events = await factsOf(runs, world, signals);
  const now = clock.now();
  const surplus = new Map<string, Surplus>();
  const taken: { readonly signal: FoundSignal; readonly event: Event }[] = [];
  for (const [index, signal] of signals.entries()) {
    const event = events[index];
    if (event === undefined) continue;
    const source = folderOf(signal.event.signal.file);
    const answer = decide(world, event, now);
    if (answer.kind !== 'refused' || limit.takes(source, elapsed)) taken.push({ signal, event });
    else addTo(surplus, source, answer, signal.event.signal.file);
  }
  const counted = [...surplus.values()].map(({ event }) => event);
  const seen = await branchesBefore(runs, world, events);
  const submitted = await gateway.submit([...seen, ...taken.map(({ event }) => event), ...counted], 'then');
  const [answers, { notes }] = [submitted.answers.slice(seen.length), submitted];
  const isAnyUnread = [...world.plans.values()].some(({ tasks }) => tasks.some(({ run }) => run?.incident != null));
  for (const [index, { signal }] of taken.entries()) {
    if (isHandled(answers[index])) inbox.remove(signal);
    // What stays unread must not crowd out the signals of others.
    else if (isAnyUnread && answers[index]?.kind === 'ignored')
      limit.flooded(folderOf(signal.event.signal.file), elapsed);
  }
  for (const { files } of surplus.values()) quarantine.keepMany(files);
  for (const source of surplus.keys()) limit.flooded(source, elapsed);
  const hasProgressed = hasMore && answers.some((answer) => answer.kind !== 'ignored');
  return { lookAgainIn: earlier(lookAgainIn, limit.paused(elapsed).lookAgainIn), notes, hasProgressed };
}

/** The branches of plans that are about to be approved. */
async function branchesBefore(
  runs: SignalPorts['runs'],
  world: World,
  events: readonly Event[],
): Promise<readonly Event[]> {
  const approved = new Set(
    events.flatMap((event) => (event.kind === 'signal' && event.signal.landing ? event.signal.plan : [])),
  );
  const entries = [...world.plans.values()].filter(({ plan }) => approved.has(plan));
  return (await Promise.all(entries.map((entry) => branchEvents(runs, entry)))).flat();
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Refused signals of one source that are only counted. */
interface Surplus {
  event: EventOfKind<'refused-many'>;
  readonly files: SignalFile[];
}

function addTo(
  surplus: Map<string, Surplus>,
  source: string,
  { code, why }: Extract<Decision, { kind: 'refused' }>,
  file: SignalFile,
): void {
  const known = surplus.get(source);
  if (known === undefined)
    surplus.set(source, { event: { kind: 'refused-many', source, count: 1, code, why }, files: [file] });
  else {
    known.files.push(file);
    known.event = { ...known.event, count: known.files.length };
  }
}

/** Each worktree and each branch is looked at once in a round, however many signals are about it. */
function factsOf(runs: SignalPorts['runs'], world: World, signals: readonly FoundSignal[]): Promise<readonly Event[]> {
  const trees = { ...runs.trees, look: once(runs.trees.look), tipOf: once(runs.trees.tipOf) };
  const merging = { ...runs.merging, canLand: once(runs.merging.canLand) };
  const seen = { ...runs, trees, merging };
  return Promise.all(
    signals.map(async ({ event }) =>
      event.kind === 'signal' ? { ...event, signal: await withFacts(seen, world, event.signal) } : event,
    ),
  );
}

function once<Arguments extends readonly unknown[], Answer>(
  ask: (...given: Arguments) => Promise<Answer>,
): (...given: Arguments) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...given) => {
    const key = JSON.stringify(given);
    const answer = answers.get(key) ?? ask(...given);
    answers.set(key, answer);
    return answer;
  };
}

/** The source of a signal: a session's box, or the sentinels of one checkout. */
function folderOf({ path }: SignalFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A refused signal stays until its effect moves it to quarantine. */
function isHandled(answer: Decision | undefined): boolean {
  return answer?.kind === 'accepted' || (answer?.kind === 'ignored' && !answer.keep);
}
