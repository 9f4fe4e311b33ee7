// Makes a list of tasks out of the checkboxes of a file: which of them are tasks, which are steps, and which phase they are in.
import { showName } from '../../text/show.ts';
import { conditionsIn, isCheckpoint } from './conditions.ts';
import type { Entries, Entry, EntrySection } from './entries.ts';
import { filesNamedIn } from './named-files.ts';
import { listedName, someOf } from './naming.ts';
import { isWhole, shortName } from './one-line.ts';
import { phasesIn, sectionPath } from './phases-of-sections.ts';
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

/** `group`: only those that are nested in it are of interest, and what it says about them. */
export type EntryRole = 'task' | 'step' | 'group' | 'neither';

export function listOfEntries(file: Entries, rules: EntryRules): TaskList {
  const conditions = new Map([...conditionsIn(file.entries)].filter(([entry]) => rules.head(entry.text).id === ''));
  const others = file.entries.filter((entry) => !conditions.has(entry));
  const { tasks, skipped, checkpoints } = withoutCheckpoints(withoutUnnumbered(divided(others, rules)));
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
    remarks: [
      ...skippedRemark(skipped),
      ...conditionsRemark([...conditions.values()]),
      ...checkpointsRemark(checkpoints),
      ...leftOutRemark(leftOut),
    ],
  };
}

interface FoundTask {
  readonly entry: Entry;
  readonly head: EntryHead;
  readonly steps: { readonly entry: Entry; readonly head: EntryHead }[];
  /** The entry without a box that it is nested in. */
  readonly group: Entry | undefined;
  readonly isCheckpoint: boolean;
}

/** A backslash keeps the start of a name from being read as a number, a label, a checkpoint or the marks of bold text. */
function plainHead(head: EntryHead): EntryHead {
  const rest = head.text.slice(1);
  const isEscaped = head.text.startsWith('\\') && needsEscape(rest);
  const [, inStars, inUnderscores] = (isEscaped ? null : ALL_BOLD.exec(head.text)) ?? [];
  return { ...head, text: (isEscaped ? rest : (inStars ?? inUnderscores ?? head.text)).trim() };
}

const ALL_BOLD = /^\s*(?:\*\*([^*]+)\*\*|__([^_]+)__)[:：]?\s*$/;

/** The other way round. */
export function escapedName(name: string): string {
  return needsEscape(name) ? `\\${name}` : name;
}

function needsEscape(name: string): boolean {
  const bare = name.replace(/^\\+/, '');
  return /^(?:[[(~·•|:.—–-]|[*_`]{0,3}(?:T-?)?\d)/.test(bare) || ALL_BOLD.test(bare) || isCheckpoint(bare);
}

interface Divided {
  readonly tasks: readonly FoundTask[];
  readonly skipped: readonly Entry[];
}

function divided(entries: readonly Entry[], rules: EntryRules): Divided {
  const tasks: FoundTask[] = [];
  const skipped: Entry[] = [];
  let task: FoundTask | undefined;
  let group: Entry | undefined;
  for (const entry of entries) {
    if (task?.entry.section !== entry.section) task = undefined;
    if (group?.section !== entry.section || entry.depth <= group.depth) group = undefined;
    const written = rules.head(entry.text);
    const head = plainHead(written);
    const role = rules.role(head, entry, task && { id: task.head.id, depth: task.entry.depth });
    if (role === 'step' && task !== undefined) task.steps.push({ entry, head });
    else if (role === 'group') {
      group = entry;
      task = undefined;
    } else if (role === 'neither') {
      skipped.push(entry);
      // What is nested in it is not a step of the task before it.
      task = undefined;
    } else {
      task = { entry, head, steps: [], group, isCheckpoint: isCheckpoint(written.text) };
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

interface WithoutCheckpoints extends Divided {
  readonly checkpoints: readonly FoundTask[];
}

/** Where nothing else is in the file, they are its tasks. One that is checked off is like any task that is done. */
function withoutCheckpoints({ tasks, skipped }: Divided): WithoutCheckpoints {
  const isLeftOut = ({ isCheckpoint, entry, steps }: FoundTask): boolean =>
    isCheckpoint && entry.state === 'open' && steps.length === 0;
  const kept = tasks.filter((task) => !isLeftOut(task));
  if (kept.length === 0) return { tasks, skipped, checkpoints: [] };
  return { tasks: kept, skipped, checkpoints: tasks.filter(isLeftOut) };
}

function listedTask(
  { entry, head, steps, group }: FoundTask,
  rules: EntryRules,
  depth: number,
  parallel: boolean,
): ListedTask {
  const part = sectionPath(entry.section)
    .slice(depth + 1)
    .map((section) => section.title);
  const texts = [entry.below, ...steps.flatMap((step) => [step.head.text, step.entry.below])];
  const struck = entry.text.includes('\\~~') ? undefined : /^~~(.+)~~$/.exec(head.text)?.[1];
  const name = shortName(struck ?? head.text);
  return {
    id: head.id,
    name,
    text: fullText(name, { ...head, text: struck ?? head.text }, entry),
    labels: [
      ...head.labels,
      ...(entry.optional ? ['optional'] : []),
      ...part,
      ...(group === undefined ? [] : [shortName(group.text)]),
    ],
    files: filesNamedIn(head.text, texts),
    steps: steps.map(listedStep),
    dependsOn: [...head.dependsOn, ...rules.dependsOn(entry.below)],
    parallel: parallel || head.parallel,
    state: struck === undefined ? stateOf(entry, steps) : 'cancelled',
  };
}

/** Without a box, it is done when everything in it is. */
function stateOf({ bare, state }: Entry, steps: FoundTask['steps']): ListedTask['state'] {
  return bare && steps.every(({ entry }) => entry.state !== 'open') ? 'done' : state;
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
    numbered: head.id !== '',
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

/** `below`: for each of them, the heading that says so. */
function conditionsRemark(below: readonly string[]): readonly string[] {
  const titles = [...new Set(below)].map((title) => `"${showName(title)}"`);
  return someOf(titles, (such) =>
    below.length === 1
      ? `A checkbox that is a condition and not a task was left out, below ${such}.`
      : `${below.length} checkboxes that are conditions and not tasks were left out, below ${such}.`,
  );
}

function checkpointsRemark(checkpoints: readonly FoundTask[]): readonly string[] {
  const names = checkpoints.map(({ head }) => listedName({ id: head.id, name: head.text }));
  return someOf(names, (such) =>
    names.length === 1
      ? `A checkpoint was left out, because cadre verifies and reviews every task: ${such}.`
      : `${names.length} checkpoints were left out, because cadre verifies and reviews every task: ${such}.`,
  );
}

function leftOutRemark(sections: readonly EntrySection[]): readonly string[] {
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
