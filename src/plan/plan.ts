// A plan as its file tells it. The file is read-only to cadre; this is what `parse` makes of it.

export interface Plan {
  readonly filePath: string;
  readonly title: string | null;
  readonly goal: string | null;
  readonly architecture: string | null;
  readonly techStack: string | null;
  readonly phases: readonly Phase[];
}

export interface Phase {
  /** Zero for the unnamed phase: tasks that stand before any phase heading. */
  readonly number: number;
  readonly name: string;
  /** Its tasks may run side by side. */
  readonly parallel: boolean;
  /** The line of its heading; for the unnamed phase, of its first task. */
  readonly line: number;
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly number: number;
  readonly name: string;
  /** How it is spoken of within its plan: its number, or `<phase>.<number>` where the number repeats. */
  readonly address: string;
  /** The addresses of the tasks it waits for; null leaves it to the order of the plan. */
  readonly dependsOn: readonly string[] | null;
  readonly files: readonly FileReference[];
  readonly steps: readonly TaskStep[];
  readonly commitMessage: string | null;
  /** The task's part of the file, byte for byte. */
  readonly rawText: string;
  readonly line: number;
  /** Where `rawText` begins in the file's text. */
  readonly start: number;
}

export type FileAction = 'create' | 'modify' | 'test' | 'delete' | 'reference';

export interface FileReference {
  readonly action: FileAction;
  readonly path: string;
  /** As the plan writes them, such as "10-20". */
  readonly lines: string | null;
  /** The line of the plan in which it stands. */
  readonly line: number;
}

export interface TaskStep {
  readonly number: number;
  readonly description: string;
  readonly command: string | null;
  readonly expected: string | null;
  /** The line of the plan in which it begins. */
  readonly line: number;
}

/**
 * An error keeps the file from being used until it is mended, because the tasks could be other than the author means.
 * A warning is a likely mistake with a defined result. Advice is given by `lint` alone.
 */
export type Severity = 'error' | 'warning' | 'advice';

export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
}
