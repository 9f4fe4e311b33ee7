// What a prompt is about: the plan, the task, and the worktree.
import type { PlanFile } from '../../plan/name.ts';

export interface Assignment {
  readonly plan: PlanFile;
  readonly title: string | null;
  readonly goal: string | null;
  /** Null when the prompt is about the plan as a whole. */
  readonly task: AssignedTask | null;
  readonly worktree: string;
  readonly branch: string;
  /** The commit or branch that the work started from. */
  readonly base: string;
  /** The branch to merge into. */
  readonly into: string;
  readonly verify: readonly string[] | null;
  /** The start of every argument list that calls `cadre` there. The list of allowed commands uses the same words. */
  readonly cadre: readonly string[];
}

export interface AssignedTask {
  readonly address: string;
  readonly name: string;
  /** The task's part of the plan, byte for byte. */
  readonly text: string;
}

/** Text by someone else: a reviewer, a test run, git, another agent. */
export interface Quote {
  /** Who wrote it and about what, for the reader: "the spec reviewer, about commit 1a2b3c4". */
  readonly by: string;
  readonly text: string;
  /** A file with the full text. */
  readonly path: string;
}
