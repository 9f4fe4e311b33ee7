// What the shape of a planning document cannot say: ids, references, order, paths, and texts that a plan file can hold.
import { planFile } from '../plan/name.ts';
import { findCycles } from '../plan/order.ts';
import { showName } from '../text/show.ts';
import { whyNotAPath } from './file-path.ts';
import { leavesQuoteOpen } from './inertness.ts';
import { whyNotATitle } from './plan-markdown.ts';
import type { FileIntent, PlannedFile, PlannedTask, PlannedWork, PlanningDocument } from './structured-plan.ts';
import { placesOf } from './task-order.ts';

/** The violations, each as "path: what is wrong; what is expected". */
export function checkStructuredPlan(plan: PlanningDocument): readonly string[] {
  const references = [...checkIds(plan), ...checkReferences(plan), ...checkCycles(plan.work.tasks)];
  return [
    ...checkName(plan),
    ...references,
    ...checkMilestones(plan),
    ...checkTasks(plan),
    ...checkFiles(plan),
    // Who runs at the same time as whom is known only if the references are right.
    ...(references.length === 0 ? checkSharedFiles(plan) : []),
  ];
}

/** Whether a task with this intent changes the file. */
function changes(intent: FileIntent): boolean {
  return intent !== 'reference';
}

function checkName({ id }: PlanningDocument): readonly string[] {
  if (planFile(`${id}.md`) !== undefined) return [];
  const expected = 'letters, digits, ".", "_", "+" and "-", such as "full-text-search"';
  return [`id: "${showName(id)}" cannot be the name of a plan; expected ${expected}`];
}

function checkIds({ work, acceptance_criteria }: PlanningDocument): readonly string[] {
  return [
    ...checkUnique('work.milestones', work.milestones),
    ...checkUnique('work.tasks', work.tasks),
    ...checkUnique('acceptance_criteria', acceptance_criteria),
  ];
}

export function checkUnique(at: string, entries: readonly { readonly id: string }[]): readonly string[] {
  const first = new Map<string, number>();
  return entries.flatMap(({ id }, index) => {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    return earlier === undefined
      ? []
      : [`${at}[${index}].id: "${id}" is also the id of ${at}[${earlier}]; expected another id`];
  });
}

function checkReferences({ work, acceptance_criteria, file_plan }: PlanningDocument): readonly string[] {
  const milestones = work.milestones.map(({ id }) => id);
  const tasks = work.tasks.map(({ id }) => id);
  return [
    ...work.tasks.flatMap(({ milestone, depends }, index) => [
      ...checkReference(`work.tasks[${index}].milestone`, milestone, 'milestone', milestones),
      ...depends.flatMap((id, at) => checkReference(`work.tasks[${index}].depends[${at}]`, id, 'task', tasks)),
    ]),
    ...acceptance_criteria.flatMap(({ task }, index) =>
      task === undefined ? [] : checkReference(`acceptance_criteria[${index}].task`, task, 'task', tasks),
    ),
    ...file_plan.flatMap(({ task }, index) => checkReference(`file_plan[${index}].task`, task, 'task', tasks)),
    ...checkMilestoneOrder(work),
  ];
}

function checkReference(at: string, id: string, what: string, known: readonly string[]): readonly string[] {
  if (known.includes(id)) return [];
  const choices = known.slice(0, MOST_NAMED).map((one) => `"${one}"`);
  const expected = `${choices.join(', ')}${known.length > MOST_NAMED ? ', ...' : ''}`;
  return [`${at}: there is no ${what} "${id}"; expected one of ${expected}`];
}

const MOST_NAMED = 10;

/** The phases of a plan file run one after the other, so nothing can wait for a later one. */
function checkMilestoneOrder({ milestones, tasks }: PlannedWork): readonly string[] {
  const position = new Map(milestones.map(({ id }, index) => [id, index]));
  const milestoneOf = new Map(tasks.map(({ id, milestone }) => [id, milestone]));
  const at = (milestone: string | undefined): number => position.get(milestone ?? '') ?? 0;
  return tasks.flatMap(({ milestone, depends }, index) =>
    depends.flatMap((id, place) => {
      const other = milestoneOf.get(id);
      return at(other) <= at(milestone)
        ? []
        : [
            `work.tasks[${index}].depends[${place}]: "${id}" is in the later milestone "${other}"; expected a task of "${milestone}" or of an earlier milestone`,
          ];
    }),
  );
}

function checkCycles(tasks: readonly PlannedTask[]): readonly string[] {
  const graph = tasks.map(({ id, depends }) => ({ address: id, dependsOn: depends }));
  return findCycles({ phases: [{ parallel: true, tasks: graph }] }).map((cycle) => {
    const [first = ''] = cycle;
    const names = [...cycle.slice(0, MOST_NAMED), ...(cycle.length > MOST_NAMED ? ['...'] : []), first];
    return `work.tasks: these tasks wait for each other: ${names.join(' -> ')}; expected "depends" without a cycle`;
  });
}

function checkMilestones({ work: { milestones, tasks } }: PlanningDocument): readonly string[] {
  return milestones.flatMap(({ id, title }, index) => {
    const at = `work.milestones[${index}]`;
    const isEmpty = !tasks.some((task) => task.milestone === id);
    return [
      ...(isEmpty ? [`${at}: no task is in milestone "${id}"; expected at least one, or no such milestone`] : []),
      ...checkTitle(`${at}.title`, title),
    ];
  });
}

function checkTasks({ work, file_plan }: PlanningDocument): readonly string[] {
  return work.tasks.flatMap((task, index) => {
    const at = `work.tasks[${index}]`;
    return [
      ...checkTitle(`${at}.title`, task.title),
      ...exactTexts(task, at).flatMap(([place, text]) => checkQuotes(place, text)),
      ...placeholderTexts(task, at).flatMap(([place, text]) => checkPlaceholder(place, text)),
      ...checkHasFile(at, task, file_plan),
    ];
  });
}

function checkTitle(at: string, title: string): readonly string[] {
  const why = whyNotATitle(title);
  return why === undefined ? [] : [`${at}: ${why}`];
}

type Placed = readonly [at: string, text: string];

/** What the plan file repeats character for character. */
function exactTexts({ title, steps }: PlannedTask, at: string): readonly Placed[] {
  return [
    [`${at}.title`, title],
    ...steps.flatMap(({ title, run = '', expect = '' }, index): readonly Placed[] => [
      [`${at}.steps[${index}].title`, title],
      [`${at}.steps[${index}].run`, run],
      [`${at}.steps[${index}].expect`, expect],
    ]),
  ];
}

function checkQuotes(at: string, text: string): readonly string[] {
  if (!leavesQuoteOpen(text)) return [];
  return [`${at}: the quotes after "git commit" are not closed; expected a complete command`];
}

function placeholderTexts({ description, steps, test, commit }: PlannedTask, at: string): readonly Placed[] {
  return [
    [`${at}.description`, description],
    ...steps.map(({ title }, index): Placed => [`${at}.steps[${index}].title`, title]),
    [`${at}.test`, test],
    [`${at}.commit`, commit],
  ];
}

function checkPlaceholder(at: string, text: string): readonly string[] {
  if (text.length > LONGEST_PLACEHOLDER || !PLACEHOLDER.test(text)) return [];
  return [`${at}: "${showName(text)}" is a placeholder; expected what the implementer needs to know`];
}

const LONGEST_PLACEHOLDER = 60;
const PLACEHOLDER =
  /^[\s.…?!*_()[\]-]*(?:tbd|tba|todo|fixme|xxx|to be (?:decided|defined|determined|done))?[\s.…?!*_()[\]-]*$/i;

function checkHasFile(at: string, { id, kind }: PlannedTask, files: readonly PlannedFile[]): readonly string[] {
  if (kind === 'chore' || files.some(({ task, intent }) => task === id && changes(intent))) return [];
  return [`${at}: file_plan has no file that "${id}" changes; expected one, or the kind "chore" if it changes none`];
}

function checkFiles({ file_plan }: PlanningDocument): readonly string[] {
  const first = new Map<string, number>();
  return file_plan.flatMap(({ path, task }, index) => {
    const at = `file_plan[${index}]`;
    const key = `${task}\n${path}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    const repeated = `${at}: "${showName(path)}" is already listed for "${task}" in file_plan[${earlier}]; expected one entry for each file of a task`;
    return [
      ...checkPath(`${at}.path`, path),
      ...checkQuotes(`${at}.path`, path),
      ...(earlier === undefined ? [] : [repeated]),
    ];
  });
}

export function checkPath(at: string, path: string): readonly string[] {
  const why = whyNotAPath(path);
  return why === undefined ? [] : [`${at}: "${showName(path)}" is not a path of the repository: ${why}`];
}

/** Of two tasks that may run at the same time, only one may change a file: the other could not be merged. */
function checkSharedFiles({ work, file_plan }: PlanningDocument): readonly string[] {
  const places = placesOf(work);
  const areOrdered = (one: string, other: string): boolean =>
    Boolean(places.get(one)?.before.has(other) || places.get(other)?.before.has(one));
  const changers = new Map<string, string[]>();
  return file_plan.flatMap(({ path, intent, task }, index) => {
    if (!changes(intent)) return [];
    const others = changers.get(path) ?? [];
    changers.set(path, [...others, task]);
    const other = others.find((one) => one !== task && !areOrdered(one, task));
    return other === undefined
      ? []
      : [
          `file_plan[${index}]: "${path}" is also changed by "${other}", which may run at the same time as "${task}"; expected one of them to depend on the other, or one task for both`,
        ];
  });
}
