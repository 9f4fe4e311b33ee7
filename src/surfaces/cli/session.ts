// What the commands about sessions share: which one is meant, how a step is taken, and how it is told.

import type { Event } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { unknownFailure, unknownSession } from '../../core/model/refusals.ts';
import { type SessionEntry, type SessionSeen, type SessionView, viewSession } from '../../core/model/session.ts';
import type { World } from '../../core/model/world.ts';
import { showName } from '../../text/show.ts';
import type { App } from './app.ts';
import { answer, type Context, EXIT, type ExitCode, refuse } from './context.ts';
import { shortened } from './text/columns.ts';
import { commandFor, tryLines } from './text/suggestions.ts';

/** By its name, or by a beginning of its title that no other session in use has. */
export function sessionNamed(world: World, reference: string): SessionEntry {
  const all = [...world.sessions.values()];
  const exact = all.find((entry) => entry.id === reference);
  if (exact !== undefined) return exact;
  const wanted = reference.toLowerCase();
  const starting = all.filter(
    (entry) => wanted !== '' && entry.followedBy === undefined && entry.title.toLowerCase().startsWith(wanted),
  );
  const titled = starting.filter((entry) => entry.title.toLowerCase() === wanted);
  const [only] = titled.length > 0 ? titled : starting;
  if (only !== undefined && (starting.length === 1 || titled.length === 1)) return only;
  if (only === undefined) throw unknownFailure('unknown-session', unknownSession(reference));
  const names = starting.map((entry) => `${entry.id} (${showName(entry.title)})`).join(', ');
  throw new Failure('usage', 'ambiguous-session', `"${showName(reference)}" could be any of ${names}. Type its name.`);
}

/** Decides, gets it done, and tells how the session is then. */
export async function takeSessionStep(context: Context, event: Event): Promise<ExitCode> {
  const app = context.app();
  const { answers, notes } = await app.gateway.submit([event]);
  for (const note of notes) context.say(note);
  const [outcome] = answers;
  if (outcome?.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
  const record = outcome?.records[0];
  if (record === undefined) throw new Error(`"${event.kind}" was accepted and left no record.`);
  const session = 'begun' in record ? record.begun.id : 'about' in record ? record.about : undefined;
  const effects = (record.effects ?? []).map((effect) => effect.id);
  try {
    await app.act(effects, { tell: (text) => context.say(text), warn: (text) => context.say(text) });
    if ('begun' in record) await earlyEnd(app);
    const entry = session === undefined ? undefined : app.gateway.look().sessions.get(session);
    if (entry === undefined) throw new Error(`Record ${record.seq} speaks of no session.`);
    return await tell(context, app, entry, event.kind === 'session-send');
  } finally {
    (await app.sessions()).close();
  }
}

/** A program that cannot really start ends at once; whoever began it should hear of that now and not later. */
async function earlyEnd(app: App): Promise<void> {
  const sessions = await app.sessions();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(finish, EARLY);
    const watching = sessions.watch(finish);
    function finish(): void {
      clearTimeout(timer);
      watching.close();
      resolve();
    }
    sessions.list().catch(reject);
  });
}

const EARLY = 250;

async function tell(context: Context, app: App, entry: SessionEntry, wasSent: boolean): Promise<ExitCode> {
  const [view] = await viewSessions(app, [entry]);
  if (view === undefined) throw new Error(`${entry.id} cannot be viewed.`);
  if (view.state === 'failed') return refuse(context, 'not-started', `${entry.id}: ${view.sentence}`, view.try);
  const problem = wasSent ? (entry.lastSent?.problem ?? null) : null;
  if (problem !== null) return refuse(context, 'not-delivered', `It was not delivered to ${entry.id}: ${problem}`);
  const what = wasSent ? 'delivered' : `${view.state}. ${view.sentence}`;
  const lines = [`${entry.id} (${shortened(entry.title)}): ${what}`, ...tryLines(view.try.map(commandFor))];
  answer(context, { session: sessionJson(view) }, lines);
  return EXIT.ok;
}

export function sessionJson({ try: suggestions, ...view }: SessionShown): object {
  return { ...view, try: suggestions.map(commandFor) };
}

/** The sentence of a view, and what can be typed next. */
export function sessionSentence({ sentence, try: suggestions }: SessionView): string {
  return [sentence, ...suggestions.map((one) => `Try: ${commandFor(one)}`)].join(' ');
}

export type SessionShown = SessionView & { readonly worktree: string | null };

/** With one question to the host, and none where no session could be running. */
export async function viewSessions(app: App, entries: readonly SessionEntry[]): Promise<readonly SessionShown[]> {
  if (entries.length === 0) return [];
  const mayRun = entries.some(
    (entry) => entry.up !== undefined && entry.ended === undefined && entry.wanted !== 'paused',
  );
  const seen = new Map((mayRun ? await seenBy(app, entries) : []).map((one) => [one.session, one]));
  const now = new Date();
  const gone: SessionSeen | undefined = mayRun ? { life: { kind: 'gone' } } : undefined;
  const { worktreeOf } = await app.sessions();
  return entries.map((entry) => ({
    ...viewSession(entry, seen.get(entry.id) ?? gone, now),
    worktree: worktreeOf(entry) ?? null,
  }));
}

/** In one or two words: a program that runs and asks is told from one that runs and works. */
export function stateWord({ state, activity }: SessionView): string {
  return activity === null || activity.doing === 'unclear' ? state : WORDS[activity.doing];
}

const WORDS = {
  works: 'works',
  waits: 'waits',
  'asks-permission': 'asks',
  'asks-trust': 'asks',
  quota: 'no quota',
  crashed: 'error',
} as const;

/** The host is let go of at once: whoever waits for more asks again. */
async function seenBy(
  app: App,
  entries: readonly SessionEntry[],
): Promise<readonly (SessionSeen & { readonly session: SessionId })[]> {
  const sessions = await app.sessions();
  try {
    return await sessions.look(entries);
  } finally {
    sessions.close();
  }
}

/** What is free text on a command line may also come from a file or from standard input. */
export async function promptFrom(
  context: Context,
  words: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (file !== undefined) return file === '-' ? context.readInput() : context.readFile(file);
  return words ?? '';
}
