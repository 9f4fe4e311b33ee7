// Sessions of agents, as a port.
import type { Sight } from '../model/activity.ts';
import type { SessionNews } from '../model/event.ts';
import type { SessionId } from '../model/ids.ts';
import type { SessionCount, SessionEntry } from '../model/session.ts';
import type { HostedSession } from './host.ts';

/** Agent programs in their terminals and worktrees. Contract: a second call with the same arguments changes nothing. */
export interface Sessions {
  /** Creates the worktree and starts the program in its place. */
  start(entry: SessionEntry, prompt: string, resume: boolean, count: SessionCount): Promise<SessionNews>;
  stop(session: SessionId): Promise<void>;
  /** Stops it, commits what it left to its branch, and releases the worktree. Nothing is lost. */
  pause(entry: SessionEntry): Promise<void>;
  /**
   * `id` distinguishes this text from the same text sent again. A text is never delivered twice, and never while the program is
   * asking something, because Enter would answer it.
   */
  send(entry: SessionEntry, text: string, id: string): Promise<Extract<SessionNews, { kind: 'sent' }>>;
  /** The state of every session of this repository that has, or had, a place in the host. */
  list(): Promise<readonly HostedSession[]>;
  /** The same, with what can be seen of the activity of these sessions, if they run. */
  look(entries: readonly SessionEntry[]): Promise<readonly (HostedSession & { readonly sight?: Sight })[]>;
  screen(session: SessionId): Promise<string>;
  /** The same with the colours of the text as SGR sequences and with what has scrolled off, as far as the host has them. */
  colouredScreen(session: SessionId): Promise<string>;
  /** The folder it works in, while it exists. */
  worktreeOf(entry: SessionEntry): string | undefined;
  /** Calls back when a session may have ended; `list` says which. */
  watch(changed: () => void): { close(): void };
  /** Calls back, at most once a second, when a session of the last `look` writes or reports something. */
  watchActivity(changed: () => void): { close(): void };
  /** The command that shows the session in a person's terminal, or undefined if it has no terminal. */
  attach(session: SessionId): readonly string[] | undefined;
  /** From now on this process hears what sessions behind walls say, until it closes. Only the engine calls this. */
  serve(): void;
  /** Removes the files of stopped sessions that are not among these. */
  tidy(known: ReadonlySet<SessionId>): void;
  close(): void;
}
