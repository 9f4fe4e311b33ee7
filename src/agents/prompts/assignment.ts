// What a prompt is about: the plan, the task, and the worktree.
import type { PlanFile } from '../../plan/name.ts';

export interface Assignment {
  readonly plan: PlanFile;
  readonly title: string | null;
  /** What the plan says besides its tasks: goal, architecture, constraints. Null where that is nothing. */
  readonly about: KeptText | null;
  /** Null when the prompt is about the plan as a whole. */
  readonly task: AssignedTask | null;
  /** What was decided about the task since the plan was written. */
  readonly decisions: KeptText | null;
  readonly worktree: string;
  readonly branch: string;
  /** The commit or branch that the work started from. */
  readonly base: string;
  /** The branch to merge into. */
  readonly into: string;
  readonly verify: readonly string[] | null;
  /** Files of the verify command itself that the work under review changes. */
  readonly rewrites: readonly string[];
  /** The start of every argument list that calls `cadre` there. The list of allowed commands uses the same words. */
  readonly cadre: readonly string[];
}

export interface AssignedTask {
  readonly address: string;
  readonly name: string;
  /** The task's part of the plan, byte for byte. */
  readonly text: string;
  /** Who wrote it, as in a sentence, where that is not the plan: a task that a review asked for. */
  readonly author: string | null;
}

/** A text, and a file that holds all of it. */
export interface KeptText {
  readonly text: string;
  readonly path: string;
}

/** Text by someone else: a reviewer, a test run, git, another agent. */
export interface Quote extends KeptText {
  /** Who wrote it and about what, for the reader: "the spec reviewer, about commit 1a2b3c4". */
  readonly by: string;
}
