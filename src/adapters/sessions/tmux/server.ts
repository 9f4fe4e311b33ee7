// cadre's own tmux server: found or started, all its panes looked at in one exchange, what it tells by itself passed on.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../core/model/failure.ts';
import type { SessionId } from '../../../core/model/ids.ts';
import type { Locks } from '../../../core/ports/locks.ts';
import { type Answers, HUB, type Opened, type ServerName, SILENT, TmuxControl } from './control.ts';
import { LIST_PANES, MARK, type Pane, parsePanes } from './panes.ts';

export interface ServerOptions {
  readonly server: ServerName;
  readonly locks: Locks;
  /** The lock that every cadre holds while it connects, or makes or closes a terminal. */
  readonly lock: string;
  /** How long tmux may take to answer, in milliseconds. */
  readonly patience: number;
  /** Something has begun, ended, come or gone; a look tells what. */
  readonly changed: () => void;
  readonly output: (session: SessionId) => void;
}

export interface OpenServer {
  readonly kind: 'panes';
  readonly control: TmuxControl;
  readonly panes: readonly Pane[];
}

export type Seen = OpenServer | Exclude<Opened, { readonly kind: 'open' }>;

/** Longer than anybody waits for an answer; who holds the lock that long has a server that does not answer. */
const LOCK_PATIENCE = 30_000;

/** How long a cadre that goes may wait for the lock. */
const LEAVING_PATIENCE = 1_000;

/** How often tmux is made to look for children that have ended. */
const REAP_TRIES = 10;

export class TmuxServer {
  readonly #options: ServerOptions;
  readonly #sessions = new Map<string, SessionId>();
  readonly #waiting = new Map<string, () => void>();
  #opening: Promise<Opened> | undefined;
  #control: TmuxControl | undefined;
  #isClosed = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Whether the server tells by itself when something happens. */
  get isHeard(): boolean {
    return this.#control?.isOpen ?? false;
  }

  /** All panes, or why they cannot be seen. A server that does not answer is `unknown`, never `absent`. */
  async look(mayStart = false): Promise<Seen> {
    const seen = (await this.#lookOnce(mayStart)) ?? (await this.#lookOnce(mayStart));
    return seen ?? { kind: 'unknown', why: 'The connection to tmux was lost twice. Try again.' };
  }

  /** Nothing when the connection was lost meanwhile: whether there is a server at all, only another attempt can tell. */
  async #lookOnce(mayStart: boolean): Promise<Seen | undefined> {
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
      // tmux 3.3 now and then does not hear of a child's end before the next child ends.
      await control.ask(['run-shell', '-b', ':']);
      await pause(5);
      panes = await askForPanes(control);
    }
    this.#sessions.clear();
    for (const { id, session } of panes) if (session !== undefined) this.#sessions.set(id, session);
    return panes;
  }

  /** Carries out commands that make or close sessions. */
  change(control: TmuxControl, ...commands: readonly (readonly string[])[]): Promise<Answers> {
    return this.#alone(() => control.ask(...commands));
  }

  /** Resolves when the pane writes something, or when the time is over. Begins to listen at once. */
  outputOf(pane: string, patience: number): Promise<void> {
    return new Promise((heard) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(pane);
        heard();
      };
      const timer = setTimeout(done, patience);
      this.#waiting.set(pane, done);
    });
  }

  close(): void {
    this.#isClosed = true;
    const control = this.#control;
    if (control === undefined || !control.isOpen) return;
    const leave = (): Promise<void> => control.leave();
    // Who cannot have the lock goes all the same: it is held for a server that does not answer.
    void this.#alone(leave, LEAVING_PATIENCE).catch(leave);
  }

  async #open(mayStart: boolean): Promise<Opened> {
    if (this.#control?.isOpen) return { kind: 'open', control: this.#control };
    // A connection that nobody waits for would be left half made, and a server cannot end while one is.
    if (this.#isClosed) return { kind: 'unknown', why: 'This cadre has let go of its tmux server.' };
    const opened = await this.#patiently(this.#opening ?? this.#connect(mayStart));
    // Somebody who may not start a server was the first to look for one.
    return opened.kind === 'absent' && mayStart ? this.#patiently(this.#connect(true)) : opened;
  }

  /** An attempt that takes too long goes on, and the next look waits for the same one. */
  #patiently(opening: Promise<Opened>): Promise<Opened> {
    const { patience } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<Opened>((settle) => {
      timer = setTimeout(() => settle({ kind: 'unknown', why: SILENT }), patience);
    });
    return Promise.race([opening, tooLong]).finally(() => clearTimeout(timer));
  }

  #connect(mayStart: boolean): Promise<Opened> {
    const opening = this.#openAndListen(mayStart).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return opening;
  }

  async #openAndListen(mayStart: boolean): Promise<Opened> {
    const { server, patience, changed } = this.#options;
    const notices = { output: (pane: string) => this.#heard(pane), changed, closed: changed };
    try {
      return await this.#alone(async () => {
        const opened = await TmuxControl.open({ server, mayStart, patience, notices });
        if (opened.kind !== 'open') return opened;
        const isWanted = !this.#isClosed && (await this.#listens(opened.control));
        if (isWanted) this.#control = opened.control;
        else await opened.control.leave();
        return isWanted ? opened : { kind: 'unknown', why: SILENT };
      });
    } catch (error) {
      if (error instanceof Failure) return { kind: 'unknown', why: error.message };
      throw error;
    }
  }

  /**
   * tmux 3.3 falls, with every program in it, when a session or a connection comes or goes while another connection is
   * half made: of two that start a server in the same moment, neither has one.
   */
  async #alone<T>(work: () => Promise<T>, patience = LOCK_PATIENCE): Promise<T> {
    const { locks, lock } = this.#options;
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
    const held = await locks.take(lock, patience);
    try {
      return await work();
    } finally {
      held.release();
    }
  }

  /** Asks to be told of deaths, and links windows that are not in the hub, as after somebody has closed it. */
  async #listens(control: TmuxControl): Promise<boolean> {
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

  #heard(pane: string): void {
    this.#waiting.get(pane)?.();
    const session = this.#sessions.get(pane);
    // One that we do not know was started by another cadre, and will be known after a look.
    if (session === undefined) this.#options.changed();
    else this.#options.output(session);
  }
}

async function askForPanes(control: TmuxControl): Promise<readonly Pane[]> {
  return parsePanes((await control.ask(LIST_PANES)).answers[0] ?? []);
}

/** Only what is linked into the session that we are attached to is told to us. */
export function linkToHub(window: string): readonly string[] {
  return ['link-window', '-d', '-s', window, '-t', `=${HUB}:`];
}
