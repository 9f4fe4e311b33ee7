// Documents in one form: keys in one order, single spaces within lines, line feeds at the ends of lines.
import type {
  Criterion,
  Milestone,
  PlannedFile,
  PlannedStep,
  PlannedTask,
  PlanningDocument,
} from './structured-plan.ts';

export function canonicalDocument(document: PlanningDocument): PlanningDocument {
  return {
    id: document.id.trim(),
    title: singleSpaced(document.title),
    brief: trimmed(document.brief),
    context: trimmed(document.context),
    goals: document.goals.map(singleSpaced),
    scope: { in: document.scope.in.map(singleSpaced), out: document.scope.out.map(singleSpaced) },
    architecture: trimmed(document.architecture),
    tech_stack: document.tech_stack.map(singleSpaced),
    work: {
      milestones: document.work.milestones.map(canonicalMilestone),
      tasks: document.work.tasks.map(canonicalTask),
    },
    risks: document.risks.map(({ text, mitigation }) => ({
      text: singleSpaced(text),
      mitigation: singleSpaced(mitigation),
    })),
    assumptions: document.assumptions.map(singleSpaced),
    acceptance_criteria: document.acceptance_criteria.map(canonicalCriterion),
    file_plan: document.file_plan.map(canonicalFile),
    notes: document.notes.map(singleSpaced),
    test_plan: document.test_plan.map(singleSpaced),
  };
}

function canonicalMilestone({ id, title, parallel }: Milestone): Milestone {
  return { id, title: singleSpaced(title), ...(parallel === undefined ? {} : { parallel }) };
}

function canonicalTask(task: PlannedTask): PlannedTask {
  return {
    id: task.id,
    title: singleSpaced(task.title),
    kind: task.kind,
    milestone: task.milestone,
    depends: [...new Set(task.depends)],
    description: trimmed(task.description),
    steps: task.steps.map(canonicalStep),
    test: singleSpaced(task.test),
    avoid: task.avoid.map(singleSpaced),
    commit: trimmed(task.commit),
  };
}

function canonicalStep({ title, run, expect, text }: PlannedStep): PlannedStep {
  return {
    title: singleSpaced(title),
    ...(run === undefined ? {} : { run: trimmed(run) }),
    ...(expect === undefined ? {} : { expect: trimmed(expect) }),
    ...(text === undefined ? {} : { text: trimmed(text) }),
  };
}

function canonicalCriterion({ id, text, task }: Criterion): Criterion {
  return { id, text: singleSpaced(text), ...(task === undefined ? {} : { task }) };
}

export function canonicalFile({ path, intent, task }: PlannedFile): PlannedFile {
  return { path: path.trim(), intent, task };
}

export function singleSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function trimmed(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}
