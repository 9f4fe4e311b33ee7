// Reading a plan file: which tasks are known, new or stale. And the chosen plan.
import { describe, expect, test } from 'vitest';
import { restoreWorld, storeWorld } from '../../../../src/core/journal/checkpoint-format.ts';
import { fold } from '../../../../src/core/journal/fold.ts';
import { LaunchedTexts } from '../../../../src/core/journal/launched-texts.ts';
import type { JournalRecord } from '../../../../src/core/model/record.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decide } from '../../../../src/core/rules/decide.ts';
import { losesTasks, readEvents, usableReading } from '../../../../src/core/rules/plan/outline.ts';
import { activePlan, viewTasks } from '../../../../src/core/views/plan.ts';
import type { PlanFile } from '../../../../src/plan/name.ts';
import {
  ENGINE,
  NOW,
  PLAN,
  read,
  register,
  taskAct,
  taskIn,
  USER,
  after as worldAfter,
  worldWith,
  worldWithTasks,
} from '../../../support/world.ts';

const DIG = '### Task 1: Dig\n\ndig here\n';
const POUR = '### Task 2: Pour\n\npour there\n';
const ROOF = '### Task 3: Roof\n\nroof above\n';
const HOUSE = `${DIG}\n${POUR}\n${ROOF}`;
const LATER = new Date('2026-02-03T04:05:06.000Z');

describe('reading a file for the first time', () => {
  test('adds its tasks as planned, each with its number as its id', () => {
    expect(show(worldWithTasks(HOUSE))).toEqual(['1 Dig: planned (1)', '2 Pour: planned (2)', '3 Roof: planned (3)']);
  });

  test('is recorded for the engine, with the texts of all tasks', () => {
    expect(recordOf(worldWith('ready'), HOUSE)).toMatchObject({
      by: 'engine',
      event: 'plan_read',
      plan: PLAN,
      phases: [{ number: 0, name: '', parallel: false }],
      tasks: [{ id: '1', address: '1', name: 'Dig', phase: 0, dependsOn: null, body: 'dig here' }, {}, {}],
      stale: [],
      texts: { 1: DIG, 2: POUR, 3: ROOF },
      moves: [],
    });
  });

  test('makes one task of a file without tasks: the whole file', () => {
    const text = '# A shed\n\nJust build it.\n';
    expect(show(worldWithTasks(text))).toEqual(['1 A shed: planned (1)']);
    expect(recordOf(worldWith('ready'), text)?.texts).toEqual({ 1: text });
  });

  test('is refused for an unregistered plan', () => {
    const decision = decide(worldWith('ready'), read(HOUSE, 'y.md' as PlanFile), NOW);
    expect(decision).toMatchObject({ kind: 'refused', code: 'unknown-plan', records: [] });
  });

  test('has no effect if the file is unusable', () => {
    const { outline } = read(HOUSE);
    expect(readEvents(PLAN, { kind: 'read', outline, problems: [] })).toEqual([read(HOUSE)]);
    expect(readEvents(PLAN, { kind: 'unusable', problems: [] })).toEqual([]);
    expect(readEvents(PLAN, { kind: 'missing' })).toEqual([]);
  });
});

describe('reading the same outline again', () => {
  test('changes nothing', () => {
    expect(decide(worldWithTasks(HOUSE), read(HOUSE), NOW)).toEqual({ kind: 'ignored', keep: false, records: [] });
  });

  test('changes nothing when tasks have moved or are stale', () => {
    const moved = worldWithTasks(HOUSE, { 1: 'done', 2: 'verifying' });
    expect(decide(moved, read(HOUSE), NOW).kind).toBe('ignored');
    const shorter = worldAfter(moved, read(DIG));
    expect(decide(shorter, read(DIG), NOW).kind).toBe('ignored');
  });

  test('changes nothing when only text outside the tasks has changed', () => {
    expect(decide(worldWithTasks(HOUSE), read(`# A house\n\n**Goal:** live in it\n\n${HOUSE}`), NOW).kind).toBe(
      'ignored',
    );
  });

  test('changes nothing in a restored world', () => {
    const stored = JSON.parse(JSON.stringify(storeWorld(worldWithTasks(HOUSE, { 1: 'done' }))));
    expect(decide(restoreWorld(stored), read(HOUSE), NOW).kind).toBe('ignored');
  });
});

describe('a file that is half saved', () => {
  const BUILDING = worldWithTasks(HOUSE, { 1: 'done', 2: 'implementing' });

  test.each(['# A house\n', '# A ho', 'Just prose.\n'])('changes nothing if it has no task heading: %j', (text) => {
    for (const world of [BUILDING, worldWithTasks(HOUSE), worldWithTasks(DIG)])
      expect(decide(world, read(text), NOW)).toEqual({ kind: 'ignored', keep: false, records: [] });
  });

  test('is a problem that is shown', () => {
    const reading = { kind: 'read', outline: read('# A house\n').outline, problems: [] } as const;
    expect(usableReading(planIn(BUILDING), reading)).toMatchObject({
      kind: 'unusable',
      problems: [{ code: 'tasks-gone', message: expect.stringContaining('3 tasks were read from it before') }],
    });
  });

  test('is used like any other if the plan never had tasks', () => {
    const shed = worldWithTasks('# A shed\n\nBuild it.\n');
    const edited = worldAfter(shed, read('# A shed\n\nBuild it well.\n'));
    expect(show(edited)).toEqual(['1 A shed: planned (1)']);
    expect(show(worldAfter(edited, read(DIG)))).toEqual(['1 Dig: planned (1~2)', '1~3 A shed: planned (1) stale']);
  });

  test('is used for a plan of one task that 0.1.0 read, which did not record what the task was', () => {
    const known = worldWithTasks('# A shed\n\nBuild it.\n');
    const { whole: _unknown, ...entry } = planIn(known);
    const old = { ...known, plans: new Map([[PLAN, entry]]) };
    expect(decide(old, read('# A shed\n\nBuild it well.\n'), NOW).kind).toBe('accepted');
  });

  test('waits if it has just lost tasks of a plan that is being built', () => {
    const shorter = { kind: 'read', outline: read(DIG).outline, problems: [] } as const;
    expect(losesTasks(planIn(BUILDING), shorter)).toBe(true);
    expect(usableReading(planIn(BUILDING), shorter)).toBe(shorter);
    expect(usableReading(planIn(BUILDING), { ...shorter, fresh: true })).toMatchObject({
      problems: [{ code: 'just-changed', message: expect.stringContaining('no longer has tasks 2, 3.') }],
    });
    const cut = {
      kind: 'read',
      outline: read(HOUSE.slice(0, HOUSE.indexOf('Roof') + 2)).outline,
      problems: [],
    } as const;
    expect(losesTasks(planIn(BUILDING), cut)).toBe(true);
    for (const text of [HOUSE, `${HOUSE}\n### Task 4: Door\n`, HOUSE.replace('dig here', 'dig there')]) {
      const same = { kind: 'read', outline: read(text).outline, problems: [] } as const;
      expect(losesTasks(planIn(BUILDING), same), text).toBe(false);
    }
    expect(losesTasks(planIn(worldWith('ready')), shorter)).toBe(false);
  });
});

describe('a known task', () => {
  test('keeps its state, its time and its id when another task is inserted before it', () => {
    const before = worldWithTasks(HOUSE, { 1: 'done', 2: 'implementing' });
    const moved = readLater(
      before,
      `### Task 1: Ask\n\n### Task 2: Dig\n\ndig here\n\n### Task 3: Pour\n\npour there\n`,
    );
    expect(show(moved)).toEqual([
      '1 Ask: planned (1~2)',
      '2 Dig: done (1)',
      '3 Pour: implementing (2)',
      '3~2 Roof: planned (3) stale',
    ]);
    expect(taskIn(moved, '2')).toMatchObject({ since: NOW.toISOString(), entered: taskIn(before, '1').entered });
    expect(taskIn(moved, '1').since).toBe(LATER.toISOString());
  });

  test('keeps its state when its name or its text changes', () => {
    const before = worldWithTasks(HOUSE, { 1: 'done', 2: 'implementing' });
    const renamed = readLater(before, HOUSE.replace('Dig\n', 'Dig deep\n').replace('pour there', 'pour here'));
    expect(show(renamed)).toEqual(['1 Dig deep: done (1)', '2 Pour: implementing (2)', '3 Roof: planned (3)']);
    expect(viewTasks(renamed, planIn(renamed)).map((task) => task.changed)).toEqual([true, true, false]);
  });

  test('does not pass its state to another task that takes its number', () => {
    const before = worldWithTasks(HOUSE, { 1: 'done' });
    expect(show(readLater(before, `### Task 1: Buy land\n\nask around\n\n${POUR}`))).toEqual([
      '1 Buy land: planned (1~2)',
      '2 Pour: planned (2)',
      '1~3 Dig: done (1) stale',
      '3 Roof: planned (3) stale',
    ]);
  });

  test('does not pass its state to another task with the same name', () => {
    const twice = '### Task 1: Tests\n\nof the walls\n\n### Task 2: Tests\n\nof the roof\n';
    const three = '### Task 1: Dig\n\n### Task 2: Tests\n\nof the walls\n\n### Task 3: Tests\n\nof the roof\n';
    expect(show(readLater(worldWithTasks(twice, { 1: 'done' }), three))).toEqual([
      '1 Dig: planned (1~2)',
      '2 Tests: done (1)',
      '3 Tests: planned (2)',
    ]);
  });

  test('is found by its present address, even if another task had that before', () => {
    const moved = worldAfter(
      worldWithTasks(`${DIG}\n${POUR}`),
      read('### Task 1: Pour\n\npour there\n\n### Task 2: Dig\n\ndig here\n'),
      taskAct('1', 'launch'),
    );
    expect(show(moved)).toEqual(['1 Pour: implementing (2)', '2 Dig: planned (1)']);
  });

  test('takes its phase and its dependencies from the file', () => {
    const phases =
      '## Phase 1: Ground\n\n### Task 1: Dig\n\ndig here\n\n## Phase 2: Walls (parallel)\n\n### Task 2: Pour\n**Depends on:** none\n';
    const moved = worldAfter(worldWithTasks(HOUSE), read(phases));
    expect(planIn(moved).phases).toEqual([
      { number: 1, name: 'Ground', parallel: false },
      { number: 2, name: 'Walls', parallel: true },
    ]);
    expect(taskIn(moved, '2')).toMatchObject({ phase: 1, dependsOn: [] });
  });
});

describe('a task that was removed from the file', () => {
  test('is stale and keeps everything else', () => {
    const gone = readLater(worldWithTasks(HOUSE, { 1: 'done', 2: 'verifying' }), DIG);
    expect(show(gone)).toEqual(['1 Dig: done (1)', '2 Pour: verifying (2) stale', '3 Roof: planned (3) stale']);
    expect(taskIn(gone, '2').since).toBe(NOW.toISOString());
  });

  test('is no longer stale when it comes back, and still has its state', () => {
    const back = worldAfter(readLater(worldWithTasks(HOUSE, { 1: 'done', 2: 'verifying' }), DIG), read(HOUSE));
    expect(show(back)).toEqual(['1 Dig: done (1)', '2 Pour: verifying (2)', '3 Roof: planned (3)']);
  });

  test('is recognised under another number', () => {
    const gone = worldAfter(worldWithTasks(HOUSE, { 1: 'done', 2: 'implementing' }), read(DIG));
    const back = worldAfter(gone, read(`${DIG}\n### Task 9: Pour\n\npour there\n`));
    expect(show(back)).toEqual(['1 Dig: done (1)', '9 Pour: implementing (2)', '3 Roof: planned (3) stale']);
  });

  test('never has an address that is the id of another task, or gets an id that is an address', () => {
    const texts = ['Dig', 'Pour', 'Roof', 'Dig', 'Paint', 'Pour', 'Buy'].map(
      (name) => `### Task 1: ${name}\n\n${name}!\n`,
    );
    let world = worldWithTasks('');
    for (const text of texts) {
      world = worldAfter(world, read(text));
      const { tasks } = planIn(world);
      for (const task of tasks.filter(({ stale }) => stale))
        for (const other of tasks)
          if (other !== task) expect([other.id, other.address], show(world).join()).not.toContain(task.address);
    }
  });

  test('gets another address when a task takes its number, as often as necessary', () => {
    const taken = (name: string): string => `### Task 1: ${name}\n\n${name}!\n`;
    const world = worldAfter(
      worldWithTasks(taken('Dig')),
      read(taken('Pour')),
      read(taken('Roof')),
      read(taken('Paint')),
    );
    expect(show(world)).toEqual([
      '1 Paint: planned (1~5)',
      '1~4 Roof: planned (1~4) stale',
      '1~2 Pour: planned (1~2) stale',
      '1~3 Dig: planned (1) stale',
    ]);
    expect(new Set(planIn(world).tasks.map((task) => task.address)).size).toBe(4);
  });

  test('never starts, and no task waits for it', () => {
    const world = worldAfter(worldWithTasks(HOUSE), read(`${POUR}\n${ROOF}`));
    expect(viewTasks(world, planIn(world))).toMatchObject([
      { task: '2', phase: 0, mayStart: true, blockedBy: [], stale: false },
      { task: '3', phase: 0, mayStart: false, blockedBy: ['2'], stale: false },
      { task: '1', phase: null, mayStart: false, blockedBy: [], stale: true },
    ]);
  });

  test('is not confused with a task in the file that has the same text', () => {
    const twins = '### Task 1: Dig\n\nx\n\n### Task 2: Dig\n\nx\n';
    const one = worldAfter(worldWithTasks(twins, { 1: 'done' }), read('### Task 2: Dig\n\nx\n'));
    expect(show(one)).toEqual(['2 Dig: planned (2)', '1 Dig: done (1) stale']);
    expect(show(worldAfter(one, read(twins)))).toEqual(['1 Dig: done (1)', '2 Dig: planned (2)']);
  });
});

describe('texts', () => {
  test('are recorded only for new and changed tasks', () => {
    const changed = `${DIG}\n${POUR.replace('there', 'here')}\n### Task 3: Paint\n\npaint\n`;
    expect(recordOf(worldWithTasks(HOUSE), changed)?.texts).toEqual({
      2: POUR.replace('there', 'here'),
      '3~2': '### Task 3: Paint\n\npaint\n',
    });
  });

  test('are not recorded for tasks that only got another number', () => {
    expect(recordOf(worldWithTasks(HOUSE), HOUSE.replace('Task 3', 'Task 8'))?.texts).toEqual({});
  });

  test('are those of the launch, or before a launch those that were last read', () => {
    const start = worldWith('implementing');
    const records: JournalRecord[] = [];
    let world: World = start;
    const first = '### Task 1: Dig\n\nold\n\n### Task 2: Pour\n\nold\n';
    const second = first.replaceAll('old', 'new');
    for (const event of [read(first), taskAct('1', 'launch'), read(second)]) {
      const decision = decide(world, event, NOW);
      records.push(...decision.records);
      world = fold(world, decision.records);
    }
    expect([...new LaunchedTexts().take(records).of(PLAN)]).toEqual([
      ['1', '### Task 1: Dig\n\nold\n'],
      ['2', '### Task 2: Pour\n\nnew\n'],
    ]);
    expect([...new LaunchedTexts().take(records).of('y.md' as PlanFile)]).toEqual([]);
  });
});

describe('the plan to work on', () => {
  const two = worldAfter(worldWith('ready'), register('y.md'));
  const [x, y] = [PLAN, 'y.md' as PlanFile];

  test('is the one that was changed last, until a person chooses', () => {
    expect(activePlan(two, [y, x])).toBe('y.md');
    expect(activePlan(worldAfter(two, { kind: 'choose', plan: x, by: USER }), [y, x])).toBe('x.md');
    expect(activePlan(two, [])).toBeUndefined();
  });

  test('is again the one that was changed last when the choice is undone', () => {
    const world = worldAfter(two, { kind: 'choose', plan: x, by: USER }, { kind: 'choose', plan: null, by: USER });
    expect(world.chosen).toBeUndefined();
    expect(activePlan(world, [y, x])).toBe('y.md');
  });

  test.each([ENGINE, { who: 'agent', role: 'planner' } as const])('is not chosen by $who', (by) => {
    expect(decide(two, { kind: 'choose', plan: x, by }, NOW)).toMatchObject({ kind: 'refused', code: 'source' });
  });

  test('has to be registered', () => {
    const event = { kind: 'choose', plan: 'z.md' as PlanFile, by: USER } as const;
    expect(decide(two, event, NOW)).toMatchObject({ kind: 'refused', code: 'unknown-plan' });
  });

  test('is chosen once: the same choice again is ignored', () => {
    expect(decide(two, { kind: 'choose', plan: null, by: USER }, NOW).kind).toBe('ignored');
    const chosen = worldAfter(two, { kind: 'choose', plan: x, by: USER });
    expect(decide(chosen, { kind: 'choose', plan: x, by: USER }, NOW).kind).toBe('ignored');
  });
});

test('a world with tasks and a chosen plan is restored as it was stored', () => {
  const world = worldAfter(
    worldWithTasks(HOUSE, { 1: 'done', 2: 'verifying' }),
    read(`${DIG}\n${POUR}`),
    taskAct('2', 'revert'),
    { kind: 'choose', plan: PLAN, by: USER },
  );
  expect(restoreWorld(JSON.parse(JSON.stringify(storeWorld(world))))).toEqual(world);
  expect(taskIn(world, '2').held).toBe(true);
  expect(taskIn(world, '3').stale).toBe(true);
});

function planIn(world: World) {
  const entry = world.plans.get(PLAN);
  if (entry === undefined) throw new Error('The plan is gone.');
  return entry;
}

/** One line per task: address, name, state and permanent id. */
function show(world: World): readonly string[] {
  return planIn(world).tasks.map(
    ({ address, name, state, id, stale }) => `${address} ${name}: ${state} (${id})${stale ? ' stale' : ''}`,
  );
}

function readLater(world: World, text: string): World {
  return fold(world, decide(world, read(text), LATER).records);
}

function recordOf(world: World, text: string) {
  const [record] = decide(world, read(text), NOW).records;
  return record?.event === 'plan_read' ? record : undefined;
}
