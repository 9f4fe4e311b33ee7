// The schemas of what planners hand in, for editors and other programs. cadre itself reads with src/workshop, which says the same.
import * as z from 'zod';
import { ID, LIMITS } from '../../workshop/planning-shape.ts';
import {
  type AskedQuestion,
  MOST_QUESTIONS,
  MOST_SUGGESTIONS,
  type ProposedTask,
  QUESTION_ID,
  type RoundDocument,
} from '../../workshop/round-document.ts';
import { PLAIN_TEXT } from '../../workshop/shape.ts';
import {
  type Criterion,
  FILE_INTENTS,
  type Milestone,
  type PlannedFile,
  type PlannedStep,
  type PlannedTask,
  type PlanningDocument,
  TASK_KINDS,
} from '../../workshop/structured-plan.ts';
import { view } from './views.ts';

const id = z.string().regex(ID);
const title = text(LIMITS.title);
const line = text(LIMITS.line);
const lines = z.array(line).max(LIMITS.list);
const someLines = lines.min(1);
const prose = text(LIMITS.text);
const command = text(LIMITS.command);
const depends = z.array(id).max(LIMITS.tasks);

/** Neither empty nor with control characters. */
function text(most: number): z.ZodString {
  return z.string().max(most).regex(/\S/).regex(PLAIN_TEXT);
}

const file = view<PlannedFile>(
  'PlannedFile',
  z.strictObject({
    path: text(LIMITS.path).describe('Relative to the root of the repository.'),
    intent: z.enum(FILE_INTENTS).describe('"test" is a test file, which may exist or not.'),
    task: id.describe('The id of the task.'),
  }),
);

const milestone = view<Milestone>(
  'Milestone',
  z.strictObject({
    id,
    title,
    parallel: z.boolean().exactOptional().describe('Its tasks may run at the same time.'),
  }),
);

const step = view<PlannedStep>(
  'PlannedStep',
  z.strictObject({
    title,
    run: command.exactOptional().describe('The command to run.'),
    expect: command.exactOptional().describe('What the command shows.'),
    text: prose.exactOptional(),
  }),
);

const task = view<PlannedTask>(
  'PlannedTask',
  z.strictObject({
    id,
    title,
    kind: z.enum(TASK_KINDS),
    milestone: id.describe('The id of its milestone.'),
    depends: depends.describe('The ids of the tasks it waits for. Empty: it waits for everything before it.'),
    description: prose.describe('Everything its implementer needs to know.'),
    steps: z.array(step).min(1).max(LIMITS.steps),
    test: line.describe('The test that shows it.'),
    avoid: lines.describe('What not to do.'),
    commit: text(LIMITS.commit).describe('The commit message.'),
  }),
);

const criterion = view<Criterion>(
  'Criterion',
  z.strictObject({ id, text: line, task: id.exactOptional().describe('The id of the task that meets it.') }),
);

export const planningDocument = view<PlanningDocument>(
  'PlanningDocument',
  z.strictObject({
    id: title.describe('The plan\'s name, without ".md".'),
    title,
    brief: prose.describe('What the person asked for.'),
    context: prose,
    goals: someLines,
    scope: z.strictObject({ in: lines, out: lines }),
    architecture: prose,
    tech_stack: lines,
    work: z.strictObject({
      milestones: z.array(milestone).min(1).max(LIMITS.milestones).describe('In the order in which they are built.'),
      tasks: z.array(task).min(1).max(LIMITS.tasks),
    }),
    risks: z.array(z.strictObject({ text: line, mitigation: line })).max(LIMITS.list),
    assumptions: lines,
    acceptance_criteria: z.array(criterion).min(1).max(LIMITS.criteria),
    file_plan: z.array(file).max(LIMITS.files),
    notes: lines,
    test_plan: someLines,
  }),
);

const question = view<AskedQuestion>(
  'AskedQuestion',
  z.strictObject({
    id: z.string().regex(QUESTION_ID),
    text: line,
    blocking: z.boolean().describe('The plan cannot be written without the answer.'),
    why: line,
    suggestions: z.array(line).max(MOST_SUGGESTIONS),
  }),
);

const proposedTask = view<ProposedTask>('ProposedTask', z.strictObject({ id, title, subtasks: lines, depends }));

export const roundDocument = view<RoundDocument>(
  'RoundDocument',
  z.strictObject({
    summary: prose.describe('What the planner understood, decided or changed in this round.'),
    questions: z.array(question).max(MOST_QUESTIONS),
    proposals: z.strictObject({
      tasks: z.array(proposedTask).max(LIMITS.tasks),
      assumptions: lines,
      risks: lines,
      acceptance_criteria: z.array(line).max(LIMITS.criteria),
      files: z.array(file).max(LIMITS.files),
    }),
    ready: z.boolean().describe('The plan is stable enough, the planner says.'),
  }),
);
