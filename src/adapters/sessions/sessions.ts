// Sessions for the engine: a worktree, the files that the agent program needs, and the program in its terminal.
import { rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAgent } from '../../agents/registry.ts';
import type { SessionNews } from '../../core/model/event.ts';
import { diskFailure, Failure, systemCode } from '../../core/model/failure.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { Host } from '../../core/ports/host.ts';
import type { Sessions } from '../../core/ports/sessions.ts';
import { activityWatch } from './activity-watch.ts';
import { launchFor, type ProgramPlaces, prepareFolders } from './program-launch.ts';
import type { Reports } from './reports.ts';
import { folderOf, isStoppedIn, sessionsIn, tidySessions } from './session-folders.ts';
import type { SessionWorktrees } from './session-worktrees.ts';
import { openSights } from './sights.ts';

export interface SessionPlaces extends ProgramPlaces {
  readonly host: Host;
  readonly worktrees: SessionWorktrees;
  readonly reports: Reports;
}

export function sessions(places: SessionPlaces): Sessions {
  const { host, worktrees, reports, walls } = places;
  /** A host is not watched before it has a session: watching alone could start a server. */
  let watching: { close(): void } | undefined;
  const listeners = new Set<() => void>();
  const activity = activityWatch(reports.folder);
  const watchHost = (): void => {
    if (listeners.size === 0) return;
    watching ??= host.watch((event) => {
      if (event.kind === 'output') activity.wrote(event.session);
      else for (const changed of listeners) changed();
    });
  };
  const sights = openSights(host, reports);
  return {
    async start(entry, prompt, resume, count) {
      watchHost();
      try {
        const wall = walls.wallFor(entry);
        const isWalled = wall !== undefined && wall.wall !== null;
        const worktree = await worktrees.make(entry);
        prepareFolders(places, entry);
        await host.start(launchFor(places, { entry, worktree, prompt, resume, count, host: host.kind, isWalled }));
        walls.listen(entry.id);
        removeOldBoxes(places);
        return { kind: 'up', ...(wall === undefined ? {} : { wall }) };
      } catch (error) {
        return failedStart(error);
      }
    },
    async stop(session) {
      await host.stop(session);
      await walls.settle(session, folderOf(places.folder, session));
      removeOldBoxes(places);
    },
    async pause(entry) {
      await host.stop(entry.id);
      await walls.settle(entry.id, worktrees.find(entry));
      await worktrees.giveBack(entry, `cadre: work of ${entry.id}, when it was paused`);
    },
    async send(entry, text, id) {
      const hindered = await whyNotNow(host, entry);
      if (hindered !== undefined) return hindered;
      if (!createMark(join(places.folder, entry.id, `sent-${id}`)))
        return { kind: 'sent', problem: INTERRUPTED, hindrance: 'interrupted' };
      const delivery = await host.send(entry.id, text);
      return { kind: 'sent', problem: delivery.kind === 'delivered' ? null : delivery.why };
    },
    list() {
      watchHost();
      return host.list();
    },
    look(entries) {
      activity.observe(new Set(entries.map(({ id }) => id)));
      return sights.of(entries);
    },
    screen: (session) => host.screen(session),
    colouredScreen: (session) => host.colouredScreen(session),
    worktreeOf: (entry) => worktrees.find(entry),
    watch(changed) {
      listeners.add(changed);
      return { close: () => void listeners.delete(changed) };
    },
    watchActivity: (changed) => activity.watch(changed),
    attach: (session) => host.attach(session),
    tidy(known) {
      for (const session of tidySessions(places.folder, known)) reports.forget(session);
    },
    serve: () => walls.listenToAll(),
    close() {
      watching?.close();
      walls.close();
      activity.close();
      host.close();
    },
  };
}

/** Every scan of the inbox lists every box, so the empty boxes of stopped sessions are removed. */
function removeOldBoxes({ inbox, folder }: SessionPlaces): void {
  for (const session of sessionsIn(inbox).filter((name) => isStoppedIn(folder, name)))
    for (const part of ['new', 'tmp', '.']) if (!removeIfEmpty(join(inbox, session, part))) break;
}

/** Whether the folder is gone. */
function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return false;
    throw diskFailure(error, 'remove', folder);
  }
}

/**
 * Why nothing may be sent to the program: it is asking something, as far as its screen shows, or its screen cannot be read.
 * Without a terminal no key is pressed, so nothing is answered.
 */
async function whyNotNow(host: Host, { id, program }: SessionEntry): Promise<Sent | undefined> {
  if (host.kind === 'process') return undefined;
  try {
    const reading = findAgent(program).readScreen(await host.screen(id));
    if (reading.kind !== 'asks-permission' && reading.kind !== 'asks-trust') return undefined;
    return { kind: 'sent', problem: askedInstead(reading.question), hindrance: 'asks' };
  } catch (error) {
    if (error instanceof Failure) return { kind: 'sent', problem: error.message };
    throw error;
  }
}

type Sent = Extract<SessionNews, { kind: 'sent' }>;

function askedInstead(question: string): string {
  return `It is asking something, and Enter would answer it: ${question} Answer it in its terminal, then send the text again.`;
}

/** The text may have arrived, and sending it again could have it done twice. */
const INTERRUPTED =
  'cadre was stopped while it was sending the text, so it may or may not have arrived. Look at the screen before you send it again.';

/** Whether the mark is new. */
function createMark(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw diskFailure(error, 'write', path);
  }
}

/** A transient failure is retried; any other is the reason why this session failed. */
function failedStart(error: unknown): SessionNews {
  if (!(error instanceof Failure) || TRANSIENT.includes(error.code)) throw error;
  return { kind: 'failed', why: error.message };
}

const TRANSIENT: readonly string[] = [
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EINTR',
  'EAGAIN',
  'tmux-lost',
  'tmux-silent',
];
