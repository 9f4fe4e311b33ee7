// Screens as text: what a person sees in each situation, at two sizes. UPDATE_GOLDEN=1 writes them again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import type { KnownRepository } from '../../../src/core/views/known-repository.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { diffLines } from '../../../src/surfaces/tui/model/diff-rows.ts';
import { widthOf } from '../../../src/surfaces/tui/terminal/width.ts';
import { frameText } from '../../../src/surfaces/tui/view/frame.ts';
import { viewNowhere } from '../../../src/surfaces/tui/view/nowhere.ts';
import type { FakeOptions } from '../../support/app.ts';
import {
  act,
  at,
  going,
  HUMAN,
  type Place,
  result,
  reviewerSays,
  runIn,
  says,
  settled,
  withBudgets,
} from '../../support/runs.ts';
import { asks, planWith, roundWith } from '../../support/workshops.ts';
import { NOW, newSession, PLAN, read, register, sessionNews, signal, USER } from '../../support/world.ts';
import { allUp, type Person, PLAN_TEXT, personAt } from './situations.ts';

const SIZES = [
  [80, 24],
  [120, 40],
] as const;

interface Situation {
  readonly options: FakeOptions;
  readonly sizes?: readonly (readonly [number, number])[];
  /** What the agents ask on their screens. */
  readonly asks?: string;
  readonly doing?: (person: Person) => Promise<void> | void;
}

const FILES = { [PLAN]: PLAN_TEXT };
const THEMES = 'themes.md' as PlanFile;

/** The first task of the plan is here, and its agents run. */
function built(place: Place): FakeOptions {
  const world = at(place, HUMAN, PLAN_TEXT);
  return { world: settled(world, ...allUp(world)), files: FILES };
}

const SITUATIONS: { readonly [name: string]: Situation } = {
  'no plans': { options: {} },
  'a plan file that is not registered': { options: { files: FILES } },
  'one plan, ready': { options: { events: [register(PLAN), read(PLAN_TEXT)], files: FILES } },
  'blocked phases': { options: built('SETUP') },
  running: { options: built('CODING'), doing: onSession },
  verifying: { options: built('TESTING'), doing: onTask },
  'spec review': { options: built('CODE_REVIEW spec'), doing: onTask },
  'quality review': { options: built('CODE_REVIEW quality'), doing: onTask },
  merging: { options: built('AWAIT_MERGE'), doing: onTask },
  question: { options: built('QUESTION from CODING'), doing: (person) => person.press('a') },
  'permission asked': {
    options: built('CODING'),
    asks: 'Run "node -e 1"?',
    doing: (person) => person.press('a'),
  },
  halted: { options: halted(), doing: onTask },
  'held up': { options: heldUp(), doing: onTask },
  'task that failed': { options: built('ERROR'), doing: onTask },
  stale: {
    options: {
      world: at('CODING', HUMAN, PLAN_TEXT),
      files: { [PLAN]: PLAN_TEXT.replace(/### Task 1[\s\S]*?(?=### Task 2)/, '') },
    },
    doing: (person) => person.press('G'),
  },
  incident: { options: withIncident(), doing: (person) => person.press('g') },
  'unparseable plan': {
    options: { world: going(HUMAN, PLAN_TEXT), files: { [PLAN]: PLAN_TEXT.replace('Task 2:', 'Task 1:') } },
  },
  'plan file deleted': { options: { world: going(HUMAN, PLAN_TEXT), files: {} } },
  'workshop clarifying': { options: { world: clarifying() }, doing: (person) => person.press('g') },
  'answering a planner': { options: { world: clarifying() }, doing: (person) => person.press('a') },
  'review ready': { options: { world: reviewReady() }, doing: (person) => person.press('g') },
  'plan to be approved': { options: { world: reviewReady() }, doing: (person) => person.press('g', 't') },
  'many plans': {
    options: {
      events: [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => [register(`${letter}-plan.md`)]),
      files: Object.fromEntries([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [`${letter}-plan.md`, PLAN_TEXT])),
    },
    doing: (person) => person.press('s', 'j', 'j'),
  },
  narrow: {
    options: built('CODING'),
    sizes: [
      [60, 15],
      [40, 10],
    ],
  },
  'very large': { options: built('CODING'), sizes: [[250, 80]] },
  'only sessions of a person': {
    options: { world: ownSessions() },
    doing: (person) => person.press('j'),
  },
  'a refused key': { options: built('DONE'), doing: killing },
  confirm: { options: built('CODING'), doing: killing },
  filter: { options: built('CODING'), doing: (person) => person.press('/', 'l', 'i', 's', 't') },
  'failed verification': { options: failedVerification(), doing: onTask },
  'diff with a comment': { options: built('CODE_REVIEW quality'), doing: commented },
  'findings of a review': { options: withFindings(), doing: onTask },
  'findings to decide about': { options: withFindings(), doing: decidingAbout('f') },
  'deciding about a finding': { options: withFindings(), doing: decidingAbout('f', 'enter') },
  help: { options: built('CODING'), doing: (person) => person.press('?') },
  'command line': { options: built('CODING'), doing: (person) => person.press(':', 'a', 'tab') },
  paused: { options: paused(), doing: onTask },
  toast: { options: built('CODING'), doing: toasted },
  'other repositories': { options: built('CODING'), doing: elsewhere },
  'the sidebar': { options: built('QUESTION from CODING'), doing: inSidebar },
  'tasks in parallel': { options: inParallel(), doing: onTask },
  'requested by a review': { options: requestedByReview(), doing: (person) => person.press('G') },
  'agent that failed to start': { options: notStarted(), doing: onTask },
  'output of a verification': { options: failedVerification(), doing: wholeOutput },
};

test.each(SIZES)('no git at %i x %i', (columns, rows) => {
  const why = '/home/ann is not inside a git repository. Change to one, or create one with "git init".';
  const frame = frameText(viewNowhere({ size: { columns, rows }, why, repositories: REPOSITORIES, at: 1 }));
  expectGolden(frame, 'no git', columns, rows);
});

describe.each(Object.entries(SITUATIONS))('%s', (name, { options, sizes = SIZES, asks: asked, doing }) => {
  test.each(sizes)('at %i x %i', async (columns, rows) => {
    const person = await personAt(options, [columns, rows], (fake) => {
      for (const { id } of fake.world().sessions.values()) if (asked !== undefined) fake.questions.set(id, asked);
    });
    await doing?.(person);
    const frame = person.frame();
    const lines = frame.split('\n');
    expect(lines).toHaveLength(rows);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    expectGolden(frame, name, columns, rows);
  });
});

function expectGolden(frame: string, name: string, columns: number, rows: number): void {
  const path = `test/surfaces/tui/golden/${name.replaceAll(/[ ,]+/g, '-')}-${columns}x${rows}.txt`;
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync('test/surfaces/tui/golden', { recursive: true });
    writeFileSync(path, `${frame}\n`);
  }
  expect(existsSync(path), `${path} exists`).toBe(true);
  expect(`${frame}\n`).toBe(readFileSync(path, 'utf8'));
}

const REPOSITORIES: readonly KnownRepository[] = [
  { root: '/home/ann/api', tasks: { done: 4, of: 4 }, active: 0, needs: 0 },
  { root: '/home/ann/blog', tasks: { done: 2, of: 7 }, active: 2, needs: 1 },
  { root: '/home/ann/a-repository-with-a-long-name', tasks: { done: 1, of: 12 }, active: 3, needs: 0 },
];

function elsewhere(person: Person): void {
  person.know({ repositories: REPOSITORIES, isEngineHere: true });
}

function inSidebar(person: Person): void {
  elsewhere(person);
  person.press('1', 'j', 'j', 'j');
}

async function toasted(person: Person): Promise<void> {
  await onTask(person);
  person.hear({ kind: 'performed', ok: true, text: 'x.md#2 launched.' });
  person.hear({ kind: 'warned', text: 'Refused "implement-finished": nothing was committed.', tone: 'error' });
  person.hear({ kind: 'warned', text: 'Refused "implement-finished": nothing was committed.', tone: 'error' });
}

async function wholeOutput(person: Person): Promise<void> {
  await onTask(person);
  person.press('o');
}

async function onTask(person: Person): Promise<void> {
  person.press('g', 'j');
  await person.look();
}

async function killing(person: Person): Promise<void> {
  await onTask(person);
  person.press('D');
}

async function onSession(person: Person): Promise<void> {
  person.press('g', 'j', 'j');
  await person.look();
  person.know({
    window: {
      key: `first ${person.model.selected?.replace(':', ' ')}`,
      kind: 'screen',
      text: '\x1b[1m● The tests come first\x1b[0m\n  └ Added 3 lines\n\x1b[32m+ test\x1b[0m 日本語 🙂\x1b]0;owned\x07\n* Thinking...',
    },
  });
}

function halted(): FakeOptions {
  const coding = at('CODING', withBudgets(HUMAN, { relaunches: 0 }), PLAN_TEXT);
  const up = settled(coding, ...allUp(coding));
  const { id: session } = runIn(up).session ?? {};
  if (session === undefined) throw new Error('There is no session.');
  const later = new Date(NOW.getTime() + 24 * 60 * 60_000);
  return { world: decideAll(up, [{ kind: 'overdue', wait: { for: 'session', session } }], later).world, files: FILES };
}

function heldUp(): FakeOptions {
  const { world = EMPTY_WORLD, files = {} } = built('AWAIT_MERGE');
  const effect = runIn(world).issued?.effect ?? '';
  const event: Event = { kind: 'held-up', effect, why: 'plan/x is checked out in /elsewhere.', needsPerson: true };
  return { world: settled(world, event), files };
}

function withIncident(): FakeOptions {
  const { world = EMPTY_WORLD, files = {} } = built('CODING');
  const seen: Event = { kind: 'branch-seen', plan: PLAN, expected: 'b0', found: 'foreign' };
  return { world: settled(world, seen), files };
}

function inParallel(): FakeOptions {
  const text = PLAN_TEXT.replace('## Phase 1: Counting', '## Phase 1: Counting (parallel)');
  const world = at('CODE_REVIEW quality', HUMAN, text);
  return { world: settled(world, ...allUp(world)), files: { [PLAN]: text } };
}

/** With a session of a person's below it. */
function requestedByReview(): FakeOptions {
  const text = PLAN_TEXT.replace(/### Task 2[\s\S]*/, '');
  const world = settled(going(HUMAN, text), act('mark-done'));
  const asked = settled(world, reviewerSays(world, 'review-changes', 'Count the empty text too.'));
  const own = settled(asked, newSession({ title: 'Fix the flaky login test' }));
  return { world: settled(own, ...allUp(own)), files: { [PLAN]: text } };
}

function notStarted(): FakeOptions {
  const world = at('PLANNING', withBudgets(HUMAN, { relaunches: 0 }), PLAN_TEXT);
  const id = runIn(world).session?.id;
  if (id === undefined) throw new Error('There is no session.');
  const news = sessionNews(id, { kind: 'failed', why: 'claude is not installed' });
  return { world: settled(world, news), files: FILES };
}

function withFindings(): FakeOptions {
  const { world = EMPTY_WORLD, files = {} } = built('CODE_REVIEW spec');
  const found = [
    '- [important] src/words.js:2: An empty text has one word.',
    'Why: the task says that it has none.',
    '- [minor] src/measures.js: The name of the parameter says nothing.',
  ];
  return { world: settled(world, says(world, 'review-changes', { body: found.join('\n') })), files };
}

function decidingAbout(...keys: readonly string[]): (person: Person) => Promise<void> {
  return async (person) => {
    await onTask(person);
    person.press(...keys);
  };
}

function paused(): FakeOptions {
  const { world = EMPTY_WORLD, files = {} } = built('CODING');
  return { world: settled(world, { kind: 'pause', by: USER, plan: PLAN }), files };
}

/** With its record in the journal, from which the detail is read. */
function failedVerification(): FakeOptions {
  const { world = EMPTY_WORLD, files = {} } = built('TESTING');
  const text = 'not ok 6 - reading time is in whole minutes\n  0.5 !== 1   test/time.test.js:4\n# fail 1';
  return { world, files, events: [result(world, { of: 'verify', passed: false, text })] };
}

function clarifying(): World {
  const brief = 'A dark theme that follows the system.';
  const opened = settled(EMPTY_WORLD, { kind: 'workshop-open', plan: THEMES, by: USER, brief, from: 'c0ffee' });
  const questions = [asks('override'), asks('printing', false)];
  return handedIn(opened, roundWith({ summary: 'Colours are in two files.', questions }));
}

function reviewReady(): World {
  const answers = [
    { question: 'override', text: 'Yes, per device.' },
    { question: 'printing', text: null },
  ];
  const answered = settled(clarifying(), { kind: 'workshop-answer', plan: THEMES, by: USER, answers });
  return handedIn(handedIn(answered, roundWith({ ready: true })), planWith());
}

/** What the planner was asked for. */
function handedIn(before: World, document: object): World {
  const world = settled(before, ...allUp(before));
  const { session, entered = 0 } = world.plans.get(THEMES)?.workshop ?? {};
  const by = { who: 'agent', role: 'planner', session: session?.id ?? 'nobody' } as const;
  const body = JSON.stringify(document);
  return settled(
    world,
    signal({ id: `round/${world.seq}`, name: 'round-finished', plan: THEMES, body, by, entered, files: [] }),
  );
}

function ownSessions(): World {
  const world = settled(
    EMPTY_WORLD,
    newSession({ title: 'Fix the flaky login test' }),
    newSession({ title: 'Fix 日本語 labels' }),
  );
  const [first] = world.sessions.keys();
  return settled(
    world,
    ...allUp(world),
    ...(first === undefined ? [] : [sessionNews(first, { kind: 'ended', life: { kind: 'gone' } })]),
  );
}

async function commented(person: Person): Promise<void> {
  await onTask(person);
  person.press('d');
  person.know({
    window: {
      key: 'diff task x#1',
      kind: 'diff',
      of: 'x.md#1',
      span: { from: 'b0b0b0b0', to: 'c1c1c1c1', merged: false },
      hasUncommitted: false,
      rewrites: [],
      files: [{ path: 'src/longest.js', added: 3, removed: 0 }],
      findings: [],
      lines: diffLines(
        [
          'diff --git a/src/longest.js b/src/longest.js',
          'new file mode 100644',
          '@@ -0,0 +1,3 @@',
          '+export function longest(text) {',
          "+  return text.split(' ').sort(byLength)[0];",
          '+}',
        ].join('\n'),
      ),
    },
  });
  person.press('c', ...'a tab is a gap too', 'enter');
  person.press('b');
}
