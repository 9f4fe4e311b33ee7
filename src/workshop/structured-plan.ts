// The structured plan: what planning.ai.json holds, and plan.md and plan.files.json are made from.

export interface PlanningDocument {
  /** The plan's name, without ".md". */
  readonly id: string;
  readonly title: string;
  /** What the person asked for. */
  readonly brief: string;
  readonly context: string;
  readonly goals: readonly string[];
  readonly scope: { readonly in: readonly string[]; readonly out: readonly string[] };
  readonly architecture: string;
  readonly tech_stack: readonly string[];
  readonly work: PlannedWork;
  readonly risks: readonly { readonly text: string; readonly mitigation: string }[];
  readonly assumptions: readonly string[];
  readonly acceptance_criteria: readonly Criterion[];
  readonly file_plan: readonly PlannedFile[];
  readonly notes: readonly string[];
  readonly test_plan: readonly string[];
}

export interface PlannedWork {
  readonly milestones: readonly Milestone[];
  readonly tasks: readonly PlannedTask[];
}

/** A phase of the plan file. Milestones are built one after the other. */
export interface Milestone {
  readonly id: string;
  readonly title: string;
  /** Whether its tasks may run at the same time. */
  readonly parallel?: boolean;
}

export interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly kind: TaskKind;
  /** The id of its milestone. */
  readonly milestone: string;
  /** The ids of the tasks it waits for. Empty: it waits for everything before it, as the milestones have it. */
  readonly depends: readonly string[];
  readonly description: string;
  readonly steps: readonly PlannedStep[];
  /** The test that shows it. */
  readonly test: string;
  /** What not to do. */
  readonly avoid: readonly string[];
  /** The commit message. */
  readonly commit: string;
}

export const TASK_KINDS = ['feature', 'fix', 'refactor', 'test', 'docs', 'chore'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export interface PlannedStep {
  readonly title: string;
  /** The command to run. */
  readonly run?: string;
  /** What the command shows. */
  readonly expect?: string;
  readonly text?: string;
}

export interface Criterion {
  readonly id: string;
  readonly text: string;
  /** The id of the task that meets it, if it is one. */
  readonly task?: string;
}

export interface PlannedFile {
  readonly path: string;
  readonly intent: FileIntent;
  /** The id of the task. */
  readonly task: string;
}

/** "test" is a test file, which may exist or not. */
export const FILE_INTENTS = ['create', 'update', 'delete', 'test', 'reference'] as const;
export type FileIntent = (typeof FILE_INTENTS)[number];
