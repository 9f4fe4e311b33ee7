// What cadre knows about an agent program: how to start it, what to grant it, and how to read it. One file per program.
import type { Role } from '../signals/registry.ts';

/** Everything about a session that decides how its program is started. */
export interface StartRequest {
  readonly session: string;
  readonly role: Role;
  /** The program as the profile names it: a name on the PATH, or a path. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly worktree: string;
  /** A folder of this session alone, outside the worktree, for settings files. */
  readonly folder: string;
  /** What is said to the agent in files lies here, and nothing else: its prompt, and what is sent later. It exists. */
  readonly messages: string;
  readonly prompt: string;
  /** How `cadre` is called inside the session, as argument lists begin. */
  readonly cadre: readonly string[];
  /** The verify command, if there is one, for the list of what the program may run without asking. */
  readonly verify: readonly string[] | null;
  /**
   * Folders outside the worktree that a commit and a signal are written to: parts of git's own folder, and the session's
   * inbox. They exist. For programs that lock their tools into the worktree.
   */
  readonly writable: readonly string[];
  /** Who commits here, as git knows it; nothing where nobody has told git. Few programs have to be told, and asking takes a while. */
  author(): { readonly name: string; readonly email: string } | null;
  /** The person has agreed that worktrees are trusted without a question. */
  readonly trusted: boolean;
}

export interface FileToWrite {
  readonly path: string;
  readonly text: string;
}

export interface Start {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written, whole, before the program starts. Paths are inside the session's folder or the worktree. */
  readonly files: readonly FileToWrite[];
  /** How the first prompt reaches the program: in `argv`, in a file that it is told to read, or on its input. */
  readonly prompt: 'argv' | 'file' | 'input';
  /** Its standard input is empty: it would wait for the end of one that stays open. */
  readonly input?: 'none';
}

/** What a screen says. A guess, and named as one: hooks and exit statuses are believed first. */
export type ScreenReading =
  | { readonly kind: 'busy' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'asks-permission'; readonly question: string }
  | { readonly kind: 'asks-trust'; readonly question: string }
  | { readonly kind: 'quota'; readonly until: string | null }
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'unreadable' };

/** What a program reports by itself, through a hook that was set up for the session. */
export type Report =
  | { readonly kind: 'turn-finished' }
  | { readonly kind: 'asks-permission'; readonly question: string }
  | { readonly kind: 'session-started' }
  | { readonly kind: 'nothing' };

export interface Agent {
  readonly name: string;
  /** One line: what its file rests on (the version it was tried with, or its documentation alone). */
  readonly basis: string;
  /** Interactive, in a terminal. */
  start(request: StartRequest): Start;
  /** Without a terminal: does one prompt and ends. Nothing where the program has no such form. */
  headless(request: StartRequest): Start | undefined;
  /** Goes on with the conversation that a session of this program had in this worktree. */
  resume(request: StartRequest): Start | undefined;
  /** The same without a terminal: does one prompt and ends. Nothing where the program has no such form. */
  resumeHeadless(request: StartRequest): Start | undefined;
  /** The lines of the screen, oldest first. */
  readScreen(screen: string): ScreenReading;
  /** What a hook of the program handed over, as JSON text. */
  readReport(payload: string): Report;
}
