// A repository in a temporary folder, to show cadre without touching anything of the person's.
import type { App } from '../../app/app.ts';

export interface Playground {
  /** Holds everything: the repository, cadre's own files, the programs. */
  readonly folder: string;
  readonly app: App;
  /** Runs a program in a folder of the playground; `text` is what it wrote to both of its outputs. */
  run(argv: readonly string[], folder: string): Promise<{ readonly exitCode: number; readonly text: string }>;
  /** Whether this system lists its processes. */
  readonly listsProcesses: boolean;
  /** The programs of cadre that run in it now. */
  processes(): readonly PlaygroundProcess[];
  /** Kills a process without giving it a chance to clean up. False if it has ended already. */
  kill(pid: number): boolean;
  /** Stops the engine, the agents and their terminals; the files stay. */
  close(): Promise<void>;
  /** The same, and removes the files. */
  remove(): Promise<void>;
}

export interface PlaygroundProcess {
  readonly pid: number;
  readonly kind: ProcessKind;
  readonly command: string;
}

export type ProcessKind = 'engine' | 'cadre run' | 'git' | 'agent';

export interface PlaygroundRequest {
  /** The files of the first commit, or of a commit on top of the clone, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Start from a clone of this repository, at this commit, in the environment of the person. */
  readonly clone?: { readonly root: string; readonly commit: string };
  /** The host of the agents; undefined: tmux where it is installed. */
  readonly host: 'tmux' | 'process' | undefined;
}
