// The verify command, as a port.
import type { Tree } from '../model/run-name.ts';

export type VerifyOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly exitCode: number; readonly tail: string }
  /** Says nothing about the work: the command could not start, took too long, or was killed. */
  | { readonly kind: 'infrastructure'; readonly why: string; readonly tail: string };

export interface VerifyRequest {
  readonly tree: Tree;
  readonly portBase: number;
  /** Names this verification of the run, and its output file. */
  readonly name: string;
  readonly command: readonly string[];
  /** How long it may take, in milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal;
}

/** Runs the verify command. Contract: when `verify` returns, nothing that the command started is still running. */
export interface Verifier {
  verify(request: VerifyRequest): Promise<VerifyOutcome>;
  /** The configured command, or one derived from the main checkout's files. Throws a Failure if there is neither. */
  command(configured: VerifySetting | undefined): VerifyCommand;
  /** The command that prepares worktrees, configured or derived in the same way; no words where there is none. */
  setup(configured: SetupSetting | undefined): SetupCommand;
  /** The output file of a verification. */
  outputOf(tree: Tree, name: string): string;
}

/** The value of `verify` in cadre.json. */
export type VerifySetting = readonly string[] | string | { readonly prompt: string };

/** The value of `setup` in cadre.json. */
export type SetupSetting = readonly string[] | string;

export interface SetupCommand {
  readonly kind: 'setup';
  readonly words: readonly string[];
  readonly why: string;
}

export type VerifyCommand =
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly why: string }
  /** The project has nothing to run. */
  | { readonly kind: 'none' }
  /** The agent is asked to verify. */
  | { readonly kind: 'prompt'; readonly prompt: string };
