// Situations to be shown: real worlds, read through the app, as a person at a terminal would find them.
import { type App, createApp } from '../../../src/app/app.ts';
import type { ShownChanges } from '../../../src/app/ports.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import { type TuiMessage, update } from '../../../src/surfaces/tui/keys/update.ts';
import type { Command } from '../../../src/surfaces/tui/model/commands.ts';
import { type Model, startModel } from '../../../src/surfaces/tui/model/model.ts';
import { rowsOf } from '../../../src/surfaces/tui/model/rows.ts';
import { windowOf } from '../../../src/surfaces/tui/model/selection.ts';
import { NOTHING_READ, type Snapshot } from '../../../src/surfaces/tui/model/snapshot.ts';
import { readWindow } from '../../../src/surfaces/tui/reading.ts';
import { frameText, view } from '../../../src/surfaces/tui/view/frame.ts';
import { type Fake, type FakeOptions, fakeApp } from '../../support/app.ts';
import { sessionNews } from '../../support/world.ts';

export const PLAN_TEXT = `# Measures

**Goal:** Count things in texts, and say how long reading them takes.

## Phase 1: Counting

### Task 1: Count words

**Files:**
- Create: \`src/words.js\`
- Modify: \`src/measures.js:1-9\`

**Step 1:** Write the tests, then the measure

### Task 2: Count 日本語 sentences

Two columns for each letter.

## Phase 2: Output

### Task 3: List the measures by name, in the order in which the file has them

List them.
`;

/** The program of every session that was started is running. */
export function allUp(world: World): readonly Event[] {
  return [...world.sessions.values()]
    .filter(({ up, ended, failure }) => up === undefined && ended === undefined && failure === undefined)
    .map(({ id }) => sessionNews(id, { kind: 'up' }));
}

export interface Person {
  readonly fake: Fake;
  readonly app: App;
  /** What the keys have asked for, and nobody has done. */
  readonly commands: readonly Command[];
  readonly model: Model;
  readonly snapshot: Snapshot;
  press(...keys: readonly string[]): void;
  paste(text: string): void;
  /** What comes from outside: a result, a warning, a click. */
  hear(message: TuiMessage): void;
  /** As the loop does: reads everything again. */
  look(): Promise<void>;
  /** Facts that no app in memory has. */
  know(facts: Partial<Snapshot>): void;
  resize(columns: number, rows: number): void;
  frame(): string;
}

/** Nothing was committed anywhere. */
export const NO_BRANCHES: ShownChanges = {
  colour: 'never',
  ofRun: async () => undefined,
  ofPlan: async () => undefined,
  ofBranch: async () => undefined,
  between: async (from, to) => ({ from, to, merged: false }),
  commits: async () => [],
  files: async () => [],
  text: async () => '',
  command: async () => ({ argv: [], env: {} }),
};

/** A person in front of the interface; nothing that the keys ask for is done. */
export async function personAt(
  options: FakeOptions,
  [columns, rows]: readonly [number, number] = [120, 40],
  prepare: (fake: Fake) => void = () => undefined,
  start: Partial<Model> = {},
): Promise<Person> {
  const fake = fakeApp({ world: EMPTY_WORLD, ...options });
  prepare(fake);
  const app = createApp({ ...fake.ports, changes: async () => NO_BRANCHES });
  const commands: Command[] = [];
  let model: Model = { ...startModel({ columns, rows }), ...start };
  let snapshot: Snapshot = { ...NOTHING_READ, now: fake.ports.clock.now().getTime() };
  const send = (message: TuiMessage): void => {
    const step = update(model, message, snapshot);
    model = step.model;
    commands.push(...step.commands);
  };
  const person: Person = {
    fake,
    app,
    commands,
    get model() {
      return model;
    },
    get snapshot() {
      return snapshot;
    },
    press(...keys) {
      for (const name of keys) send({ kind: 'key', name });
    },
    paste: (text) => send({ kind: 'paste', text }),
    hear: send,
    async look() {
      const read = async (): Promise<void> => {
        const { world: _world, ...facts } = await app.overview(model.plan);
        snapshot = { ...snapshot, ...facts };
        send({ kind: 'read' });
      };
      const before = model.plan;
      await read();
      if (model.plan !== before) await read();
      const wanted = windowOf(model, snapshot, rowsOf(model, snapshot));
      const window = wanted === undefined ? null : await readWindow(app, wanted);
      snapshot = { ...snapshot, window };
    },
    know(facts) {
      snapshot = { ...snapshot, ...facts };
    },
    resize: (wide, high) => send({ kind: 'resized', size: { columns: wide, rows: high } }),
    frame() {
      const frame = view(model, snapshot);
      model = { ...model, scrollEnd: frame.scrollEnd };
      return frameText(frame);
    },
  };
  await person.look();
  return person;
}
