// What making a repository ready sees and writes, as a port.
import type { FileChange } from '../core/files/init/wishes.ts';

/** A file as it would be afterwards. */
export type ProposedFile = FileChange;

export interface InstalledAgent {
  readonly program: string;
  /** Whether a file or a variable says that somebody has signed in; it may have expired. */
  readonly signedIn: boolean;
}

/** What can be seen in the repository and on this machine, without asking anybody. */
export interface InitLook {
  /** The branch that is checked out. */
  readonly branch: string | undefined;
  readonly hasCommit: boolean;
  readonly verify: FoundWords | undefined;
  readonly setup: FoundWords | undefined;
  readonly agents: readonly InstalledAgent[];
  /** The program that sessions use with the settings as they are, and whether it is installed. */
  readonly program: { readonly name: string; readonly installed: boolean };
  readonly hasPlans: boolean;
  readonly isInitialized: boolean;
  /** Folders that the setup command fills and git does not ignore. */
  readonly unignored: readonly string[];
}

export interface FoundWords {
  readonly words: readonly string[];
  readonly why: string;
}

export interface InitFiles {
  look(): Promise<InitLook>;
  /** The text of a file of the main checkout; undefined where there is none. */
  textOf(path: string): string | undefined;
  /** Replaces each file as a whole. */
  write(changes: readonly ProposedFile[]): void;
}
