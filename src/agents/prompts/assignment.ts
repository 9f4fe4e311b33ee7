// What a prompt is about: the plan, the task with its brief, and the worktree.
import type { PlanFile } from '../../plan/name.ts';

export interface Assignment {
  readonly plan: PlanFile;
  readonly title: string | null;
  readonly says: PlanSays;
  /** Null when the prompt is about the plan as a whole. */
  readonly brief: KeptBrief | null;
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

/** What the plan says besides its tasks. */
export interface PlanSays {
  /** All of it, with the file that holds it; null where that is nothing. */
  readonly all: KeptText | null;
  readonly goal: string | null;
  readonly architecture: string | null;
  readonly techStack: string | null;
  readonly constraints: string | null;
}

/** Everything that somebody who works on one task has to know. */
export interface Brief {
  readonly task: AssignedTask;
  /** Where the task is in its plan, in one line. */
  readonly fits: string;
  readonly says: PlanSays;
  /** What was decided about the task since the plan was written. */
  readonly decisions: KeptText | null;
  /** The same about the tasks that it builds on. */
  readonly earlier: KeptText | null;
  /** What reviews of earlier work on it found, and is still open. */
  readonly findings: Quote | null;
  readonly consumes: readonly Interface[];
  readonly produces: readonly Interface[];
  readonly neighbours: readonly Neighbour[];
}

export interface KeptBrief extends Brief {
  /** The file with the brief. */
  readonly path: string;
}

export interface AssignedTask {
  readonly address: string;
  readonly name: string;
  /** The task's part of the plan, byte for byte. */
  readonly text: string;
  /** Who wrote it, as in a sentence, where that is not the plan: a task that a review asked for. */
  readonly author: string | null;
}

/** What one task provides to another one. */
export interface Interface {
  /** As the task itself puts it. */
  readonly entry: string;
  /** The task on the other side, and how that one puts it: "task 1, Tokenizer (done): `tokens(text)`". */
  readonly others: readonly string[];
}

/** A task that is being built at the same time, in another worktree. */
export interface Neighbour {
  readonly address: string;
  readonly name: string;
  readonly files: readonly string[];
  /** Those of its files that this task names as well. */
  readonly shared: readonly string[];
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
