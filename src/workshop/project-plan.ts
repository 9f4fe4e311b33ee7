// Writes plan.md, plan.files.json and planning.ai.json from a planning document.
import { canonicalDocument, singleSpaced } from './canonical.ts';
import type { Place } from './inertness.ts';
import { fencedText, field, headingLine, list, planTitle, prose } from './plan-markdown.ts';
import type {
  Criterion,
  FileIntent,
  PlannedFile,
  PlannedStep,
  PlannedTask,
  PlanningDocument,
} from './structured-plan.ts';
import { milestonesInOrder, placesOf, type TaskPlace, tasksInOrder } from './task-order.ts';

/** The plan file, from which `parse` reads the document's milestones, tasks, files and steps. */
export function projectPlan(document: PlanningDocument): string {
  const plan = numbered(canonicalDocument(document));
  const phases = milestonesInOrder(plan.document.work).flatMap(({ title, parallel, tasks }, index) => [
    `## ${headingLine(`Phase ${index + 1}: ${title}${parallel ? ' (parallel)' : ''}`)}`,
    ...tasks.flatMap((task) => taskBlocks(task, plan)),
  ]);
  return `${[...headerBlocks(plan.document), ...phases, ...closingBlocks(plan)].join('\n\n')}\n`;
}

/** plan.files.json. */
export function planFilesText(document: PlanningDocument): string {
  const { id, file_plan } = canonicalDocument(document);
  return formatJson({ plan: id, files: file_plan.toSorted(byPath) });
}

/** planning.ai.json. */
export function formatDocument(document: PlanningDocument): string {
  return formatJson(canonicalDocument(document));
}

/** Every path of the file plan once, sorted. */
export function pathsOf(document: PlanningDocument): readonly string[] {
  return [...new Set(document.file_plan.map(({ path }) => path))].sort();
}

interface NumberedPlan {
  readonly document: PlanningDocument;
  /** The number of each task in the plan file, by its id. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly places: ReadonlyMap<string, TaskPlace>;
}

function numbered(document: PlanningDocument): NumberedPlan {
  const numbers = new Map(tasksInOrder(document.work).map(({ id }, index) => [id, index + 1]));
  return { document, numbers, places: placesOf(document.work) };
}

function headerBlocks(document: PlanningDocument): readonly string[] {
  const { title, goals, tech_stack, context, scope, assumptions, risks } = document;
  const architecture = architectureBlocks(document.architecture);
  return [
    planTitle(title),
    field('Goal', goals.map(sentence).join(' ')),
    ...architecture.field,
    ...(tech_stack.length === 0 ? [] : [field('Tech Stack', tech_stack.join(', '))]),
    ...architecture.section,
    '## Context',
    prose(context, 'header'),
    ...(scope.in.length + scope.out.length === 0 ? [] : ['## Scope']),
    ...listBlocks('In scope:', scope.in, 'header'),
    ...listBlocks('Out of scope:', scope.out, 'header'),
    ...listBlocks('## Assumptions', assumptions, 'header'),
    ...listBlocks(
      '## Risks',
      risks.map(({ text, mitigation }) => `${sentence(text)} Mitigation: ${sentence(mitigation)}`),
      'header',
    ),
  ];
}

/** The first paragraph is a field of the header; what else there is gets its own section. */
function architectureBlocks(text: string): { readonly field: readonly string[]; readonly section: readonly string[] } {
  const [first = '', ...rest] = text.split(/\n[ \t]*\n/);
  const isPlain = !first.split('\n').some((line) => /^\s*(?:[-*+]\s|[>#|<=]|`{3}|~{3}|\d{1,9}[.)]\s)/.test(line));
  const section = isPlain ? rest.join('\n\n') : text;
  return {
    field: isPlain ? [field('Architecture', singleSpaced(first))] : [],
    section: section.trim() === '' ? [] : ['## Architecture', prose(section, 'header')],
  };
}

function sentence(text: string): string {
  return /[.!?:;…。！？]["'”’)\]]*$/.test(text) ? text : `${text}.`;
}

function listBlocks(title: string, items: readonly string[], place: Place): readonly string[] {
  return items.length === 0 ? [] : [title, list(items, place)];
}

function taskBlocks(task: PlannedTask, plan: NumberedPlan): readonly string[] {
  const { file_plan, acceptance_criteria } = plan.document;
  const files = file_plan.filter((file) => file.task === task.id);
  const criteria = acceptance_criteria.filter((criterion) => criterion.task === task.id);
  return [
    `### ${headingLine(`Task ${plan.numbers.get(task.id)}: ${task.title}`)}`,
    ...dependsBlocks(task, plan),
    prose(task.description, 'task'),
    ...(files.length === 0 ? [] : [['**Files:**', ...files.map(fileEntry)].join('\n')]),
    ...task.steps.flatMap(stepBlocks),
    field('Test', task.test),
    ...listBlocks('**Do not:**', task.avoid, 'step'),
    ...listBlocks('**Done when:**', criteria.map(criterionLine), 'step'),
    commitBlock(task.commit),
  ];
}

function dependsBlocks({ id, depends }: PlannedTask, { numbers, places }: NumberedPlan): readonly string[] {
  if (!places.get(id)?.isExplicit) return [];
  const others = depends.flatMap((other) => numbers.get(other) ?? []).sort((one, other) => one - other);
  return [`**Depends on:** ${others.map((number) => `Task ${number}`).join(', ')}`];
}

const ACTIONS: Readonly<Record<FileIntent, string>> = {
  create: 'Create',
  update: 'Modify',
  delete: 'Delete',
  test: 'Test',
  reference: 'Reference',
};

function fileEntry({ intent, path }: PlannedFile): string {
  return `- ${ACTIONS[intent]}: \`${path}\``;
}

function stepBlocks({ title, text, run, expect }: PlannedStep, index: number): readonly string[] {
  const isBold = !title.includes('*');
  return [
    isBold ? `**Step ${index + 1}: ${title}**` : `**Step ${index + 1}:** ${title}`,
    ...(text === undefined ? [] : [prose(text, 'step')]),
    ...resultBlocks(run, expect),
  ];
}

/** Short ones are two lines of one paragraph, as people write them. */
function resultBlocks(run: string | undefined, expect: string | undefined): readonly string[] {
  const isShort = run !== undefined && !/[\n`]/.test(run);
  const command = run === undefined ? [] : [isShort ? `Run: \`${run}\`` : fencedText(run, 'sh')];
  if (expect === undefined) return command;
  if (expect.includes('\n')) return [...command, `Expected:\n\n${fencedText(expect, 'text')}`];
  const expected = `Expected: ${expect}`;
  return isShort ? [`${command}\n${expected}`] : [...command, expected];
}

function criterionLine({ id, text }: Criterion): string {
  return `${id}: ${text}`;
}

/** The last "git commit" of a task is its commit message. A fence in a shell language could be the command of a step. */
function commitBlock(message: string): string {
  const command = `git commit -m "${message.replace(/["\\$`]/g, '\\$&')}"`;
  return /[\n`]/.test(command) ? `Commit:\n\n${fencedText(command, 'text')}` : `Commit: \`${command}\``;
}

function closingBlocks({ document, numbers }: NumberedPlan): readonly string[] {
  const { acceptance_criteria, test_plan, notes } = document;
  const criteria = acceptance_criteria.map(({ id, text, task }) => {
    const number = task === undefined ? undefined : numbers.get(task);
    return criterionLine({ id: number === undefined ? id : `${id} (task ${number})`, text });
  });
  return [
    ...listBlocks('## Acceptance criteria', criteria, 'end'),
    ...listBlocks('## Test plan', test_plan, 'end'),
    ...listBlocks('## Notes', notes, 'end'),
  ];
}

function byPath(one: PlannedFile, other: PlannedFile): number {
  return compare(one.path, other.path) || compare(one.task, other.task);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
