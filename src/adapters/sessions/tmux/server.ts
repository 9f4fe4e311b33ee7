// cadre's own tmux server: finds or starts it, reads all its panes in one exchange, and passes on its notifications.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../core/model/failure.ts';
import type { SessionId } from '../../../core/model/ids.ts';
import type { Locks } from '../../../core/ports/locks.ts';
import { type Answers, type ConnectResult, HUB, NOT_ANSWERING, type ServerName, TmuxControl } from './control.ts';
import { LIST_PANES, MARK, type Pane, parsePanes } from './panes.ts';

export interface ServerOptions {
  readonly server: ServerName;
  readonly locks: Locks;
  /** The lock that a cadre process holds while it connects, or opens or closes a terminal. */
  readonly lock: string;
  /** How long tmux may take to answer, in milliseconds. */
  readonly timeout: number;
  /** A program or a window has started, ended, appeared or gone; a look shows which. */
  readonly changed: () => void;
  readonly output: (session: SessionId) => void;
}

export interface OpenServer {
  readonly kind: 'panes';
  readonly control: TmuxControl;
  readonly panes: readonly Pane[];
}

export type ServerView = OpenServer | Exclude<ConnectResult, { readonly kind: 'open' }>;

/** Longer than anyone waits for an answer: if the lock is held for longer, the server is not answering. In milliseconds. */
const LOCK_TIMEOUT = 30_000;

/** How long to wait for the lock before disconnecting, in milliseconds. */
const LEAVE_TIMEOUT = 1_000;

/** How often to make tmux look for children that have ended. */
const REAP_TRIES = 10;

export class TmuxServer {
  readonly #options: ServerOptions;
  readonly #sessions = new Map<string, SessionId>();
  readonly #waiting = new Map<string, () => void>();
  #opening: Promise<ConnectResult> | undefined;
  #control: TmuxControl | undefined;
  #isClosed = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Whether the server notifies us when something happens. */
  get isConnected(): boolean {
    return this.#control?.isOpen ?? false;
  }

  /** All panes, or why they cannot be seen. A server that does not answer is `unknown`, never `absent`. */
  async look(mayStart = false): Promise<ServerView> {
    const view = (await this.#lookOnce(mayStart)) ?? (await this.#lookOnce(mayStart));
    return view ?? { kind: 'unknown', why: 'The connection to tmux was lost twice. Try again.' };
  }

  /** Undefined if the connection was lost meanwhile: only another attempt can show whether a server exists. */
  async #lookOnce(mayStart: boolean): Promise<ServerView | undefined> {
    const opened = await this.#open(mayStart);
    if (opened.kind !== 'open') return opened;
    try {
      return { kind: 'panes', control: opened.control, panes: await this.panes(opened.control) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code === 'tmux-lost' ? undefined : { kind: 'unknown', why: error.message };
    }
  }

  async panes(control: TmuxControl): Promise<readonly Pane[]> {
    let panes = await askForPanes(control);
    for (let tries = 0; tries < REAP_TRIES && panes.some(({ isUnreaped }) => isUnreaped); tries++) {
      // tmux 3.3 sometimes does not notice that a child has ended until the next child ends.
      await control.ask(['run-shell', '-b', ':']);
      await pause(5);
      panes = await askForPanes(control);
    }
    this.#sessions.clear();
    for (const { id, session } of panes) if (session !== undefined) this.#sessions.set(id, session);
    return panes;
  }

  /** Runs commands that create or close tmux sessions. */
  change(control: TmuxControl, ...commands: readonly (readonly string[])[]): Promise<Answers> {
    return this.#alone(() => control.ask(...commands));
  }

  /** Resolves when the pane writes something, or after the timeout. Listens from the call on. */
  outputOf(pane: string, timeout: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(pane);
        resolve();
      };
      const timer = setTimeout(done, timeout);
      this.#waiting.set(pane, done);
    });
  }

  close(): void {
    this.#isClosed = true;
    const control = this.#control;
    if (control === undefined || !control.isOpen) return;
    const leave = (): Promise<void> => control.leave();
    // Disconnects even without the lock: its holder is waiting for a server that does not answer.
    void this.#alone(leave, LEAVE_TIMEOUT).catch(leave);
  }

  async #open(mayStart: boolean): Promise<ConnectResult> {
    if (this.#control?.isOpen) return { kind: 'open', control: this.#control };
    // Nobody would finish the new connection, and a server cannot end while one is unfinished.
    if (this.#isClosed) return { kind: 'unknown', why: 'This cadre has disconnected from its tmux server.' };
    const opened = await this.#withTimeout(this.#opening ?? this.#connect(mayStart));
    // The pending attempt was one that may not start a server.
    return opened.kind === 'absent' && mayStart ? this.#withTimeout(this.#connect(true)) : opened;
  }

  /** An attempt that takes too long continues, and the next look waits for the same one. */
  #withTimeout(opening: Promise<ConnectResult>): Promise<ConnectResult> {
    const { timeout } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<ConnectResult>((settle) => {
      timer = setTimeout(() => settle({ kind: 'unknown', why: NOT_ANSWERING }), timeout);
    });
    return Promise.race([opening, tooLong]).finally(() => clearTimeout(timer));
  }

  #connect(mayStart: boolean): Promise<ConnectResult> {
    const opening = this.#openAndListen(mayStart).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return opening;
  }

  async #openAndListen(mayStart: boolean): Promise<ConnectResult> {
    const { server, timeout, changed } = this.#options;
    const notifications = { output: (pane: string) => this.#onOutput(pane), changed, closed: changed };
    try {
      return await this.#alone(async () => {
        const opened = await TmuxControl.open({ server, mayStart, timeout, notifications });
        if (opened.kind !== 'open') return opened;
        const isWanted = !this.#isClosed && (await this.#subscribe(opened.control));
        if (isWanted) this.#control = opened.control;
        else await opened.control.leave();
        return isWanted ? opened : { kind: 'unknown', why: NOT_ANSWERING };
      });
    } catch (error) {
      if (error instanceof Failure) return { kind: 'unknown', why: error.message };
      throw error;
    }
  }

  /**
   * tmux 3.3 crashes, and takes every program with it, when a session or a connection appears or goes while another
   * connection is being made: if two processes start a server at the same moment, neither gets one.
   */
  async #alone<T>(work: () => Promise<T>, timeout = LOCK_TIMEOUT): Promise<T> {
    const { locks, lock } = this.#options;
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
    const held = await locks.take(lock, timeout);
    try {
      return await work();
    } finally {
      held.release();
    }
  }

  /** Subscribes to the ends of programs, and links windows into the hub that are not there, as after somebody closed it. */
  async #subscribe(control: TmuxControl): Promise<boolean> {
    try {
      await control.ask(['refresh-client', '-B', `life:%*:#{pane_dead} #{pane_dead_status} #{${MARK}}`]);
      for (const { window, session, isInHub } of await this.panes(control))
        if (session !== undefined && !isInHub) await control.ask(linkToHub(window));
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  #onOutput(pane: string): void {
    this.#waiting.get(pane)?.();
    const session = this.#sessions.get(pane);
    // An unknown pane was opened by another cadre. The next look will find it.
    if (session === undefined) this.#options.changed();
    else this.#options.output(session);
  }
}

async function askForPanes(control: TmuxControl): Promise<readonly Pane[]> {
  return parsePanes((await control.ask(LIST_PANES)).answers[0] ?? []);
}

/** tmux notifies a client only about windows of the session that it is attached to. */
export function linkToHub(window: string): readonly string[] {
  return ['link-window', '-d', '-s', window, '-t', `=${HUB}:`];
}
