// Where agent programs live: terminals that outlast cadre, or plain processes. Each comment is a promise that
import type { PlaceId, SessionId } from '../model/ids.ts';
import type { Life } from '../model/life.ts';
// test/contracts holds both hosts to.

export interface Launch {
  /** The session: one program, once. A name is never used for another. */
  readonly session: SessionId;
  /** The terminal it lives in. One session follows another there, which is how roles are switched. */
  readonly place: PlaceId;
  readonly argv: readonly string[];
  readonly cwd: string;
  /**
   * The whole environment of the program, TERM included; nothing is added from cadre's own. Only `CADRE_SESSION`, where it is
   * missing, and `CADRE_SESSION_FOLDER` are, by which a host knows what belongs to the session.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input is empty, so nothing can be sent to it. */
  readonly input?: 'none';
}

export interface HostedSession {
  readonly session: SessionId;
  readonly place: PlaceId;
  readonly life: Life;
  /** When it last wrote something, in milliseconds since 1970, as far as the host knows. */
  readonly lastOutput: number | undefined;
}

export type Delivery =
  | { readonly kind: 'delivered' }
  /** Nothing, or not all of it, has reached the program; nothing was pressed. */
  | { readonly kind: 'not-delivered'; readonly why: string };

export type HostNews =
  | { readonly kind: 'output'; readonly session: SessionId }
  | { readonly kind: 'ended'; readonly session: SessionId; readonly life: Life };

/** Contract: every method may be called twice with the same effect, by the same or by another process. */
export interface Host {
  readonly kind: 'tmux' | 'process';
  /**
   * Starts the program in its place. Where another session lives there, that one is stopped for certain first: its process
   * group is asked to end, after `STOP_PATIENCE` killed, and whatever it left behind with it. Does nothing when this very
   * session was started before, whether it still runs or not.
   */
  start(launch: Launch): Promise<void>;
  /** Stops the program and everything it started, for certain, and clears the place away. Others are not touched. */
  stop(session: SessionId): Promise<void>;
  /** Hands a text to the program as one paste and one Enter, whatever is in it; control characters are taken out. */
  send(session: SessionId, text: string): Promise<Delivery>;
  /** The screen as plain lines, or the end of the output where there is no screen. */
  screen(session: SessionId): Promise<string>;
  /**
   * All sessions of this repository in one exchange, also those that an earlier cadre started. One that was stopped, or that
   * another has followed in its place, is not told of any more.
   */
  list(): Promise<readonly HostedSession[]>;
  /** The program to run in a person's terminal to see the session, or nothing where it has no terminal. */
  attach(session: SessionId): readonly string[] | undefined;
  /** Calls back as things happen, until closed. What it misses `list` tells. */
  watch(news: (news: HostNews) => void): { close(): void };
  /** Lets go of the host; sessions live on. */
  close(): void;
}

/** How long a program that was asked to end is given before it is killed, in milliseconds. */
export const STOP_PATIENCE = 3_000;
