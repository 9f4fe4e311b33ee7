// A repository of its own in a temporary folder, for showing cadre at work without touching anything of the person's.
import type { App } from './app.ts';

export interface Playground {
  /** Everything is below it: the repository, cadre's own files, the programs. */
  readonly folder: string;
  readonly app: App;
  /** Runs a program in a folder of the playground. What it wrote to both of its outputs is `text`. */
  run(argv: readonly string[], folder: string): Promise<{ readonly exitCode: number; readonly text: string }>;
  /** Ends the engine, the agents and their terminals; the files stay. */
  close(): Promise<void>;
  /** The same, and the files go. */
  remove(): Promise<void>;
}

export interface PlaygroundWish {
  /** The files of the first commit, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Where agents live; nothing: tmux, where it is installed. */
  readonly host: 'tmux' | 'process' | undefined;
}
