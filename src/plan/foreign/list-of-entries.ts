// Makes a list of tasks out of the checkboxes of a file: which of them are tasks, which are steps, and which phase they are in.
import { showName } from '../../text/show.ts';
import type { Entries, Entry, Section } from './entries.ts';
import { filesNamedIn } from './named-files.ts';
import { isWhole, shortName } from './one-line.ts';
import { pathOf, phasesIn } from './phases-of-sections.ts';
import { tidied, unquoted } from './quote.ts';
import type { ListedPhase, ListedStep, ListedTask, TaskList } from './task-list.ts';

/** What a dialect reads from the line of a checkbox. */
export interface EntryHead {
  /** Empty where it has none. */
  readonly id: string;
  readonly labels: readonly string[];
  readonly parallel: boolean;
  /** The ids that the line says it depends on. */
  readonly dependsOn: readonly string[];
  /** The rest of the line. */
  readonly text: string;
}

export interface EntryRules {
  head(text: string): EntryHead;
  /** `task`: the task before it in the same section. */
  role(head: EntryHead, entry: Entry, task: { readonly id: string; readonly depth: number } | undefined): EntryRole;
  /** The ids that the text below a task says it depends on. */
  dependsOn(text: string): readonly string[];
}

export type EntryRole = 'task' | 'step' | 'neither';

export function listOfEntries(file: Entries, rules: EntryRules): TaskList {
  const { tasks, skipped } = withoutUnnumbered(divided(file.entries, rules));
  const { title, notes, phases, leftOut } = phasesIn(
    file.sections,
    tasks.map(({ entry }) => entry.section),
  );
  return {
    ...{ title, notes, goal: null, order: 'file' },
    phases: phases.map(({ name, notes: own, parallel, members, depth }): ListedPhase => {
      const found = members.flatMap((index) => tasks[index] ?? []);
      return { name, notes: own, tasks: found.map((task) => listedTask(task, rules, depth, parallel)) };
    }),
    remarks: [...skippedRemark(skipped), ...leftOutRemark(leftOut)],
  };
}

interface FoundTask {
  readonly entry: Entry;
  readonly head: EntryHead;
  readonly steps: { readonly entry: Entry; readonly head: EntryHead }[];
}

/** A backslash keeps the start of a name from being read as a number or a label. */
function withoutEscape(head: EntryHead): EntryHead {
  return { ...head, text: head.text.replace(ESCAPE, '').trim() };
}

const ESCAPE = /^\\(?=\\*(?:[[(~·•|—–-]|[*_`]{0,3}(?:T-?)?\d))/;

/** The other way round. */
export function escapedName(name: string): string {
  return /^\\*(?:[[(~·•|—–-]|[*_`]{0,3}(?:T-?)?\d)/.test(name) ? `\\${name}` : name;
}

interface Divided {
  readonly tasks: readonly FoundTask[];
  readonly skipped: readonly Entry[];
}

function divided(entries: readonly Entry[], rules: EntryRules): Divided {
  const tasks: FoundTask[] = [];
  const skipped: Entry[] = [];
  let task: FoundTask | undefined;
  for (const entry of entries) {
    if (task?.entry.section !== entry.section) task = undefined;
    const head = withoutEscape(rules.head(entry.text));
    const role = rules.role(head, entry, task && { id: task.head.id, depth: task.entry.depth });
    if (role === 'step' && task !== undefined) task.steps.push({ entry, head });
    else if (role === 'neither') {
      skipped.push(entry);
      // What is nested in it is not a step of the task before it.
      task = undefined;
    } else {
      task = { entry, head, steps: [] };
      tasks.push(task);
    }
  }
  return { tasks, skipped };
}

/** Where other tasks have numbers, a section in which none has one is a checklist for the end, not a list of tasks. */
function withoutUnnumbered({ tasks, skipped }: Divided): Divided {
  const numbered = new Set(tasks.flatMap(({ head, entry }) => (head.id === '' ? [] : [entry.section])));
  const isTask = ({ entry }: FoundTask): boolean => numbered.size === 0 || numbered.has(entry.section);
  const others = tasks
    .filter((task) => !isTask(task))
    .flatMap(({ entry, steps }) => [entry, ...steps.map((step) => step.entry)]);
  return { tasks: tasks.filter(isTask), skipped: [...skipped, ...others].sort((one, other) => one.line - other.line) };
}

function listedTask(
  { entry, head, steps }: FoundTask,
  rules: EntryRules,
  depth: number,
  parallel: boolean,
): ListedTask {
  const part = pathOf(entry.section)
    .slice(depth + 1)
    .map((section) => section.title);
  const texts = [entry.below, ...steps.flatMap((step) => [step.head.text, step.entry.below])];
  const struck = entry.text.includes('\\~~') ? undefined : /^~~(.+)~~$/.exec(head.text)?.[1];
  const name = shortName(struck ?? head.text);
  return {
    id: head.id,
    name,
    text: fullText(name, { ...head, text: struck ?? head.text }, entry),
    labels: [...head.labels, ...(entry.optional ? ['optional'] : []), ...part],
    files: filesNamedIn(head.text, texts),
    steps: steps.map(listedStep),
    dependsOn: [...head.dependsOn, ...rules.dependsOn(entry.below)],
    parallel: parallel || head.parallel,
    state: struck === undefined ? entry.state : 'cancelled',
  };
}

/** What the name does not say: the whole line where it was cut, and what is below it. */
function fullText(name: string, head: EntryHead, entry: Entry): string {
  const below = entry.below.split('\n').filter((line) => !isFileList(line));
  return [...(isWhole(name, head.text) ? [] : [linesOf(head, entry)]), unquoted(tidied(below.join('\n')))]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The rest of the line, as the file divides it into lines. */
function linesOf({ text }: EntryHead, entry: Entry): string {
  const before = entry.text.endsWith(text) ? entry.text.slice(0, entry.text.length - text.length) : undefined;
  return before !== undefined && entry.lines.startsWith(before) ? entry.lines.slice(before.length) : text;
}

/** It becomes the list of files of the task. */
function isFileList(line: string): boolean {
  return /^\s{0,8}[-*] \**files\**:/i.test(line) && filesNamedIn('', [line]).length > 0;
}

function listedStep({ entry, head }: FoundTask['steps'][number]): ListedStep {
  const name = shortName(head.text);
  return {
    name,
    text: fullText(name, head, entry),
    done: entry.state !== 'open',
    optional: entry.optional,
  };
}

function skippedRemark(skipped: readonly Entry[]): readonly string[] {
  const [first] = skipped;
  if (first === undefined) return [];
  const such = `"${showName(first.text)}" in line ${first.line}`;
  return [
    skipped.length === 1
      ? `A checkbox without a task number was left out: ${such}.`
      : `${skipped.length} checkboxes without a task number were left out, such as ${such}.`,
  ];
}

function leftOutRemark(sections: readonly Section[]): readonly string[] {
  if (sections.length === 0) return [];
  const names = sections.slice(0, MOST_NAMED).map(({ title }) => `"${showName(title)}"`);
  const more = sections.length > MOST_NAMED ? ` and ${sections.length - MOST_NAMED} more` : '';
  return [
    sections.length === 1
      ? `The section ${names.join('')} contains no tasks and was left out.`
      : `The sections ${names.join(', ')}${more} contain no tasks and were left out.`,
  ];
}

const MOST_NAMED = 5;
