// Sessions for the engine: a worktree, the files that the agent program needs, and the program in its terminal.
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ScreenReading, Start, StartRequest } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { needsScreen, type Sight } from '../../core/model/activity.ts';
import type { SessionNews } from '../../core/model/event.ts';
import { diskFailure, Failure, systemCode } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { Host } from '../../core/ports/host.ts';
import type { Sessions } from '../../core/ports/sessions.ts';
import { authorIn, foldersForCommits } from '../git/commit-access.ts';
import { cleanEnvironment } from '../system/clean-environment.ts';
import { activityWatch } from './activity-watch.ts';
import type { Reports } from './reports.ts';
import { isStoppedIn, messagesIn, namesIn, tidySessions } from './session-folders.ts';
import type { SessionWorktrees } from './session-worktrees.ts';

export interface SessionPlaces {
  readonly host: Host;
  readonly worktrees: SessionWorktrees;
  /** What a program may run to see whether its work is good. */
  readonly verify: readonly string[] | null;
  /** Where each session has a folder. */
  readonly folder: string;
  readonly inbox: string;
  readonly gitFolder: string;
  /** cadre's own environment, of which a program sees only what it may. */
  readonly env: NodeJS.ProcessEnv;
  /** How this cadre is called. */
  readonly cadre: readonly string[];
  readonly trusted: boolean;
  readonly reports: Reports;
}

export function sessions(places: SessionPlaces): Sessions {
  const { host, worktrees } = places;
  /** Nobody listens to a host before there is a session in it: that alone could start one. */
  let listening: { close(): void } | undefined;
  const listeners = new Set<() => void>();
  const activity = activityWatch(places.reports.folder);
  const listen = (): void => {
    if (listeners.size === 0) return;
    listening ??= host.watch((news) => {
      if (news.kind === 'output') activity.wrote(news.session);
      else for (const changed of listeners) changed();
    });
  };
  const screens = new Map<SessionId, LastScreen>();
  return {
    async start(entry, prompt, resume, attempt) {
      listen();
      try {
        const { path: worktree, variables } = await worktrees.make(entry);
        const start = howToStart(places, entry, worktree, prompt, resume);
        // A sandbox refuses to start with a folder that is not there.
        for (const folder of [messagesIn(join(places.folder, entry.id)), join(places.inbox, entry.id)])
          mkdirSync(folder, { recursive: true, mode: 0o700 });
        for (const file of start.files) writeFile(file.path, file.text);
        const env = { ...environment(places, entry, attempt), ...variables, ...start.env };
        const { argv, input } = start;
        const launch = { session: entry.id, place: entry.place, argv, cwd: worktree, env };
        await host.start(input === undefined ? launch : { ...launch, input });
        removeOldBoxes(places);
        return { kind: 'up' };
      } catch (error) {
        return failed(error);
      }
    },
    async stop(session) {
      await host.stop(session);
      removeOldBoxes(places);
    },
    async pause(entry) {
      await host.stop(entry.id);
      await worktrees.giveBack(entry, `cadre: what ${entry.id} had when it was paused`);
    },
    async send(entry, text, id) {
      const question = await questionOf(host, entry);
      if (question !== undefined) return { kind: 'sent', problem: askedInstead(question) };
      if (!marks(join(places.folder, entry.id, `sent-${id}`))) return { kind: 'sent', problem: CUT_OFF };
      const delivery = await host.send(entry.id, text);
      return { kind: 'sent', problem: delivery.kind === 'delivered' ? null : delivery.why };
    },
    list() {
      listen();
      return host.list();
    },
    async look(entries) {
      const asked = new Map(entries.map((entry) => [entry.id, entry]));
      activity.observe(new Set(asked.keys()));
      for (const session of screens.keys()) if (!asked.has(session)) screens.delete(session);
      const hosted = await host.list();
      return Promise.all(
        hosted.map(async (one) => {
          const entry = asked.get(one.session);
          if (entry === undefined || one.life.kind !== 'running') return one;
          return { ...one, sight: await sightOf(places, screens, entry, one.lastOutput) };
        }),
      );
    },
    screen: (session) => host.screen(session),
    worktreeOf: (entry) => worktrees.find(entry),
    watch(changed) {
      listeners.add(changed);
      return { close: () => void listeners.delete(changed) };
    },
    watchActivity: (changed) => activity.watch(changed),
    attach: (session) => host.attach(session),
    tidy(known) {
      for (const session of tidySessions(places.folder, known)) places.reports.forget(session);
    },
    close() {
      listening?.close();
      activity.close();
      host.close();
    },
  };
}

/** Every round looks into every box, so those that nothing can come into any more go, unless something still lies in them. */
function removeOldBoxes({ inbox, folder }: SessionPlaces): void {
  for (const session of namesIn(inbox).filter((name) => isStoppedIn(folder, name)))
    for (const part of ['new', 'tmp', '.']) if (!removedIfEmpty(join(inbox, session, part))) break;
}

function removedIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return false;
    throw diskFailure(error, 'remove', folder);
  }
}

/** Screens cost more than files, so they are read only where a file does not say it. */
async function sightOf(
  { host, reports }: SessionPlaces,
  screens: Map<SessionId, LastScreen>,
  entry: SessionEntry,
  lastOutput: number | undefined,
): Promise<Sight> {
  const lastSent = entry.lastSent?.problem === null ? Date.parse(entry.lastSent.at) : undefined;
  const seen = { reported: reports.latest(entry.id), lastOutput, lastSent };
  if (!needsScreen(seen)) return { ...seen, screen: undefined };
  const last = screens.get(entry.id);
  if (last !== undefined && last.lastOutput === lastOutput) return { ...seen, screen: last.reading };
  const hasSettled = lastOutput !== undefined && Date.now() - lastOutput > SETTLED_AFTER;
  const reading = await readScreen(host, entry);
  if (hasSettled && reading !== undefined) screens.set(entry.id, { lastOutput, reading });
  else screens.delete(entry.id);
  return { ...seen, screen: reading };
}

/** What a screen showed, which it still does as long as the program has written nothing more. */
interface LastScreen {
  readonly lastOutput: number;
  readonly reading: ScreenReading;
}

/** Longer than the steps in which hosts know when something was written, in milliseconds. */
const SETTLED_AFTER = 2_000;

async function readScreen(host: Host, { id, program }: SessionEntry): Promise<ScreenReading | undefined> {
  try {
    return findAgent(program).readScreen(await host.screen(id));
  } catch (error) {
    // It may have ended since it was listed.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function howToStart(
  places: SessionPlaces,
  entry: SessionEntry,
  worktree: string,
  prompt: string,
  resume: boolean,
): Start {
  const agent = findAgent(entry.program);
  const request: StartRequest = {
    session: entry.id,
    role: entry.role,
    program: entry.program,
    flags: entry.flags,
    worktree,
    folder: join(places.folder, entry.id, 'agent'),
    messages: messagesIn(join(places.folder, entry.id)),
    prompt,
    cadre: places.cadre,
    verify: places.verify,
    writable: [...foldersForCommits(places.gitFolder, worktree), join(places.inbox, entry.id)],
    author: () => authorIn(worktree, places.env),
    trusted: places.trusted,
  };
  // Without a terminal nobody can type, so the form that does one prompt and ends is the right one.
  const isHeadless = places.host.kind === 'process';
  const again = resume
    ? ((isHeadless ? agent.resumeHeadless(request) : undefined) ?? agent.resume(request))
    : undefined;
  return again ?? (isHeadless ? agent.headless(request) : undefined) ?? agent.start(request);
}

function environment(places: SessionPlaces, entry: SessionEntry, attempt: number): Readonly<Record<string, string>> {
  return {
    ...cleanEnvironment(places.env, entry.env),
    TERM: 'screen-256color',
    CADRE_SESSION: entry.id,
    CADRE_ROLE: entry.role,
    CADRE_INBOX: join(places.inbox, entry.id),
    ...(places.env.CADRE_HOME === undefined ? {} : { CADRE_HOME: places.env.CADRE_HOME }),
    ...(entry.plan === undefined ? {} : { CADRE_PLAN: entry.plan, CADRE_ATTEMPT: `${attempt}` }),
    ...(entry.task === undefined ? {} : { CADRE_TASK: entry.task }),
  };
}

/** What the program asks at this moment, as far as its screen tells. Without a terminal nothing is pressed. */
async function questionOf(host: Host, { id, program }: SessionEntry): Promise<string | undefined> {
  if (host.kind === 'process') return undefined;
  const screen = await host.screen(id).catch((error) => {
    if (error instanceof Failure) return '';
    throw error;
  });
  const reading = findAgent(program).readScreen(screen);
  return reading.kind === 'asks-permission' || reading.kind === 'asks-trust' ? reading.question : undefined;
}

function askedInstead(question: string): string {
  return `It is asking something, and Enter would answer it: ${question} Answer it in its terminal, then send the text again.`;
}

/** Said where the text may or may not have arrived: to hand it over once more could have it done twice. */
const CUT_OFF =
  'cadre was ended while it was being sent, so it may or may not have arrived. Look at the screen before you send it again.';

/** Whether this is the first time. */
function marks(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw diskFailure(error, 'write', path);
  }
}

function writeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw diskFailure(error, 'write', path);
  }
}

/** What may be over in a moment is tried again; anything else is why this session cannot be. */
function failed(error: unknown): SessionNews {
  if (!(error instanceof Failure) || PASSING.includes(error.code)) throw error;
  return { kind: 'failed', why: error.message };
}

const PASSING: readonly string[] = [
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EINTR',
  'EAGAIN',
  'tmux-lost',
  'tmux-silent',
];
