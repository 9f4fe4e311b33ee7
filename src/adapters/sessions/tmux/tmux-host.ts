// Programs in terminals of cadre's own tmux server: they outlast cadre, and people can watch them and type.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../core/model/failure.ts';
import { ownPlaceOf, placeId, type SessionId } from '../../../core/model/ids.ts';
import { KeyedQueue } from '../../../core/model/keyed-queue.ts';
import type { Delivery, Host, HostEvent, HostedSession, Launch } from '../../../core/ports/host.ts';
import type { Locks } from '../../../core/ports/locks.ts';
import { fileLocks } from '../../system/lock.ts';
import { endEverything } from '../../system/stopping.ts';
import { CHECK_EVERY, SessionEvents } from '../session-events.ts';
import { FOLDER_VARIABLE, type SessionFolders, sessionFolders } from '../session-folders.ts';
import { typedLine } from '../typed-line.ts';
import { HUB, type ServerName, type TmuxControl, tmuxArguments } from './control.ts';
import { launchInto, tmuxRefused } from './launch.ts';
import type { Pane } from './panes.ts';
import { type OpenServer, type ServerView, TmuxServer } from './server.ts';
import { captureScreen, type Transfer, typeLine } from './typing.ts';

export interface TmuxHostOptions {
  /** The name of the server; each repository has its own. */
  readonly server: ServerName;
  /** Where the folders of sessions are; each repository has its own. */
  readonly folder: string;
  readonly locks?: Locks;
  /** How long tmux may take to answer, in milliseconds. */
  readonly timeout?: number;
  /** Whether Enter waits until the screen shows the paste. Otherwise any output of the program is enough. */
  readonly waitsForPaste?: boolean;
}

/** How long the script in a new terminal may take to start, in milliseconds. */
const START_TIMEOUT = 10_000;

/** Shown for a moment to a person who attaches. */
const WAY_BACK = 'Ctrl-Q leaves this terminal; the agent continues.';

export class TmuxHost implements Host {
  readonly kind = 'tmux';
  readonly #name: ServerName;
  readonly #waitsForPaste: boolean;
  readonly #server: TmuxServer;
  readonly #folders: SessionFolders;
  readonly #queue = new KeyedQueue();
  readonly #events = new SessionEvents(() => this.list());
  readonly #lastOutput = new Map<SessionId, number>();

  constructor(options: TmuxHostOptions) {
    const { server, folder, locks = fileLocks({ command: 'cadre' }), timeout = 3_000, waitsForPaste = true } = options;
    this.#name = server;
    this.#waitsForPaste = waitsForPaste;
    this.#folders = sessionFolders(folder, 'tmux');
    this.#server = new TmuxServer({
      server,
      locks,
      lock: join(folder, 'tmux.lock'),
      timeout,
      changed: () => this.#events.refresh(),
      output: (session) => {
        this.#lastOutput.set(session, Date.now());
        this.#events.emit({ kind: 'output', session });
      },
    });
  }

  start(launch: Launch): Promise<void> {
    return this.#queue.run(launch.place, async () => {
      try {
        await this.#start(launch);
      } catch (error) {
        // Another cadre may just have stopped the last session, and with it the server.
        if (!(error instanceof Failure) || error.code !== 'tmux-lost') throw error;
        await this.#start(launch);
      }
      this.#events.refresh();
    });
  }

  async stop(session: SessionId): Promise<void> {
    const place = this.#folders.placeOf(session);
    if (place === undefined) return;
    await this.#queue.run(place, async () => {
      const view = await this.#server.look();
      if (view.kind === 'unknown') throw notAnswering(view.why);
      const pane = view.kind === 'panes' ? view.panes.find((one) => one.session === session) : undefined;
      await this.#end(session, pane);
      if (view.kind === 'panes' && pane !== undefined) await this.#closePane(view.control, pane);
      this.#events.refresh();
    });
  }

  async send(session: SessionId, text: string): Promise<Delivery> {
    const typed = typedLine(session, text, this.#folders);
    if (typed.kind === 'refused') return { kind: 'not-delivered', why: typed.why };
    return this.#queue.run(this.#folders.placeOf(session) ?? session, async () => {
      try {
        const { control, pane } = await this.#paneOf(session);
        const why = await typeLine({
          server: this.#server,
          control,
          pane,
          line: typed.line,
          transfer: this.#transfer(session),
          waitsForPaste: this.#waitsForPaste,
        });
        return why === undefined ? { kind: 'delivered' } : { kind: 'not-delivered', why };
      } catch (error) {
        if (error instanceof Failure) return { kind: 'not-delivered', why: error.message };
        throw error;
      }
    });
  }

  screen(session: SessionId): Promise<string> {
    return this.#capture(session, []);
  }

  colouredScreen(session: SessionId): Promise<string> {
    return this.#capture(session, ['-e', '-S', `-${SCROLLED_LINES}`]);
  }

  async #capture(session: SessionId, options: readonly string[]): Promise<string> {
    const { control, pane } = await this.#paneOf(session);
    const read = await captureScreen(control, pane, this.#transfer(session), options);
    if ('refusal' in read) throw tmuxRefused(`show the screen of "${session}"`, read.refusal);
    return read.screen;
  }

  async list(): Promise<readonly HostedSession[]> {
    // Before tmux is asked: a session that starts while tmux answers must not look as if its terminal were gone.
    const started = this.#folders.started();
    const view = await this.#server.look();
    const inPanes = view.kind === 'panes' ? view.panes.flatMap((pane) => this.#hosted(pane)) : [];
    const listed = new Set(inPanes.map(({ session }) => session));
    const others = [...started].filter(([session]) => !listed.has(session) && !this.#folders.isStopped(session));
    const life = lifeWithoutPane(view);
    return [
      ...inPanes,
      ...others.map(([session, place]) => ({ session, place, life, lastOutput: this.#lastOutput.get(session) })),
    ];
  }

  attach(session: SessionId): readonly string[] | undefined {
    const place = this.#folders.placeOf(session);
    if (place === undefined) return undefined;
    // Inside a person's own tmux it would otherwise refuse, or look for the server in another folder.
    const outsideTmux = ['env', '-u', 'TMUX', '-u', 'TMUX_TMPDIR'];
    const attaching = ['-N', 'attach-session', '-t', `=${place}`, ';', 'display-message', WAY_BACK];
    return [...outsideTmux, ...tmuxArguments(this.#name), ...attaching];
  }

  watch(listener: (event: HostEvent) => void): { close(): void } {
    const remove = this.#events.add(listener);
    this.#events.refresh();
    const timer = setInterval(() => this.#lookIfDisconnected(), CHECK_EVERY).unref();
    return {
      close() {
        clearInterval(timer);
        remove();
      },
    };
  }

  close(): void {
    this.#server.close();
  }

  async #start(launch: Launch): Promise<void> {
    const { session, place } = launch;
    if (this.#folders.hasStarted(session) || this.#folders.isStopped(session)) return;
    const { control, panes } = opened(await this.#server.look(true));
    if (panes.some((pane) => pane.session === session)) return;
    const script = this.#folders.prepare(launch, 'begun');
    const occupant = panes.find((pane) => pane.session !== undefined && this.#folders.placeOf(pane.session) === place);
    for (const old of this.#occupants(launch, occupant)) await this.#end(old, occupant);
    await launch.before?.();
    await launchInto({ server: this.#server, control, launch, script }, occupant);
    await this.#untilStarted(session);
  }

  /** From then on every cadre knows the session, even if tmux does not answer. */
  async #untilStarted(session: SessionId): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT;
    while (!this.#folders.hasStarted(session)) {
      if (performance.now() > deadline)
        throw new Failure(
          'failed',
          'not-started',
          `tmux opened a terminal for "${session}", but nothing started in it.`,
        );
      await pause(2);
    }
  }

  /** Every session of the place that may have left processes behind, even if its terminal is gone. */
  #occupants({ session, place }: Launch, occupant: Pane | undefined): readonly SessionId[] {
    const started = [...this.#folders.started()].filter(([, its]) => its === place).map(([name]) => name);
    const all = new Set([...started, ...(occupant?.session === undefined ? [] : [occupant.session])]);
    return [...all].filter((name) => name !== session);
  }

  async #end(session: SessionId, pane: Pane | undefined): Promise<void> {
    const leader = pane?.session === session && pane.life.kind === 'running' ? pane.pid : undefined;
    const [folder, workplace] = [this.#folders.pathOf(session), this.#folders.workplaceOf(session)];
    await endEverything({ leader, entry: `${FOLDER_VARIABLE}=${folder}`, workplace });
    this.#folders.markStopped(session);
  }

  async #closePane(control: TmuxControl, pane: Pane): Promise<void> {
    await this.#server.change(control, ['kill-window', '-t', pane.window]);
    if ((await this.#server.panes(control)).length > 0) return;
    // A server without programs would run forever. It may end before it has answered.
    await this.#server.change(control, ['kill-session', '-t', `=${HUB}`]).catch(() => undefined);
  }

  async #paneOf(session: SessionId): Promise<{ readonly control: TmuxControl; readonly pane: Pane }> {
    const view = await this.#server.look();
    if (view.kind === 'unknown') throw notAnswering(view.why);
    const pane = view.kind === 'panes' ? view.panes.find((one) => one.session === session) : undefined;
    if (view.kind === 'absent' || pane === undefined)
      throw new Failure('usage', 'no-terminal', `Session "${session}" has no terminal.`);
    return { control: view.control, pane };
  }

  #hosted({ session, place, life, activity }: Pane): readonly HostedSession[] {
    if (session === undefined || this.#folders.isStopped(session)) return [];
    const home = this.#folders.placeOf(session) ?? placeId(place) ?? ownPlaceOf(session);
    return [{ session, place: home, life, lastOutput: this.#lastOutput.get(session) ?? activity }];
  }

  /** While connected, tmux notifies us. If no session can end, there is nothing to look for. */
  #lookIfDisconnected(): void {
    if (this.#server.isConnected) return;
    if ([...this.#folders.started().keys()].some((session) => !this.#events.isOver(session))) this.#events.refresh();
  }

  #transfer(session: SessionId): Transfer {
    const buffer = `cadre-${randomBytes(8).toString('hex')}`;
    return { buffer, file: join(this.#folders.pathOf(session), `.${buffer}`) };
  }
}

/** How much of what has scrolled off is read with a coloured screen. */
const SCROLLED_LINES = 300;

function opened(view: ServerView): OpenServer {
  if (view.kind === 'panes') return view;
  throw notAnswering(view.kind === 'unknown' ? view.why : 'The tmux server was started, but does not exist.');
}

function lifeWithoutPane(view: ServerView): HostedSession['life'] {
  return view.kind === 'unknown' ? { kind: 'unknown', why: view.why } : { kind: 'gone' };
}

function notAnswering(why: string): Failure {
  return new Failure('environment', 'tmux-unknown', why);
}
