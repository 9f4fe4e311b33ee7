// What cadre knows about an agent program: how to start it, what to allow, and how to read its output. One file per program.
import type { Role } from '../signals/registry.ts';
import type { Grants } from './permissions.ts';

/** Everything about a session that affects how its program is started. */
export interface StartRequest {
  readonly session: string;
  readonly role: Role;
  /** The program as the profile names it: a name on the PATH, or a path. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly worktree: string;
  /** A folder for settings files, outside the worktree, that no other session uses. */
  readonly folder: string;
  /** An existing folder that contains only messages to the agent: its prompt, and what is sent later. */
  readonly messages: string;
  /** Folders with files that the prompt names, such as the brief and the changes under review. They exist. */
  readonly reads: readonly string[];
  readonly prompt: string;
  /** The start of every argument list that calls `cadre` inside the session. */
  readonly cadre: readonly string[];
  /** The verify command, if there is one: the program may run it without asking. */
  readonly verify: readonly string[] | null;
  /**
   * Existing folders outside the worktree that a commit or a signal writes to: parts of the git folder, and the inbox of
   * the session. For programs whose sandbox is the worktree.
   */
  readonly writable: readonly string[];
  /** The configured git identity, or null. A function, because few programs need it and running git takes a while. */
  author(): { readonly name: string; readonly email: string } | null;
  /** What the program may do without asking; default: as in `Grants`. */
  readonly grants?: Grants | undefined;
  /** Whether the person has agreed to trust worktrees without a question. */
  readonly trusted: boolean;
}

export interface FileToWrite {
  readonly path: string;
  readonly text: string;
}

export interface Start {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files to write before the program starts, in the session's folder or in the worktree. */
  readonly files: readonly FileToWrite[];
  /** How the first prompt reaches the program: in `argv`, in a file that it is asked to read, or on its input. */
  readonly prompt: 'argv' | 'file' | 'input';
  /** Gives it an empty standard input, because it would wait for an open one to end. */
  readonly input?: 'none';
}

/** What a screen shows. This is a guess: hooks and exit statuses take precedence. */
export type ScreenReading =
  | { readonly kind: 'busy' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'asks-permission'; readonly question: string }
  | { readonly kind: 'asks-trust'; readonly question: string }
  | { readonly kind: 'quota'; readonly until: string | null }
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'unreadable' };

/** What a program reports through a hook that was set up for the session. */
export type Report =
  | { readonly kind: 'turn-finished' }
  | { readonly kind: 'asks-permission'; readonly question: string }
  | { readonly kind: 'session-started' }
  | { readonly kind: 'nothing' };

export interface Agent {
  readonly name: string;
  /** One sentence: what this knowledge is based on, such as the tested version or the documentation. */
  readonly basis: string;
  /**
   * What it keeps for itself, below the home folder: its credentials, settings and conversations. Behind a wall it can read
   * and write that, and nothing else of the person's.
   */
  readonly keeps: readonly string[];
  /** Starts it interactively, in a terminal. */
  start(request: StartRequest): Start;
  /** Starts it without a terminal, for one prompt. Undefined if the program cannot do that. */
  headless(request: StartRequest): Start | undefined;
  /** Continues the conversation that a session of this program had in this worktree. */
  resume(request: StartRequest): Start | undefined;
  /** The same without a terminal, for one prompt. Undefined if the program cannot do that. */
  resumeHeadless(request: StartRequest): Start | undefined;
  /** The lines of the screen, oldest first. */
  readScreen(screen: string): ScreenReading;
  /** Reads what a hook of the program passed on, usually JSON. */
  readReport(payload: string): Report;
}
