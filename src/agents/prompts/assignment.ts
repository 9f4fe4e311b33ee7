// What a prompt is about: the plan, the task of it, and the place where the work is done.
import type { PlanFile } from '../../plan/name.ts';

export interface Assignment {
  readonly plan: PlanFile;
  readonly title: string | null;
  readonly goal: string | null;
  /** Nothing when it is about the plan as a whole. */
  readonly task: AssignedTask | null;
  readonly worktree: string;
  readonly branch: string;
  /** The commit or branch that the work began from. */
  readonly base: string;
  /** The branch that it is to be merged into. */
  readonly into: string;
  readonly verify: readonly string[] | null;
  /** How `cadre` is called there, as argument lists begin. The same list is in what the agent may run. */
  readonly cadre: readonly string[];
}

export interface AssignedTask {
  readonly address: string;
  readonly name: string;
  /** The task's part of the plan, byte for byte. */
  readonly text: string;
}

/** Something that somebody else has said: a reviewer, a test run, git, another agent. */
export interface Quote {
  /** Who said it and about what, for the reader: "the spec reviewer, of commit 1a2b3c4". */
  readonly by: string;
  readonly text: string;
  /** A file with all of it. */
  readonly path: string;
}
