// A plan as `parse` reads it from its file, which cadre never changes.

export interface Plan {
  readonly filePath: string;
  readonly title: string | null;
  readonly goal: string | null;
  readonly architecture: string | null;
  readonly techStack: string | null;
  /** What holds for every task, as written below the heading "Global Constraints". */
  readonly constraints: string | null;
  readonly phases: readonly Phase[];
}

export interface Phase {
  /** Zero for the unnamed phase, which contains the tasks before any phase heading. */
  readonly number: number;
  readonly name: string;
  /** Whether its tasks may run at the same time. */
  readonly parallel: boolean;
  /** The line of its heading; for the unnamed phase, the line of its first task. */
  readonly line: number;
  readonly tasks: readonly Task[];
}

export interface Task {
  /** Its number; of a number with a dot, such as 2.5, the part after the dot. */
  readonly number: number;
  /** The whole number, as its heading has it: "2.5". */
  readonly written: string;
  readonly name: string;
  /** Identifies the task within its plan: its number as written, or `<phase>.<number>` if a number without a dot repeats. */
  readonly address: string;
  /** The addresses of the tasks it waits for; null if the order of the plan decides. */
  readonly dependsOn: readonly string[] | null;
  readonly files: readonly FileReference[];
  readonly steps: readonly TaskStep[];
  readonly commitMessage: string | null;
  /** What it needs from other tasks, and what others rely on; null if it does not say. */
  readonly interfaces: Interfaces | null;
  /** The profile that its implementer uses; null for the default. */
  readonly profile: string | null;
  /** A failing test comes before the code. */
  readonly testFirst: boolean;
  /** The task's part of the file, byte for byte. */
  readonly rawText: string;
  readonly line: number;
  /** The offset of `rawText` in the file. */
  readonly start: number;
}

/** The entries below "Consumes" and "Produces", as written. */
export interface Interfaces {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

export type FileAction = 'create' | 'modify' | 'test' | 'delete' | 'reference';

export interface FileReference {
  readonly action: FileAction;
  readonly path: string;
  /** As written in the plan, such as "10-20". */
  readonly lines: string | null;
  /** Its line in the plan. */
  readonly line: number;
}

export interface TaskStep {
  readonly number: number;
  readonly description: string;
  readonly command: string | null;
  readonly expected: string | null;
  /** Its first line in the plan. */
  readonly line: number;
}

/**
 * A file with an error is not used until it is fixed, because its tasks may not be the ones that the author means.
 * A warning is a likely mistake with a defined result. Only `lint` gives advice.
 */
export type ProblemSeverity = 'error' | 'warning' | 'advice';

export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly severity: ProblemSeverity;
  readonly code: string;
  readonly message: string;
}

/** The code of a problem that passes: a change that counts only once the file has not changed for a moment. */
export const JUST_CHANGED = 'just-changed';
