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
  readonly metadata: Readonly<Record<string, unknown>>;
}

function listsIn(value: unknown): readonly TaggedTasks[] {
  if (Array.isArray(value))
    return value.every(isTask) && value.length > 0 ? [{ tag: '', tasks: value, metadata: {} }] : [];
  if (!isObject(value)) return [];
  if (Array.isArray(value.tasks)) return [{ tag: '', tasks: value.tasks, metadata: metadataOf(value) }];
  return Object.entries(value).flatMap(([tag, list]) => {
    if (!isObject(list) || !Array.isArray(list.tasks)) return [];
    return { tag, tasks: list.tasks, metadata: metadataOf(list) };
  });
}

function metadataOf({ metadata }: Readonly<Record<string, unknown>>): TaggedTasks['metadata'] {
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
  const known = tasks.filter(isObject);
  const odd = tasks.length - known.length;
  const title = asOneLine(text(metadata.projectName)) || (tag === MAIN ? '' : asOneLine(tag));
  const goal = asOneLine(text(metadata.description));
  const unread = new Set(known.flatMap(Object.keys).filter((key) => !READ.has(key)));
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
]);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTask(value: unknown): boolean {
  return isObject(value) && typeof value.title === 'string' && ('status' in value || 'dependencies' in value);
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

function listedTask(task: Readonly<Record<string, unknown>>): ListedTask {
  const { name, text: body } = described(task);
  const steps = Array.isArray(task.subtasks) ? task.subtasks.filter(isObject).map(listedStep) : [];
  const priority = asOneLine(text(task.priority)).toLowerCase();
  const status = asOneLine(text(task.status)).toLowerCase();
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

/** A dependency on a subtask, "3.2", is one on its task. */
function dependency(value: unknown): string {
  return asOneLine(text(value)).replace(/^(\d+)\.\d+$/, '$1');
}

const NOTEWORTHY: ReadonlySet<string> = new Set(['in-progress', 'review', 'blocked']);
const STATES: { readonly [status: string]: ListedState | undefined } = Object.assign(Object.create(null), {
  done: 'done',
  completed: 'done',
  complete: 'done',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  deferred: 'deferred',
} satisfies Record<string, ListedState>);

/** The title; what it says besides, as one text. */
function described(task: Readonly<Record<string, unknown>>): Pick<ListedTask, 'name' | 'text'> {
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
  ];
  return { name, text: parts.filter((part) => part !== '').join('\n\n') };
}

function labelled(label: string, value: string): string {
  return value === '' ? '' : `**${label}:**${/^- |\n/.test(value) ? '\n\n' : ' '}${value}`;
}

function listedStep(subtask: Readonly<Record<string, unknown>>): ListedStep {
  const status = asOneLine(text(subtask.status)).toLowerCase();
  return { ...described(subtask), done: (STATES[status] ?? 'open') !== 'open', optional: false };
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
