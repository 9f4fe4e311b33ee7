// Screens as text: what a person sees in each situation, at two sizes. UPDATE_GOLDEN=1 writes them again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import type { FakeOptions } from '../../support/app.ts';
import { at, going, HUMAN, type Place, result, runIn, settled, withBudgets } from '../../support/runs.ts';
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
  help: { options: built('CODING'), doing: (person) => person.press('?') },
  'command line': { options: built('CODING'), doing: (person) => person.press(':', 'a', 'tab') },
  paused: { options: paused(), doing: onTask },
};

describe.each(Object.entries(SITUATIONS))('%s', (name, { options, sizes = SIZES, asks: asked, doing }) => {
  test.each(sizes)('at %i x %i', async (columns, rows) => {
    const person = await personAt(options, [columns, rows], (fake) => {
      for (const { id } of fake.world().sessions.values()) if (asked !== undefined) fake.questions.set(id, asked);
    });
    await doing?.(person);
    const frame = person.frame();
    const lines = frame.split('\n');
    expect(lines).toHaveLength(rows);
    const path = `test/surfaces/tui/golden/${name.replaceAll(/[ ,]+/g, '-')}-${columns}x${rows}.txt`;
    if (process.env.UPDATE_GOLDEN) {
      mkdirSync('test/surfaces/tui/golden', { recursive: true });
      writeFileSync(path, `${frame}\n`);
    }
    expect(existsSync(path), `${path} exists`).toBe(true);
    expect(`${frame}\n`).toBe(readFileSync(path, 'utf8'));
  });
});

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
      text: [
        'diff --git a/src/longest.js b/src/longest.js',
        'new file mode 100644',
        '@@ -0,0 +1,3 @@',
        '+export function longest(text) {',
        "+  return text.split(' ').sort(byLength)[0];",
        '+}',
      ].join('\n'),
    },
  });
  person.press('c', ...'a tab is a gap too', 'enter');
  person.press('b');
}
