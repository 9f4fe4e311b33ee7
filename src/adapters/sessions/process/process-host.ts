// Programs as plain processes, for machines without tmux: they outlast cadre, their output goes to a file, and their
// input comes from a pipe that stays open. There is no screen to look at.

import type { SessionId } from '../../../core/model/ids.ts';
import { KeyedQueue } from '../../../core/model/keyed-queue.ts';
import type { Delivery, Host, HostedSession, HostNews, Launch } from '../../../core/ports/host.ts';
import { lastLines } from '../../../text/sanitize.ts';
import { isThere } from '../../system/processes.ts';
import { endEverything } from '../../system/stopping.ts';
import { watchFolders } from '../../system/watcher.ts';
import { lineFor } from '../line-for.ts';
import { LOOK_EVERY, News } from '../session-events.ts';
import { FOLDER_VARIABLE, type SessionFolders, sessionFolders } from '../session-folders.ts';
import { endOfOutput, heldSince, hold, leaderOf, lifeOf, writeLine, writtenBy } from './supervised-process.ts';

const SCREEN_LINES = 50;
const SCREEN_BYTES = 64 * 1024;

/** Files report everything but a program that was killed with its holder; all files are read again this often, in milliseconds. */
const SWEEP_EVERY = 10_000;

/** A program that writes without a pause is not looked at more often than this, in milliseconds. */
const LOOK_AFTER = 10;

export class ProcessHost implements Host {
  readonly kind = 'process';
  readonly #folders: SessionFolders;
  readonly #turns = new KeyedQueue();
  readonly #news = new News(() => this.list());
  /** How much each session had written when it was last looked at. */
  #sizes: ReadonlyMap<SessionId, number> | undefined;
  readonly #watching = new Set<() => void>();

  constructor({ folder }: { readonly folder: string }) {
    this.#folders = sessionFolders(folder, 'process');
  }

  start(launch: Launch): Promise<void> {
    return this.#turns.run(launch.place, async () => {
      const { session, place } = launch;
      if (this.#folders.hasBegun(session) || this.#folders.isStopped(session)) return;
      // The holder claims the session; what the script claims is inside of that.
      this.#folders.prepare(launch, 'run');
      const others = [...this.#folders.begun()].filter(([old, its]) => its === place && old !== session);
      for (const [old] of others) await this.#end(old);
      const folder = this.#folders.pathOf(session);
      // Who asks the script who it is, as the outermost process of the session, gets the same answer as from the program.
      const own = Object.entries(launch.env).filter(([name]) => name.startsWith('CADRE_'));
      await hold(folder, { ...Object.fromEntries(own), CADRE_SESSION: session, [FOLDER_VARIABLE]: folder });
      for (const look of this.#watching) look();
    });
  }

  async stop(session: SessionId): Promise<void> {
    const place = this.#folders.placeOf(session);
    if (place === undefined) return;
    await this.#turns.run(place, () => this.#end(session));
    this.#news.refresh();
  }

  async send(session: SessionId, text: string): Promise<Delivery> {
    const prepared = lineFor(session, text, this.#folders);
    if (prepared.kind === 'refused') return { kind: 'not-delivered', why: prepared.why };
    const folder = this.#folders.pathOf(session);
    const why =
      lifeOf(folder).kind === 'running'
        ? writeLine(folder, prepared.line)
        : `The program of "${session}" does not run any more.`;
    return why === undefined ? { kind: 'delivered' } : { kind: 'not-delivered', why };
  }

  async screen(session: SessionId): Promise<string> {
    return lastLines(endOfOutput(this.#folders.pathOf(session), SCREEN_BYTES), SCREEN_LINES);
  }

  async list(): Promise<readonly HostedSession[]> {
    return [...this.#folders.begun()].map(([session, place]) => {
      const folder = this.#folders.pathOf(session);
      return { session, place, life: lifeOf(folder), lastOutput: writtenBy(folder)?.when };
    });
  }

  attach(): undefined {
    return undefined;
  }

  watch(listener: (news: HostNews) => void): { close(): void } {
    const forget = this.#news.add(listener);
    let soon: NodeJS.Timeout | undefined;
    let looked = Number.NEGATIVE_INFINITY;
    let isWatched = false;
    const watcher = watchFolders(() => {
      soon ??= setTimeout(look, LOOK_AFTER).unref();
    });
    const look = (): void => {
      clearTimeout(soon);
      soon = undefined;
      looked = performance.now();
      const sessions = [...this.#folders.begun().keys()];
      isWatched = watcher.follow(sessions.map((session) => this.#folders.pathOf(session)));
      this.#tellOutput(sessions);
      this.#news.refresh();
    };
    look();
    this.#watching.add(look);
    const timer = setInterval(() => {
      const isRecent = isWatched && performance.now() - looked < SWEEP_EVERY;
      if (!isRecent || !this.#news.running().every(isThere)) look();
    }, LOOK_EVERY).unref();
    return {
      close: () => {
        clearInterval(timer);
        clearTimeout(soon);
        watcher.close();
        this.#watching.delete(look);
        forget();
      },
    };
  }

  close(): void {
    // Nothing is held: what runs is known by its files.
  }

  async #end(session: SessionId): Promise<void> {
    const folder = this.#folders.pathOf(session);
    const entry = `${FOLDER_VARIABLE}=${folder}`;
    await endEverything({ leader: leaderOf(folder), entry, since: heldSince(folder) });
    this.#folders.markStopped(session);
  }

  #tellOutput(sessions: readonly SessionId[]): void {
    const before = this.#sizes;
    this.#sizes = new Map(sessions.map((session) => [session, writtenBy(this.#folders.pathOf(session))?.size ?? 0]));
    // What was written before anybody watched is no news.
    if (before === undefined) return;
    for (const [session, size] of this.#sizes)
      if (size !== (before.get(session) ?? 0)) this.#news.tell({ kind: 'output', session });
  }
}
