// plan-state.json as text: reading it, finding unrecorded edits, and writing it back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_PLAN_STATE,
  type PlanStateFile,
  planStateTexts,
  projectPlanState,
  readPlanStateFile,
  unrecordedEdits,
} from '../../../src/core/files/plan-state.ts';
import { projectStateFile, readStateFile } from '../../../src/core/files/state-file.ts';
import { restoreWorld, storeWorld } from '../../../src/core/journal/checkpoint-format.ts';
import { fold } from '../../../src/core/journal/fold.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import { decide, decideAll } from '../../../src/core/rules/decide.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { readJson } from '../../../src/text/json-text.ts';
import { after, move, NOW, PLAN, register, signal, USER, worldWith } from '../../support/world.ts';

test('the file has every plan with its status and the fields that people read', () => {
  const { text } = projectPlanState(worldWith('implementing'), NO_PLAN_STATE);
  expect(JSON.parse(text)).toEqual({
    topics: {},
    plans: {
      'x.md': { status: 'implementing', description: '', branch: 'plan/x', topic: '', created_at: NOW.toISOString() },
    },
  });
});

test('a written file has no unrecorded edits', () => {
  for (const state of ['ready', 'reviewing', 'done', 'cancelled'] as const) {
    const world = worldWith(state);
    expect(unrecordedEdits(world, good(projectPlanState(world, NO_PLAN_STATE).text))).toEqual([]);
  }
});

test('what is remembered of a written file gives the same text as reading it again', () => {
  const world = after(worldWith('reviewing'), register('y.md'));
  const odd = good(
    '{"note":{"a":[1]},"topics":{"t":{}},"plans":{"not a plan":7,"x.md":{"status":"ready","owner":"me"}}}',
  );
  const { text, file } = projectPlanState(world, odd);
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  expect(projectPlanState(world, file).text).toBe(text);
  expect(projectPlanState(world, good(text)).text).toBe(text);
  const statuses = (one: PlanStateFile) => [...one.plans].map(([plan, { status }]) => [plan, status]);
  expect(statuses(file)).toEqual(statuses(good(text)));
});

test('unknown keys survive at every level', () => {
  const foreign = {
    note: 'mine',
    topics: { search: { colour: 'red' } },
    plans: { 'x.md': { status: 'ready', owner: 'me', __proto__x: 1 }, 'not a plan': 7, 'y.md': { status: 'paused' } },
  };
  const world = importAll(EMPTY_WORLD, good(JSON.stringify(foreign)));
  const moved = after(world, move('plan_start'));
  const written = JSON.parse(projectPlanState(moved, good(JSON.stringify(foreign))).text);
  expect(written).toMatchObject({
    ...foreign,
    plans: { ...foreign.plans, 'x.md': { status: 'planning', owner: 'me' } },
  });
});

test('a lost file can be rebuilt from the journal, including unknown keys', () => {
  const foreign = { note: 'mine', topics: { a: 1 }, plans: { 'x.md': { status: 'done', owner: 'me' } } };
  const world = importAll(EMPTY_WORLD, good(JSON.stringify(foreign)));
  expect(JSON.parse(projectPlanState(world, NO_PLAN_STATE).text)).toMatchObject(foreign);
});

test('the older flat form and older statuses are read, and written in the present form', () => {
  const flat = {
    'a.md': { status: 'in_progress', description: 'd' },
    'b.md': 'completed',
    'c.md': { status: 'finished' },
  };
  const file = good(JSON.stringify(flat));
  const world = importAll(EMPTY_WORLD, file);
  const written = JSON.parse(projectPlanState(world, file).text);
  expect(Object.keys(written)).toEqual(['topics', 'plans']);
  expect(written.plans).toMatchObject({
    'a.md': { status: 'implementing', description: 'd' },
    'b.md': { status: 'done' },
    'c.md': { status: 'done' },
  });
});

test('entries that cadre does not understand are named and kept', () => {
  const file = good('{"plans":{"../x.md":{"status":"ready"},"y.md":{"status":"paused"},"z.md":{}}}');
  expect(file.oddities).toHaveLength(3);
  expect(unrecordedEdits(EMPTY_WORLD, file)).toEqual([]);
});

test('a status that differs is recorded, and the journal counts', () => {
  const text = projectPlanState(worldWith('ready'), NO_PLAN_STATE).text.replace('"ready"', '"done"');
  const news = unrecordedEdits(worldWith('ready'), good(text));
  expect(news).toEqual([{ kind: 'differ', plan: PLAN, fileStatus: 'done' }]);
  const noted = after(worldWith('ready'), ...news);
  expect(noted.plans.get(PLAN)).toMatchObject({ status: 'ready', difference: { status: 'done' } });
  expect(decide(noted, news[0] as never, NOW).kind).toBe('ignored');
});

test('a description edited by hand is recorded', () => {
  const text = projectPlanState(worldWith('ready'), NO_PLAN_STATE).text.replace(
    '"description": ""',
    '"description": "new"',
  );
  const known = after(worldWith('ready'), ...unrecordedEdits(worldWith('ready'), good(text)));
  expect(known.plans.get(PLAN)?.description).toBe('new');
});

test('a person can adopt the status of the file, an agent cannot, and without a difference nobody can', () => {
  const noted = after(worldWith('ready'), { kind: 'differ', plan: PLAN, fileStatus: 'done' });
  const adopted = after(noted, { kind: 'adopt', plan: PLAN, by: USER });
  expect(adopted.plans.get(PLAN)?.status).toBe('done');
  expect(adopted.plans.get(PLAN)?.difference).toBeUndefined();
  const byAgent = decide(noted, { kind: 'adopt', plan: PLAN, by: { who: 'agent', role: 'planner' } }, NOW);
  expect(byAgent).toMatchObject({ kind: 'refused', code: 'source' });
  const agreed = decide(worldWith('ready'), { kind: 'adopt', plan: PLAN, by: USER, fileStatus: 'ready' }, NOW);
  expect(agreed).toMatchObject({ kind: 'refused', code: 'no-difference' });
});

test('a move settles a difference', () => {
  const noted = after(worldWith('ready'), { kind: 'differ', plan: PLAN, fileStatus: 'done' }, move('plan_start'));
  expect(noted.plans.get(PLAN)?.difference).toBeUndefined();
});

describe('a file that cannot be used', () => {
  const valid = projectPlanState(after(worldWith('reviewing'), register('y.md')), NO_PLAN_STATE).text;

  test('is reported as truncated wherever it was cut off', () => {
    for (let length = 1; length < valid.trimEnd().length; length++)
      expect(readPlanStateFile(valid.slice(0, length)), `cut at ${length}`).toMatchObject({ kind: 'bad' });
  });

  test.each([
    ['merge', '<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> other\n', 2],
    ['diff3', '<<<<<<< HEAD\n"a": 1\n||||||| base\n"a": 0\n=======\n"a": 2\n>>>>>>> other\n', 2],
    ['zdiff3 with CRLF', '<<<<<<< HEAD\r\n||||||| 1234\r\n=======\r\n>>>>>>> x\r\n', 2],
  ])('is reported as a git conflict of the %s style, with its line', (_style, markers, line) => {
    const text = valid.replace('{\n', `{\n${markers}`);
    expect(readPlanStateFile(text)).toMatchObject({
      kind: 'bad',
      code: 'conflict',
      why: `it has a git conflict at line ${line}`,
    });
  });

  test.each([
    ['empty', '', 'empty'],
    ['NUL bytes', '\0'.repeat(100), 'nul'],
    ['text that is not JSON', 'hello', 'not-json'],
    ['an array', '[]', 'shape'],
    ['plans that are a list', '{"plans":[]}', 'shape'],
    ['a newer version', '{"version":2,"plans":{}}', 'newer'],
    ['a duplicate key', '{"plans":{"x.md":{"status":"ready"},"x.md":{"status":"done"}}}', 'duplicate-key'],
    ['a million brackets', '['.repeat(1_000_000), 'too-deep'],
    ['more than 32 MB', ' '.repeat(33 * 1024 * 1024), 'too-large'],
  ])('is reported for %s', (_what, text, code) => {
    expect(readPlanStateFile(text)).toMatchObject({ kind: 'bad', code });
  });
});

test('reading JSON agrees with JSON.parse wherever that accepts a document without repeated keys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(readJson(JSON.stringify(value, null, 1))).toEqual({
        kind: 'value',
        value: JSON.parse(JSON.stringify(value)),
      });
    }),
  );
});

describe('10,000 changes to the text of a valid file', () => {
  const world = after(worldWith('reviewing'), register('y.md'), register('z.md'));
  const valid = projectPlanState(world, NO_PLAN_STATE).text;
  const conflict = fc.constantFrom('<<<<<<< HEAD\n', '||||||| base\n', '=======\n', '>>>>>>> theirs\n');
  const inserted = fc.oneof(
    conflict,
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('"x.md": {}, ', '"status": "done", ', '['.repeat(100), '\0\0\0', '"__proto__": {"a": 1}, '),
  );
  const edits = fc.record({ at: fc.nat(valid.length), cut: fc.nat(40), put: inserted });

  test('are reported with a sentence or imported as an edit, and never lose a plan or its status', () => {
    let bad = 0;
    let taken = 0;
    fc.assert(
      fc.property(edits, ({ at, cut, put }) => {
        const read = readPlanStateFile(valid.slice(0, at) + put + valid.slice(at + cut));
        if (read.kind === 'bad') {
          bad += 1;
          expect(read.why).toMatch(/^\P{C}+$/u);
          return;
        }
        taken += 1;
        const known = fold(
          world,
          unrecordedEdits(world, read.file).flatMap((news) => decide(world, news, NOW).records),
        );
        for (const [plan, entry] of world.plans) expect(known.plans.get(plan)?.status).toBe(entry.status);
        const written = good(projectPlanState(known, read.file).text);
        for (const [plan, entry] of world.plans) expect(written.plans.get(plan)?.status).toBe(entry.status);
      }),
      { numRuns: 10_000 },
    );
    expect(Math.min(bad, taken), 'too few of either kind to show anything').toBeGreaterThan(300);
  });
});

test('a projection that keeps texts from the one before writes the same file', () => {
  const names = fc.integer({ min: 0, max: 199 }).map((number) => `p${number}.md` as PlanFile);
  const texts = planStateTexts();
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.boolean()), { maxLength: 200 }), (changes) => {
      let world = EMPTY_WORLD;
      for (const [plan, isDone] of changes) {
        const events = [register(plan), move('plan_start', USER, plan), move('planner_finished', USER, plan)];
        world = decideAll(world, isDone ? events : events.slice(0, 2), NOW).world;
        const kept = projectPlanState(world, NO_PLAN_STATE, texts);
        expect(kept.text === projectPlanState(world, NO_PLAN_STATE).text).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
});

test('state.json keeps its content, accepts files without plans, and marks the active plan', () => {
  const read = readStateFile('{"help_screens_seen":3,"instances":[1]}');
  if (read.kind === 'bad') throw new Error(read.why);
  const text = projectStateFile(
    read.document,
    '/r/docs/plans',
    after(EMPTY_WORLD, register('a.md'), register('b.md')),
    'b.md' as PlanFile,
  );
  expect(JSON.parse(text)).toEqual({
    help_screens_seen: 3,
    instances: [1],
    plans: { '/r/docs/plans/a.md': { tasks: {}, active: false }, '/r/docs/plans/b.md': { tasks: {}, active: true } },
  });
});

test('state.json keeps the tasks and keys of a plan, and the plans of other repositories', () => {
  const before = {
    plans: {
      '/r/docs/plans/a.md': { active: true, tasks: { 1: { phase: 'done' } }, x: 1 },
      '/s/p.md': { active: true },
    },
  };
  const text = projectStateFile(before, '/r/docs/plans', after(EMPTY_WORLD, register('a.md')), undefined);
  expect(JSON.parse(text)).toEqual({
    plans: {
      '/r/docs/plans/a.md': { active: false, tasks: { 1: { phase: 'done' } }, x: 1 },
      '/s/p.md': { active: true },
    },
  });
});

test('a world stored and restored is the same world', () => {
  const refused = decide(worldWith('planning'), signal({ name: 'nonsense' }), NOW);
  const world = after(fold(worldWith('planning'), refused.records), signal({ name: 'planner-finished' }));
  expect(restoreWorld(JSON.parse(JSON.stringify(storeWorld(world))))).toEqual(world);
});

function good(text: string): PlanStateFile {
  const read = readPlanStateFile(text);
  if (read.kind === 'bad') throw new Error(read.why);
  return read.file;
}

function importAll(world: World, file: PlanStateFile): World {
  return after(world, ...unrecordedEdits(world, file));
}
