// Sessions of agents, as a port.
import type { Sight } from '../model/activity.ts';
import type { SessionNews } from '../model/event.ts';
import type { SessionId } from '../model/ids.ts';
import type { SessionEntry } from '../model/session.ts';
import type { HostedSession } from './host.ts';

/** Agent programs in their terminals and worktrees. Whatever was done before is not done again. */
export interface Sessions {
  /**
   * Makes the worktree, starts the program in its place, and tells whether it is up. The program is told the how-manieth
   * of its kind it is.
   */
  start(entry: SessionEntry, prompt: string, resume: boolean, attempt: number): Promise<SessionNews>;
  stop(session: SessionId): Promise<void>;
  /** Stops it, commits what it left to its branch, and gives the worktree back. Nothing is lost. */
  pause(entry: SessionEntry): Promise<void>;
  /**
   * `id` tells this text from the same one sent once more. A text is never handed over twice, and never while the program asks
   * something: Enter would be the answer.
   */
  send(entry: SessionEntry, text: string, id: string): Promise<SessionNews>;
  /** How those are that are, or were, in a terminal of this repository, and when they last wrote something. */
  list(): Promise<readonly HostedSession[]>;
  /** The same, and for those of these that run, what can be seen of what they do. */
  look(entries: readonly SessionEntry[]): Promise<readonly (HostedSession & { readonly sight?: Sight })[]>;
  screen(session: SessionId): Promise<string>;
  /** The folder in which it works, as long as there is one. */
  worktreeOf(entry: SessionEntry): string | undefined;
  /** Calls back when something has become of a session; `list` tells what. */
  watch(changed: () => void): { close(): void };
  /** Calls back, at most once a second, when one of those last looked at writes or reports something; `look` shows what. */
  watchActivity(changed: () => void): { close(): void };
  /** The program that shows the session in a person's terminal, or nothing where it has none. */
  attach(session: SessionId): readonly string[] | undefined;
  /** Removes what is left of sessions that were stopped and are none of these. */
  tidy(known: ReadonlySet<SessionId>): void;
  close(): void;
}
