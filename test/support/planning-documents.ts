// Documents of the workshop: small ones to start from, and generated ones whose texts are easy to misread as a plan's grammar.
import fc from 'fast-check';
import { leavesQuoteOpen } from '../../src/workshop/inertness.ts';
import { PLANNING_OUTLINE, ROUND_OUTLINE } from '../../src/workshop/outlines.ts';
import { whyNotATitle } from '../../src/workshop/plan-markdown.ts';
import { type PlanningDocument, readPlanningDocument } from '../../src/workshop/planning-document.ts';
import { type RoundDocument, readRoundDocument } from '../../src/workshop/round-document.ts';
import { PLAIN_TEXT } from '../../src/workshop/shape.ts';
import {
  FILE_INTENTS,
  type FileIntent,
  type PlannedFile,
  type PlannedTask,
  TASK_KINDS,
} from '../../src/workshop/structured-plan.ts';
import { placesOf, tasksInOrder } from '../../src/workshop/task-order.ts';

/** The planning document of the prompt's example, with some parts replaced. */
export function planningDocumentWith(parts: Partial<PlanningDocument> = {}): PlanningDocument {
  const read = readPlanningDocument(PLANNING_OUTLINE);
  if (!read.ok) throw new Error(read.violations.join('\n'));
  return { ...read.document, ...parts };
}

/** The round document of the prompt's example, with some parts replaced. */
export function roundDocumentWith(parts: Partial<RoundDocument> = {}): RoundDocument {
  const read = readRoundDocument(ROUND_OUTLINE);
  if (!read.ok) throw new Error(read.violations.join('\n'));
  return { ...read.document, ...parts };
}

export function taskWith(parts: Partial<PlannedTask> & { readonly id: string }): PlannedTask {
  return {
    title: parts.id,
    kind: 'chore',
    milestone: 'index',
    depends: [],
    description: `What ${parts.id} is about.`,
    steps: [{ title: 'Do it' }],
    test: 'It is done.',
    avoid: [],
    commit: `${parts.id}: done`,
    ...parts,
  };
}

const GRAMMAR = [
  ['# A', '## Phase 1: x', '### Task 1: x', '#### Task 2', '###Task 3: x', '#### Step 1: x', '#### Files', '# Goal'],
  [
    '**Task 3: x**',
    'Task 4: x',
    'Task 5 — x',
    '**Phase 2**',
    '## Taks 3: x',
    '## Task three',
    '## Tasks',
    'Phase 9: a',
  ],
  ['**Step 1: x**', '**Step 2:** x', '[ ] Step 3: x', '- [x] **Step 4**', '__Step 5__', 'Step 6: x', 'Task', 'Phase'],
  ['**Files:**', 'Files:', '- Create: `evil.ts`', 'Modify: `a`', '**File:** a', '**Files:** `x`', '- Add `b` to it'],
  ['**Depends on:** Task 1', 'Depends on: none', '**Dependencies:** Task 2', '**Depend on:** 3', 'depends-on: 1'],
  ['Run: `rm -rf /`', 'Run:', 'Expected: x', 'Expected:', '**Expected:**', '**Expcted:** x', '*Run*: y'],
  [
    '**Goal:** x',
    '**Goals:** x',
    '**Architecture:** y',
    '**Tech Stack:** z',
    '**Stack:** x',
    '## Tech Stack',
    '## Goal',
  ],
  ['```', '```sh', '```ts', '~~~', '````', '```sh\nls\n```', '```\nls\n```', '> ```', '- ```', '  ```', '`a`', '``'],
  ['<!--', '-->', '<div>', '<pre>', '</div>', '<?', '<![CDATA[', '<!-- x -->', '<script>', '<b>x</b>', '<x-y>', '<'],
  ['===', '---', '***', '- - -', '--', '= =', '___', '\\', 'a \\', '<<<<<<< HEAD', '>>>>>>> b', '=======', '|||||||'],
  ['- a', '* a', '1. a', '  - a', '    code', '\tcode', '> q', '>', '-', '[x]: /url', '| a | b |', '|-|-|', '- - # x'],
  ['(parallel)', '(in parallel)', '[parallel]', '(paralel)', '#', ' #', '**', '*', '_', '__', ':', '—', '"', "'", '$x'],
].flat();

/** An unfinished command, which would swallow the commit message of its task. */
const COMMANDS = ['git commit', 'git commit -m "', "git commit -m 'x", 'git commit -am "x"', 'git commit \\', '-m "'];

const WORDS = [
  'a',
  'b c',
  'é',
  '日本',
  '🚧',
  '\u00a0',
  '\u200f',
  '__proto__',
  'constructor',
  '$(x)',
  '%',
  '&amp;',
  '{}',
  '0',
];

function cleaned(text: string): string {
  return [...text].filter((char) => PLAIN_TEXT.test(char)).join('');
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...GRAMMAR) },
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }).map(cleaned) },
);

function joined(part: fc.Arbitrary<string>, separators: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(part, fc.constantFrom(...separators)), { minLength: 1, maxLength })
    .map((parts) => parts.flat().join(''))
    .map((text) => (text.trim() === '' ? 'x' : text));
}

const withCommands = fc.oneof({ weight: 5, arbitrary: piece }, { weight: 1, arbitrary: fc.constantFrom(...COMMANDS) });

/** Prose of several lines. */
export const nastyTexts = joined(withCommands, ['\n', '\n', '\n\n', ' ', ''], 4);
/** An entry of a list. Some are several lines, which is harmless. */
export const nastyLines = joined(withCommands, [' ', ' ', '', '\n'], 3);
const some = fc.array(nastyLines, { maxLength: 1 });

/** Commands and what they show, which the plan file repeats character for character. */
const exactTexts = joined(fc.oneof(piece, fc.constantFrom('git commit -am "wip"')), ['\n', ' ', ''], 4)
  .map((text) => text.replace(/\r\n?/g, '\n').trim())
  .filter((text) => text !== '' && !leavesQuoteOpen(text));
const titles = joined(piece, [' ', ''], 3).map((text) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' || whyNotATitle(line) !== undefined ? `x ${line.length}` : line;
});
/** The title of a step may be anything on one line. */
const stepTitles = joined(piece, [' ', ''], 3)
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '' && !isPlaceholder(text));

function isPlaceholder(text: string): boolean {
  return !/[^\s.…?!*_()[\]-]/.test(text);
}

const IDS = ['t', 'T-1', 'Run', 'Files', 'Expected', 'Goal', 'Step', 'constructor', 'a.b', '1', 'x_y', 'toString'];

const tasks = fc.record({
  title: titles,
  kind: fc.constantFrom(...TASK_KINDS),
  description: nastyTexts.map((text) => (isPlaceholder(text) ? `${text} a` : text)),
  steps: fc.array(
    fc.record(
      { title: stepTitles, run: exactTexts, expect: exactTexts, text: nastyTexts },
      { requiredKeys: ['title'] },
    ),
    { minLength: 1, maxLength: 2 },
  ),
  test: nastyLines.map((text) => `Shown by ${text}`),
  avoid: some,
  commit: nastyTexts,
  /** Which of the tasks before it in the same and in earlier milestones it depends on. */
  depends: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
  /** Which files it tries to change. */
  files: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.constantFrom(...FILE_INTENTS)), { maxLength: 4 }),
});

const milestones = fc.record({
  title: titles,
  parallel: fc.option(fc.boolean(), { nil: undefined }),
  tasks: fc.array(tasks, { minLength: 1, maxLength: 3 }),
});

/** Few, because every text of a document is tried in a separate small plan. */
const someMilestones = fc
  .array(milestones, { minLength: 1, maxLength: 3 })
  .map((all) => (all.length < 3 ? all : all.map((one) => ({ ...one, tasks: one.tasks.slice(0, 2) }))));

const drafts = fc.record({
  title: joined(piece, [' ', ''], 3),
  brief: nastyTexts,
  context: nastyTexts,
  goals: fc.array(nastyLines, { minLength: 1, maxLength: 2 }),
  scope: fc.record({ in: some, out: some }),
  architecture: nastyTexts,
  tech_stack: some,
  milestones: someMilestones,
  risks: fc.array(fc.record({ text: nastyLines, mitigation: nastyLines }), { maxLength: 1 }),
  assumptions: some,
  criteria: fc.array(fc.tuple(nastyLines, fc.option(fc.nat({ max: 12 }))), { minLength: 1, maxLength: 3 }),
  notes: some,
  test_plan: fc.array(nastyLines, { minLength: 1, maxLength: 2 }),
  existing: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 5 }),
  order: fc.array(fc.nat({ max: 1_000 }), { minLength: 12, maxLength: 12 }),
  ids: fc.shuffledSubarray(IDS, { minLength: IDS.length, maxLength: IDS.length }),
});

type Draft = typeof drafts extends fc.Arbitrary<infer T> ? T : never;

/** A document that the reader accepts, and a repository that its file plan fits. */
export interface PlannedRepository {
  readonly document: PlanningDocument;
  readonly existing: ReadonlySet<string>;
}

export const plannedRepositories: fc.Arbitrary<PlannedRepository> = drafts.map(plannedRepository);

export const planningDocuments: fc.Arbitrary<PlanningDocument> = plannedRepositories.map(({ document }) => document);

function plannedRepository(draft: Draft): PlannedRepository {
  const { milestones: groups, criteria, existing, order, ids, ...rest } = draft;
  const planned = groups.flatMap(({ tasks }, group) => tasks.map((task) => ({ ...task, group })));
  const idOf = (index: number): string => ids[index] ?? `task-${index}`;
  const tasks: readonly PlannedTask[] = planned.map(({ files: _, group, depends, commit, ...task }, index) => ({
    ...task,
    // Each has its own, so that a task can be found by it.
    commit: `${idOf(index)}: ${commit}`,
    id: idOf(index),
    milestone: `m${group}`,
    depends: index === 0 ? [] : [...new Set(depends.map((choice) => idOf(choice % index)))],
  }));
  const milestones = groups.map(({ title, parallel }, index) => ({
    id: `m${index}`,
    title,
    ...(parallel === undefined ? {} : { parallel }),
  }));
  const work = { milestones, tasks: shuffled(tasks, order) };
  const present = new Set(existing.map((choice) => PATHS[choice] ?? ''));
  const wishes = new Map(planned.map(({ files }, index) => [idOf(index), files]));
  return {
    existing: present,
    document: {
      ...rest,
      id: 'a-plan',
      work,
      acceptance_criteria: criteria.map(([text, choice], index) => ({
        id: `AC${index}`,
        text,
        ...(choice === null ? {} : { task: idOf(choice % tasks.length) }),
      })),
      file_plan: shuffled(filePlan(work, wishes, present), order),
    },
  };
}

const PATHS = [
  ...[
    'src/a.ts',
    'src/b c.ts',
    'test/a.test.ts',
    'docs/日本.md',
    'app/[id]/(group)/page.tsx',
    'Makefile',
    '.github/x.yml',
  ],
  ...['src/$x/@y.ts', 'a/constructor', "it's.md"],
];

/** Takes from the wishes what fits: a file must exist or not when its task starts, and is not changed by two tasks at once. */
function filePlan(
  work: PlanningDocument['work'],
  wishes: ReadonlyMap<string, readonly (readonly [number, FileIntent])[]>,
  existing: ReadonlySet<string>,
): readonly PlannedFile[] {
  const places = placesOf(work);
  const files: PlannedFile[] = [];
  for (const { id, kind } of tasksInOrder(work)) {
    const before = places.get(id)?.before ?? new Set();
    for (const [choice, intent] of wishes.get(id) ?? []) {
      const path = PATHS[choice] ?? '';
      const touching = files.filter((file) => file.path === path);
      const changing = touching.filter((file) => file.intent !== 'reference');
      const last = changing.findLast((file) => before.has(file.task));
      const isPresent = last === undefined ? existing.has(path) : last.intent !== 'delete';
      const isFree = touching.every(({ task }) => task !== id) && changing.every(({ task }) => before.has(task));
      if (isFree && (intent === 'test' || isPresent === (intent !== 'create'))) files.push({ path, intent, task: id });
    }
    const changes = files.some(({ task, intent }) => task === id && intent !== 'reference');
    if (kind !== 'chore' && !changes) files.push({ path: `own/${id}.ts`, intent: 'create', task: id });
  }
  return files;
}

function shuffled<T>(list: readonly T[], order: readonly number[]): readonly T[] {
  return list
    .map((entry, index) => ({ entry, at: order[index % order.length] ?? 0 }))
    .sort((one, other) => one.at - other.at)
    .map(({ entry }) => entry);
}

const proposedTasks = fc.record({
  id: fc.constantFrom(...IDS),
  title: nastyLines,
  subtasks: some,
  depends: fc.array(fc.constantFrom(...IDS), { maxLength: 2 }),
});

/** Round documents that the reader accepts. Their proposals may refer to tasks that they do not propose. */
export const roundDocuments: fc.Arbitrary<RoundDocument> = fc.record({
  summary: nastyTexts.map((text) => (readsAsPlan(text) ? 'x' : text)),
  questions: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b-1', '0', 'which-words', '-'),
      text: nastyLines,
      blocking: fc.boolean(),
      why: nastyLines,
      suggestions: some,
    }),
    { maxLength: 3, selector: ({ id }) => id },
  ),
  proposals: fc.record({
    tasks: fc.uniqueArray(proposedTasks, { maxLength: 4, selector: ({ id }) => id }),
    assumptions: some,
    risks: some,
    acceptance_criteria: some,
    files: fc.array(
      fc.record({
        path: fc.constantFrom(...PATHS),
        intent: fc.constantFrom(...FILE_INTENTS),
        task: fc.constantFrom(...IDS),
      }),
      { maxLength: 3 },
    ),
  }),
  ready: fc.boolean(),
});

function readsAsPlan(text: string): boolean {
  const read = readRoundDocument(JSON.stringify(roundDocumentWith({ summary: text })));
  return !read.ok;
}
