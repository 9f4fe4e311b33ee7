// The person's terminal, for an interface that draws on all of it.

export interface Terminal {
  /** What its environment says about it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  size(): { readonly columns: number; readonly rows: number };
  /**
   * Takes the whole screen and every key. Contract: whatever becomes of this process, other than SIGKILL, the terminal is
   * as it was before.
   */
  open(listener: TerminalListener): void;
  write(text: string): void;
  /** The terminal as it was before. */
  close(): void;
  /** Gives the terminal to another program; takes it back when that has ended. */
  lend<Result>(use: () => Promise<Result>): Promise<Result>;
  /** Stops this process as Ctrl-Z does; returns when it is continued. */
  suspend(): void;
}

export interface TerminalListener {
  /** Characters as they come. */
  typed(text: string): void;
  /** Nothing has followed the last characters for a moment. */
  paused(): void;
  resized(): void;
  /** What the screen shows is no longer known: another program has drawn on it. */
  disturbed(): void;
  /** The system asks the process to stop, as on Ctrl-Z; `suspend` does it. */
  stopped(): void;
}
