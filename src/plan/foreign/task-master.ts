// Task Master: tasks.json, with a list of tasks or one such list for every tag.
import { readJson } from '../../text/json-text.ts';
import { showName } from '../../text/show.ts';
import type { Dialect, ReadList } from './dialect.ts';
import type { ForeignFile } from './entries.ts';
import { filesNamedIn } from './named-files.ts';
import { someOf } from './naming.ts';
import { asOneLine, cleanText, isWhole, shortName } from './one-line.ts';
import type { ListedState, ListedStep, ListedTask, TaskList } from './task-list.ts';
import { tasksIn } from './task-list.ts';
import { type Fields, isFilled, isObject, subtasksOf, withKnownKeys, withSubtasks } from './task-master-fields.ts';

export const taskMaster: Dialect = {
  title: 'Task Master',
  carries: { phases: false, parallel: true, dependencies: true },
  companions: [],
  detect({ text }) {
    const bare = text.slice(0, MOST_LOOKED_AT).replace(/^[\ufeff\s]+/, '');
    if (!/^[{[]/.test(bare)) return false;
    const json = readJson(withoutMark(text));
    return json.kind === 'value' ? listsIn(json.value).length > 0 : /"tasks"\s{0,8}:/.test(bare);
  },
  read,
  write: (list) => `${JSON.stringify({ master: writtenTag(list) }, undefined, 2)}\n`,
};

const MOST_LOOKED_AT = 2_000;

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function read(file: ForeignFile, wanted?: string): ReadList {
  const json = readJson(withoutMark(file.text));
  if (json.kind === 'bad') return { kind: 'unreadable', why: json.why };
  const lists = listsIn(json.value);
  const named = wanted === undefined ? undefined : lists.find(({ tag }) => tag === wanted);
  if (wanted !== undefined && named === undefined)
    return { kind: 'unreadable', why: `it has no tag of that name; its tags are ${tagNames(lists)}` };
  const chosen = named ?? lists.find(({ tag, tasks }) => tag === MAIN && tasks.length > 0) ?? longest(lists);
  if (chosen === undefined) return { kind: 'unreadable', why: 'it has no list of tasks' };
  const others = lists.filter((list) => list !== chosen && list.tasks.length > 0);
  return { kind: 'list', list: listOf(chosen, others), otherTags: others.map(({ tag }) => tag) };
}

/** The tag that tasks are in unless a person chose another. */
const MAIN = 'master';

interface TaggedTasks {
  /** Empty where the file has no tags. */
  readonly tag: string;
  readonly tasks: readonly unknown[];
  /** About all of them. */
  readonly metadata: Fields;
}

function listsIn(value: unknown): readonly TaggedTasks[] {
  if (Array.isArray(value))
    return value.every(isTask) && value.length > 0 ? [{ tag: '', tasks: value, metadata: {} }] : [];
  if (!isObject(value)) return [];
  if (Array.isArray(value.tasks)) return [{ tag: '', tasks: value.tasks, metadata: metadataOf(value) }];
  // Some files have their tags, or more of them, in an object "tags".
  const outer = taggedIn(value);
  const known = new Set(outer.map(({ tag }) => tag));
  return [...outer, ...(isObject(value.tags) ? taggedIn(value.tags) : []).filter(({ tag }) => !known.has(tag))];
}

function taggedIn(tags: Fields): readonly TaggedTasks[] {
  return Object.entries(tags).flatMap(([tag, list]) => {
    if (!isObject(list) || !Array.isArray(list.tasks)) return [];
    return { tag, tasks: list.tasks, metadata: metadataOf(list) };
  });
}

function metadataOf({ metadata }: Fields): TaggedTasks['metadata'] {
  return isObject(metadata) ? metadata : {};
}

function longest(lists: readonly TaggedTasks[]): TaggedTasks | undefined {
  return lists.reduce<TaggedTasks | undefined>(
    (most, list) => (most === undefined || list.tasks.length > most.tasks.length ? list : most),
    undefined,
  );
}

function tagNames(lists: readonly TaggedTasks[]): string {
  return lists.map(({ tag }) => `"${asOneLine(tag).slice(0, 60)}"`).join(', ') || 'none';
}

function listOf({ tag, tasks, metadata }: TaggedTasks, others: readonly TaggedTasks[]): TaskList {
  const known = tasks.filter(isObject).map(withKnownKeys).filter(isNamed);
  const odd = tasks.length - known.length;
  const title = asOneLine(text(metadata.projectName)) || (tag === MAIN ? '' : asOneLine(tag));
  const goal = asOneLine(text(metadata.description));
  const unread = new Set(
    known
      .flatMap(withSubtasks)
      .flatMap(Object.entries)
      .flatMap(([key, value]) => (READ.has(key) || !isFilled(value) ? [] : key)),
  );
  return {
    title: title === '' ? null : title,
    goal: goal === '' || BOILERPLATE.test(goal) ? null : goal,
    notes: '',
    order: 'dependencies',
    phases: [{ name: '', notes: '', tasks: known.map(listedTask) }],
    remarks: [
      ...(odd === 0
        ? []
        : [
            odd === 1
              ? '1 entry of the list is not a task and was left out.'
              : `${odd} entries of the list are not tasks and were left out.`,
          ]),
      ...someOf([...unread].map(showName), (such) => `Fields that a plan does not have were left out: ${such}.`),
      ...(others.length === 0
        ? []
        : [`Only the tag "${asOneLine(tag)}" was read; the others are ${tagNames(others)}.`]),
    ],
  };
}

const BOILERPLATE = /^(?:default )?tasks (?:for \S+ )?context$|^tag created /i;

/** What becomes part of the plan, or says only when something happened. */
const READ: ReadonlySet<string> = new Set([
  ...['id', 'title', 'description', 'details', 'testStrategy', 'acceptanceCriteria'],
  ...['dependencies', 'priority', 'status', 'subtasks', 'completed', 'createdAt', 'updatedAt'],
  ...['notes', 'parentId', 'parentTaskId'],
]);

function isTask(value: unknown): boolean {
  if (!isObject(value)) return false;
  const task = withKnownKeys(value);
  return typeof task.title === 'string' && ('status' in task || 'dependencies' in task);
}

function isNamed({ title, description }: Fields): boolean {
  return text(title) !== '' || text(description) !== '';
}

function text(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (Array.isArray(value))
    return value
      .map(text)
      .filter((one) => one !== '')
      .map((one) => `- ${asOneLine(one)}`)
      .join('\n');
  return typeof value === 'string' ? cleanText(value).trim() : '';
}

function listedTask(task: Fields): ListedTask {
  const { name, text: body } = described(task);
  const steps = subtasksOf(task).map(listedStep);
  const priority = asOneLine(text(task.priority)).toLowerCase();
  const status = statusOf(task);
  return {
    id: asOneLine(text(task.id)),
    name,
    text: body,
    labels: [
      ...(priority === '' || priority === 'medium' ? [] : [`priority ${priority}`]),
      ...(NOTEWORTHY.has(status) ? [status] : []),
    ],
    files: filesNamedIn(name, [body, ...steps.flatMap((step) => [step.name, step.text])]),
    steps,
    dependsOn: Array.isArray(task.dependencies) ? task.dependencies.map(dependency).filter((id) => id !== '') : [],
    parallel: false,
    state: STATES[status] ?? 'open',
  };
}

/** "in_progress", "In Progress" and "in-progress" are the same. */
function statusOf({ status }: Fields): string {
  return asOneLine(text(status))
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}

/** A dependency on a subtask, "3.2", is one on its task. */
function dependency(value: unknown): string {
  return asOneLine(text(value)).replace(/^(\d+)\.\d+$/, '$1');
}

const NOTEWORTHY: ReadonlySet<string> = new Set(['in-progress', 'partial', 'review', 'blocked']);
const STATES: { readonly [status: string]: ListedState | undefined } = Object.assign(Object.create(null), {
  done: 'done',
  completed: 'done',
  complete: 'done',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  deferred: 'deferred',
} satisfies Record<string, ListedState>);

/** The title; what it says besides, as one text. */
function described(task: Fields): Pick<ListedTask, 'name' | 'text'> {
  const title = asOneLine(text(task.title));
  const description = text(task.description);
  const full = title === '' ? asOneLine(description) : title;
  const name = shortName(full);
  const parts = [
    isWhole(name, full) ? '' : full,
    asOneLine(description) === full ? '' : description,
    text(task.details),
    labelled('Acceptance criteria', text(task.acceptanceCriteria)),
    labelled('Test strategy', text(task.testStrategy)),
    labelled('Notes', text(task.notes)),
  ];
  return { name, text: parts.filter((part) => part !== '').join('\n\n') };
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `**${label}:**${/^- |\n/.test(value) ? '\n\n' : ' '}${value}`;
}

function listedStep(subtask: Fields): ListedStep {
  const status = statusOf(subtask);
  return { ...described(subtask), done: (STATES[status] ?? 'open') !== 'open', optional: false, numbered: false };
}

function writtenTag(list: TaskList): unknown {
  return {
    tasks: tasksIn(list).map((task, index) => ({
      id: index + 1,
      title: task.name,
      description: task.name,
      details: withFiles(task),
      testStrategy: '',
      status: task.state === 'open' ? 'pending' : 'done',
      priority: 'medium',
      dependencies: task.dependsOn.map(Number),
      subtasks: task.steps.map((step, at) => ({
        id: at + 1,
        title: step.name,
        description: '',
        details: step.text,
        status: step.done || task.state !== 'open' ? 'done' : 'pending',
        dependencies: [],
      })),
    })),
    metadata: { projectName: list.title ?? '', description: list.goal ?? '' },
  };
}

function withFiles({ files, text: body }: ListedTask): string {
  const named = files.length === 0 ? '' : `Files: ${files.map(({ path }) => `\`${path}\``).join(', ')}`;
  return [named, body].filter((part) => part !== '').join('\n\n');
}
