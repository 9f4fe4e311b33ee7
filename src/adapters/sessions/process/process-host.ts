// Programs as plain processes, for machines without tmux: they outlast cadre, their output goes to a file, and their input
// comes from a pipe that stays open. They have no screen.

import type { SessionId } from '../../../core/model/ids.ts';
import { KeyedQueue } from '../../../core/model/keyed-queue.ts';
import type { Delivery, Host, HostEvent, HostedSession, Launch } from '../../../core/ports/host.ts';
import { lastLines } from '../../../text/sanitize.ts';
import { isThere } from '../../system/processes.ts';
import { endEverything } from '../../system/stopping.ts';
import { watchFolders } from '../../system/watcher.ts';
import { CHECK_EVERY, SessionEvents } from '../session-events.ts';
import { FOLDER_VARIABLE, type SessionFolders, sessionFolders } from '../session-folders.ts';
import { typedLine } from '../typed-line.ts';
import {
  endOfOutput,
  leaderOf,
  lifeOf,
  outputFacts,
  startSupervised,
  supervisorStart,
  writeLine,
} from './supervised-process.ts';

const SCREEN_LINES = 50;
const SCREEN_BYTES = 64 * 1024;

/** Files show everything except that a program was killed together with its supervisor. All are read again this often. */
const SWEEP_EVERY = 10_000;

/** A program that writes continuously is not looked at more often than this, in milliseconds. */
const LOOK_AFTER = 10;

export class ProcessHost implements Host {
  readonly kind = 'process';
  readonly #folders: SessionFolders;
  readonly #queue = new KeyedQueue();
  readonly #events = new SessionEvents(() => this.list());
  /** How much each session had written at the last look. */
  #sizes: ReadonlyMap<SessionId, number> | undefined;
  readonly #watching = new Set<() => void>();

  constructor({ folder }: { readonly folder: string }) {
    this.#folders = sessionFolders(folder, 'process');
  }

  start(launch: Launch): Promise<void> {
    return this.#queue.run(launch.place, async () => {
      const { session, place } = launch;
      if (this.#folders.hasStarted(session) || this.#folders.isStopped(session)) return;
      // The supervisor claims the session; the script's own claim comes after that.
      this.#folders.prepare(launch, 'run');
      const others = [...this.#folders.started()].filter(([other, its]) => its === place && other !== session);
      for (const [other] of others) await this.#end(other);
      await launch.before?.();
      const folder = this.#folders.pathOf(session);
      // The supervisor is the outermost process of the session, and identifies itself like the program.
      const own = Object.entries(launch.env).filter(([name]) => name.startsWith('CADRE_'));
      await startSupervised(folder, { ...Object.fromEntries(own), CADRE_SESSION: session, [FOLDER_VARIABLE]: folder });
      for (const look of this.#watching) look();
    });
  }

  async stop(session: SessionId): Promise<void> {
    const place = this.#folders.placeOf(session);
    if (place === undefined) return;
    await this.#queue.run(place, () => this.#end(session));
    this.#events.refresh();
  }

  async send(session: SessionId, text: string): Promise<Delivery> {
    const typed = typedLine(session, text, this.#folders);
    if (typed.kind === 'refused') return { kind: 'not-delivered', why: typed.why };
    const folder = this.#folders.pathOf(session);
    const why =
      lifeOf(folder).kind === 'running'
        ? writeLine(folder, typed.line)
        : `The program of "${session}" is no longer running.`;
    return why === undefined ? { kind: 'delivered' } : { kind: 'not-delivered', why };
  }

  async screen(session: SessionId): Promise<string> {
    return lastLines(endOfOutput(this.#folders.pathOf(session), SCREEN_BYTES), SCREEN_LINES);
  }

  colouredScreen(session: SessionId): Promise<string> {
    return this.screen(session);
  }

  async list(): Promise<readonly HostedSession[]> {
    return [...this.#folders.started()].map(([session, place]) => {
      const folder = this.#folders.pathOf(session);
      return { session, place, life: lifeOf(folder), lastOutput: outputFacts(folder)?.when };
    });
  }

  attach(): undefined {
    return undefined;
  }

  watch(listener: (event: HostEvent) => void): { close(): void } {
    const remove = this.#events.add(listener);
    let soon: NodeJS.Timeout | undefined;
    let lookedAt = Number.NEGATIVE_INFINITY;
    let isWatched = false;
    const watcher = watchFolders(() => {
      soon ??= setTimeout(look, LOOK_AFTER).unref();
    });
    const look = (): void => {
      clearTimeout(soon);
      soon = undefined;
      lookedAt = performance.now();
      isWatched = watcher.follow(this.#folders.watchedPaths());
      this.#emitOutput([...this.#folders.started().keys()]);
      this.#events.refresh();
    };
    look();
    this.#watching.add(look);
    const timer = setInterval(() => {
      const isRecent = isWatched && performance.now() - lookedAt < SWEEP_EVERY;
      if (!isRecent || !this.#events.running().every(isThere)) look();
    }, CHECK_EVERY).unref();
    return {
      close: () => {
        clearInterval(timer);
        clearTimeout(soon);
        watcher.close();
        this.#watching.delete(look);
        remove();
      },
    };
  }

  close(): void {
    // Everything is in files; there is nothing to release.
  }

  async #end(session: SessionId): Promise<void> {
    const folder = this.#folders.pathOf(session);
    const entry = `${FOLDER_VARIABLE}=${folder}`;
    const workplace = this.#folders.workplaceOf(session);
    await endEverything({ leader: leaderOf(folder), entry, since: supervisorStart(folder), workplace });
    this.#folders.markStopped(session);
  }

  #emitOutput(sessions: readonly SessionId[]): void {
    const before = this.#sizes;
    this.#sizes = new Map(sessions.map((session) => [session, outputFacts(this.#folders.pathOf(session))?.size ?? 0]));
    // What was written before anybody listened is not an event.
    if (before === undefined) return;
    for (const [session, size] of this.#sizes)
      if (size !== (before.get(session) ?? 0)) this.#events.emit({ kind: 'output', session });
  }
}
