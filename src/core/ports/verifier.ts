// The verify command, as a port.
import type { Tree } from '../model/run-name.ts';

export type VerifyOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly exitCode: number; readonly tail: string }
  /** Nothing is said about the work: the command could not start, took too long, or was killed. */
  | { readonly kind: 'infrastructure'; readonly why: string; readonly tail: string };

export interface VerifyRequest {
  readonly tree: Tree;
  readonly portBase: number;
  /** Which of the run's verifications this is; its output is kept under this name. */
  readonly name: string;
  readonly command: readonly string[];
  /** How long it may take, in milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal;
}

/** Runs the verify command. Contract: when it answers, nothing that the command started runs any more. */
export interface Verifier {
  verify(request: VerifyRequest): Promise<VerifyOutcome>;
  /** The command that is configured, or the one that the main checkout's files call for; a Failure where there is none. */
  command(configured: VerifySetting | undefined): VerifyCommand;
  /** Where the output of a verification is kept. */
  outputOf(tree: Tree, name: string): string;
}

/** As it stands in cadre.json. */
export type VerifySetting = readonly string[] | string | { readonly prompt: string };

export type VerifyCommand =
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly why: string }
  /** The project says that there is nothing to run. */
  | { readonly kind: 'none' }
  /** The agent is asked to verify. */
  | { readonly kind: 'prompt'; readonly prompt: string };
