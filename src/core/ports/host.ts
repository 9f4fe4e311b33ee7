// Where agent programs run: in terminals that outlast cadre, or as plain processes. Each comment is a promise that
// test/contracts checks on both hosts.
import type { PlaceId, SessionId } from '../model/ids.ts';
import type { Life } from '../model/session.ts';

export interface Launch {
  /** The session: one program, started once. Its id is never used for another. */
  readonly session: SessionId;
  /** The terminal it runs in. Sessions follow each other in a place, which is how roles are switched. */
  readonly place: PlaceId;
  readonly argv: readonly string[];
  readonly cwd: string;
  /**
   * The whole environment of the program, TERM included; nothing of cadre's own is added. A host adds only
   * `CADRE_SESSION`, if it is missing, and `CADRE_SESSION_FOLDER`, by which it finds the processes of a session.
   */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Called after every other session in the place has ended, and before this one is started; never for one that was started
   * before. If it fails, nothing is started.
   */
  readonly before?: () => Promise<void>;
  /** Standard input is empty, so nothing can be sent to the program. */
  readonly input?: 'none';
}

export interface HostedSession {
  readonly session: SessionId;
  readonly place: PlaceId;
  readonly life: Life;
  /** When the program last wrote something, in milliseconds since 1970, as far as the host knows. */
  readonly lastOutput: number | undefined;
}

export type Delivery =
  | { readonly kind: 'delivered' }
  /** The program received nothing or only a part, and Enter was not pressed. */
  | { readonly kind: 'not-delivered'; readonly why: string };

export type HostEvent =
  | { readonly kind: 'output'; readonly session: SessionId }
  | { readonly kind: 'ended'; readonly session: SessionId; readonly life: Life };

/** Contract: a second call of any method, by this or another process, has the effect of one. */
export interface Host {
  readonly kind: 'tmux' | 'process';
  /**
   * Starts the program in its place. First stops any other session in that place: asks its process group to end, kills it
   * after `STOP_PATIENCE`, and kills every process it left behind. Does nothing if this session was started before, whether
   * it still runs or not.
   */
  start(launch: Launch): Promise<void>;
  /** Stops the program and every process it started, and frees the place. Touches no other session. */
  stop(session: SessionId): Promise<void>;
  /** Sends any text as one paste and one Enter; control characters are removed. */
  send(session: SessionId, text: string): Promise<Delivery>;
  /** The screen as plain lines, or the end of the output if there is no screen. */
  screen(session: SessionId): Promise<string>;
  /** The same with the colours of the text as SGR sequences and with what has scrolled off, as far as the host has them. */
  colouredScreen(session: SessionId): Promise<string>;
  /**
   * All sessions of this repository in one exchange, including those that an earlier cadre started. A session that was
   * stopped, or replaced in its place, is no longer listed.
   */
  list(): Promise<readonly HostedSession[]>;
  /** The command that shows the session in a person's terminal, or undefined if it has no terminal. */
  attach(session: SessionId): readonly string[] | undefined;
  /** Calls back as things happen, until closed. It may miss something; `list` is always right. */
  watch(listener: (event: HostEvent) => void): { close(): void };
  /** Releases the host's connections. Sessions keep running. */
  close(): void;
}

/** How long a program that was asked to end may take before it is killed, in milliseconds. */
export const STOP_PATIENCE = 3_000;
