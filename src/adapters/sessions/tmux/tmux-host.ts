// Programs in terminals of a tmux server of our own: they outlast cadre, and a person can look at them and type.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../core/model/failure.ts';
import { ownPlaceOf, placeId, type SessionId } from '../../../core/model/ids.ts';
import { KeyedQueue } from '../../../core/model/keyed-queue.ts';
import type { Delivery, Host, HostedSession, HostNews, Launch } from '../../../core/ports/host.ts';
import type { Locks } from '../../../core/ports/locks.ts';
import { fileLocks } from '../../system/lock.ts';
import { endEverything } from '../../system/stopping.ts';
import { lineFor } from '../line-for.ts';
import { LOOK_EVERY, News } from '../session-events.ts';
import { FOLDER_VARIABLE, type SessionFolders, sessionFolders } from '../session-folders.ts';
import { HUB, type ServerName, type TmuxControl, tmuxArguments } from './control.ts';
import { launchInto, refused } from './launch.ts';
import type { Pane } from './panes.ts';
import { type OpenServer, type Seen, TmuxServer } from './server.ts';
import { type Passing, readScreen, typeLine } from './typing.ts';

export interface TmuxHostOptions {
  /** The name of the server: one for each repository. */
  readonly server: ServerName;
  /** Where the sessions' folders are: cadre's own, one for each repository. */
  readonly folder: string;
  readonly locks?: Locks;
  /** How long tmux may take to answer, in milliseconds. */
  readonly patience?: number;
  /** Whether Enter waits until a paste is seen and has settled. Where it does not, any sign of life will do. */
  readonly waitsForPaste?: boolean;
}

/** How long it may take from a new terminal to the first step of what runs in it. */
const START_PATIENCE = 10_000;

export class TmuxHost implements Host {
  readonly kind = 'tmux';
  readonly #name: ServerName;
  readonly #waitsForPaste: boolean;
  readonly #server: TmuxServer;
  readonly #folders: SessionFolders;
  readonly #turns = new KeyedQueue();
  readonly #news = new News(() => this.list());
  readonly #lastOutput = new Map<SessionId, number>();

  constructor(options: TmuxHostOptions) {
    const { server, folder, locks = fileLocks({ command: 'cadre' }), patience = 3_000, waitsForPaste = true } = options;
    this.#name = server;
    this.#waitsForPaste = waitsForPaste;
    this.#folders = sessionFolders(folder, 'tmux');
    this.#server = new TmuxServer({
      server,
      locks,
      lock: join(folder, 'tmux.lock'),
      patience,
      changed: () => this.#news.refresh(),
      output: (session) => {
        this.#lastOutput.set(session, Date.now());
        this.#news.tell({ kind: 'output', session });
      },
    });
  }

  start(launch: Launch): Promise<void> {
    return this.#turns.run(launch.place, async () => {
      try {
        await this.#start(launch);
      } catch (error) {
        // Another cadre may have stopped the last session, and the server with it, a moment ago.
        if (!(error instanceof Failure) || error.code !== 'tmux-lost') throw error;
        await this.#start(launch);
      }
      this.#news.refresh();
    });
  }

  async stop(session: SessionId): Promise<void> {
    const place = this.#folders.placeOf(session);
    if (place === undefined) return;
    await this.#turns.run(place, async () => {
      const seen = await this.#server.look();
      if (seen.kind === 'unknown') throw notAnswering(seen.why);
      const pane = seen.kind === 'panes' ? seen.panes.find((one) => one.session === session) : undefined;
      await this.#end(session, pane);
      if (seen.kind === 'panes' && pane !== undefined) await this.#clearAway(seen.control, pane);
      this.#news.refresh();
    });
  }

  async send(session: SessionId, text: string): Promise<Delivery> {
    const prepared = lineFor(session, text, this.#folders);
    if (prepared.kind === 'refused') return { kind: 'not-delivered', why: prepared.why };
    return this.#turns.run(this.#folders.placeOf(session) ?? session, async () => {
      try {
        const { control, pane } = await this.#paneOf(session);
        const passing = { ...this.#passing(session), isAwaited: this.#waitsForPaste };
        const why = await typeLine(this.#server, control, pane, prepared.line, passing);
        return why === undefined ? { kind: 'delivered' } : { kind: 'not-delivered', why };
      } catch (error) {
        if (error instanceof Failure) return { kind: 'not-delivered', why: error.message };
        throw error;
      }
    });
  }

  async screen(session: SessionId): Promise<string> {
    const { control, pane } = await this.#paneOf(session);
    const read = await readScreen(control, pane, this.#passing(session));
    if ('refusal' in read) throw refused(`show the screen of "${session}"`, read.refusal);
    return read.screen;
  }

  async list(): Promise<readonly HostedSession[]> {
    // Before tmux is asked: what begins while it answers must not look as if its terminal were gone.
    const begun = this.#folders.begun();
    const seen = await this.#server.look();
    const inPanes = seen.kind === 'panes' ? seen.panes.flatMap((pane) => this.#hosted(pane)) : [];
    const shown = new Set(inPanes.map(({ session }) => session));
    const others = [...begun].filter(([session]) => !shown.has(session) && !this.#folders.isStopped(session));
    const life = lifeWithoutPane(seen);
    return [
      ...inPanes,
      ...others.map(([session, place]) => ({ session, place, life, lastOutput: this.#lastOutput.get(session) })),
    ];
  }

  attach(session: SessionId): readonly string[] | undefined {
    const place = this.#folders.placeOf(session);
    if (place === undefined) return undefined;
    // Inside a person's own tmux it would otherwise refuse, or look for the server in another folder.
    const outside = ['env', '-u', 'TMUX', '-u', 'TMUX_TMPDIR'];
    return [...outside, ...tmuxArguments(this.#name), '-N', 'attach-session', '-t', `=${place}`];
  }

  watch(listener: (news: HostNews) => void): { close(): void } {
    const forget = this.#news.add(listener);
    this.#news.refresh();
    const timer = setInterval(() => this.#lookIfUnheard(), LOOK_EVERY).unref();
    return {
      close() {
        clearInterval(timer);
        forget();
      },
    };
  }

  close(): void {
    this.#server.close();
  }

  async #start(launch: Launch): Promise<void> {
    const { session, place } = launch;
    if (this.#folders.hasBegun(session) || this.#folders.isStopped(session)) return;
    const { control, panes } = opened(await this.#server.look(true));
    if (panes.some((pane) => pane.session === session)) return;
    const script = this.#folders.prepare(launch, 'begun');
    const occupant = panes.find((pane) => pane.session !== undefined && this.#folders.placeOf(pane.session) === place);
    for (const old of this.#occupants(launch, occupant)) await this.#end(old, occupant);
    await launchInto(this.#server, control, launch, script, occupant);
    await this.#begins(session);
  }

  /** From then on the session is known to every cadre, also to one that tmux does not answer. */
  async #begins(session: SessionId): Promise<void> {
    const deadline = performance.now() + START_PATIENCE;
    while (!this.#folders.hasBegun(session)) {
      if (performance.now() > deadline)
        throw new Failure('failed', 'not-started', `tmux has a terminal for "${session}", but nothing starts in it.`);
      await pause(2);
    }
  }

  /** Every session that lived in the place and may have left something behind, also when its terminal is gone. */
  #occupants({ session, place }: Launch, occupant: Pane | undefined): readonly SessionId[] {
    const begun = [...this.#folders.begun()].filter(([, its]) => its === place).map(([name]) => name);
    const all = new Set([...begun, ...(occupant?.session === undefined ? [] : [occupant.session])]);
    return [...all].filter((name) => name !== session);
  }

  async #end(session: SessionId, pane: Pane | undefined): Promise<void> {
    const leader = pane?.session === session && pane.life.kind === 'running' ? pane.pid : undefined;
    await endEverything({ leader, entry: `${FOLDER_VARIABLE}=${this.#folders.pathOf(session)}` });
    this.#folders.markStopped(session);
  }

  async #clearAway(control: TmuxControl, pane: Pane): Promise<void> {
    await this.#server.change(control, ['kill-window', '-t', pane.window]);
    if ((await this.#server.panes(control)).length > 0) return;
    // A server without programs would stay for ever. It may be gone before it has answered.
    await this.#server.change(control, ['kill-session', '-t', `=${HUB}`]).catch(() => undefined);
  }

  async #paneOf(session: SessionId): Promise<{ readonly control: TmuxControl; readonly pane: Pane }> {
    const seen = await this.#server.look();
    if (seen.kind === 'unknown') throw notAnswering(seen.why);
    const pane = seen.kind === 'panes' ? seen.panes.find((one) => one.session === session) : undefined;
    if (seen.kind === 'absent' || pane === undefined)
      throw new Failure('usage', 'no-terminal', `Session "${session}" has no terminal.`);
    return { control: seen.control, pane };
  }

  #hosted({ session, place, life, activity }: Pane): readonly HostedSession[] {
    if (session === undefined || this.#folders.isStopped(session)) return [];
    const home = this.#folders.placeOf(session) ?? placeId(place) ?? ownPlaceOf(session);
    return [{ session, place: home, life, lastOutput: this.#lastOutput.get(session) ?? activity }];
  }

  /** Without a connection nothing is told to us; with nothing that could end there is nothing to look for. */
  #lookIfUnheard(): void {
    if (this.#server.isHeard) return;
    if ([...this.#folders.begun().keys()].some((session) => !this.#news.isOver(session))) this.#news.refresh();
  }

  #passing(session: SessionId): Passing {
    const buffer = `cadre-${randomBytes(8).toString('hex')}`;
    return { buffer, file: join(this.#folders.pathOf(session), `.${buffer}`) };
  }
}

function opened(seen: Seen): OpenServer {
  if (seen.kind === 'panes') return seen;
  throw notAnswering(seen.kind === 'unknown' ? seen.why : 'The server was started and is not there.');
}

function lifeWithoutPane(seen: Seen): HostedSession['life'] {
  return seen.kind === 'unknown' ? { kind: 'unknown', why: seen.why } : { kind: 'gone' };
}

function notAnswering(why: string): Failure {
  return new Failure('environment', 'tmux-unknown', why);
}
