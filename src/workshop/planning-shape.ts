// The shape of a planning document, with the sizes of everything in it.
import { flagShape, listOf, nameShape, objectOf, optional, type Shape, textShape, wordShape } from './shape.ts';
import {
  type Criterion,
  FILE_INTENTS,
  type Milestone,
  type PlannedFile,
  type PlannedStep,
  type PlannedTask,
  type PlannedWork,
  type PlanningDocument,
  TASK_KINDS,
} from './structured-plan.ts';

/** How long texts may be, in characters, and how many entries lists may have. */
export const LIMITS = {
  title: 160,
  line: 1_000,
  text: 20_000,
  command: 4_000,
  commit: 1_000,
  path: 300,
  milestones: 30,
  tasks: 100,
  steps: 20,
  criteria: 200,
  files: 500,
  list: 50,
} as const;

/** The ids of tasks, milestones and criteria. */
export const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const anId = nameShape(ID, 'an id of at most 64 letters, digits, ".", "_" and "-", such as "index-notes"');
export const aTitle = textShape(LIMITS.title);
export const aPath = textShape(LIMITS.path, 'a path');
export const aLine = textShape(LIMITS.line);
export const someLines = listOf(aLine, 0, LIMITS.list);

const prose = textShape(LIMITS.text);
const command = optional(textShape(LIMITS.command));

const milestone = objectOf<Milestone>({ id: anId, title: aTitle, parallel: optional(flagShape()) });

const step = objectOf<PlannedStep>({ title: aTitle, run: command, expect: command, text: optional(prose) });

const task = objectOf<PlannedTask>({
  id: anId,
  title: aTitle,
  kind: wordShape(TASK_KINDS),
  milestone: anId,
  depends: listOf(anId, 0, LIMITS.tasks),
  description: prose,
  steps: listOf(step, 1, LIMITS.steps),
  test: aLine,
  avoid: someLines,
  commit: textShape(LIMITS.commit),
});

const criterion = objectOf<Criterion>({ id: anId, text: aLine, task: optional(anId) });

const file = objectOf<PlannedFile>({ path: aPath, intent: wordShape(FILE_INTENTS), task: anId });

export const PLANNING_SHAPE: Shape<PlanningDocument> = objectOf<PlanningDocument>({
  id: aTitle,
  title: aTitle,
  brief: prose,
  context: prose,
  goals: listOf(aLine, 1, LIMITS.list),
  scope: objectOf({ in: someLines, out: someLines }),
  architecture: prose,
  tech_stack: someLines,
  work: objectOf<PlannedWork>({
    milestones: listOf(milestone, 1, LIMITS.milestones),
    tasks: listOf(task, 1, LIMITS.tasks),
  }),
  risks: listOf(objectOf({ text: aLine, mitigation: aLine }), 0, LIMITS.list),
  assumptions: someLines,
  acceptance_criteria: listOf(criterion, 1, LIMITS.criteria),
  file_plan: listOf(file, 0, LIMITS.files),
  notes: someLines,
  test_plan: listOf(aLine, 1, LIMITS.list),
});
