// The archive: which plans can be retired, by whom, and what an archived plan still accepts.
import { describe, expect, test } from 'vitest';
import { projectPlanState, readPlanStateFile, unrecordedEdits } from '../../../../src/core/files/plan-state.ts';
import { NO_WORK } from '../../../../src/core/journal/fold-run.ts';
import type { By, Event } from '../../../../src/core/model/event.ts';
import { EMPTY_WORLD, type World } from '../../../../src/core/model/world.ts';
import { decide } from '../../../../src/core/rules/decide.ts';
import { viewPlanRow } from '../../../../src/core/views/plan.ts';
import { openQuestions } from '../../../../src/core/views/questions.ts';
import { type PlanState, planMachine } from '../../../../src/machines/plan.ts';
import { move, NOW, PLAN, register, USER, after as worldAfter, worldWith } from '../../../support/world.ts';

function archive(by: By = USER): Event {
  return { kind: 'archive', plan: PLAN, by };
}

function unarchive(planFileExists = false, by: By = USER): Event {
  return { kind: 'unarchive', plan: PLAN, by, planFileExists };
}

const DONE = worldWith('done');
const ARCHIVED = worldAfter(DONE, archive());

describe('a plan can be archived', () => {
  test.each(Object.keys(planMachine.table) as PlanState[])('in the state %s only if it is final', (state) => {
    const decision = decide(worldWith(state), archive(), NOW);
    expect(decision.kind).toBe(planMachine.final.includes(state) ? 'accepted' : 'refused');
    if (decision.kind === 'refused') {
      expect(decision.why).toBe(`x.md is ${state}; only a plan that is done or cancelled can be archived.`);
      expect(decision.try.map((one) => one.do)).toContain('cancel');
    }
  });

  test('by a person, and by nobody else', () => {
    for (const by of [{ who: 'engine' }, { who: 'agent', role: 'planner' }] as const) {
      expect(decide(DONE, archive(by), NOW)).toMatchObject({ kind: 'refused', code: 'user-only' });
      expect(decide(ARCHIVED, unarchive(false, by), NOW)).toMatchObject({ kind: 'refused', code: 'user-only' });
    }
  });

  test('with its files: the record holds the effect that moves them', () => {
    const [record] = decide(DONE, archive(), NOW).records;
    expect(record).toMatchObject({ event: 'archived', effects: [{ do: 'archive-plan', plan: PLAN }] });
  });

  test('not twice', () => {
    expect(decide(ARCHIVED, archive(), NOW)).toMatchObject({ kind: 'refused', why: 'x.md is already archived.' });
  });

  test('only when it has landed', () => {
    const entry = DONE.plans.get(PLAN);
    if (entry === undefined) throw new Error('no plan');
    const landed = { ok: false, text: 'conflict', at: NOW.toISOString() };
    const work = { ...NO_WORK, landed };
    const world: World = { ...DONE, plans: new Map([[PLAN, { ...entry, work }]]) };
    expect(decide(world, archive(), NOW)).toMatchObject({
      kind: 'refused',
      why: 'x.md is done but has not landed: land it, or cancel it.',
    });
  });

  test('only when nothing is left to be done for it', () => {
    const outbox = new Map([['e9.0', { id: 'e9.0', do: 'land', plan: PLAN, tip: null } as const]]);
    expect(decide({ ...DONE, outbox }, archive(), NOW)).toMatchObject({ kind: 'refused', code: 'state' });
  });
});

describe('an archived plan', () => {
  test('keeps its state, and accepts nothing but to be brought back', () => {
    const events: readonly Event[] = [
      ...(['start_over', 'cancel', 'plan_start', 'implement_start'] as const).map((event) => move(event)),
      { kind: 'run', plan: PLAN, by: USER },
      { kind: 'choose', plan: PLAN, by: USER },
      { kind: 'adopt', plan: PLAN, by: USER, fileStatus: 'ready' },
      { kind: 'workshop-open', plan: PLAN, by: USER, brief: 'again', from: 'c' },
    ];
    for (const event of events) {
      const decision = decide(ARCHIVED, event, NOW);
      expect(decision, JSON.stringify(event)).toMatchObject({
        kind: 'refused',
        why: 'x.md is archived. Bring it back first.',
        try: [{ do: 'plan-unarchive', on: 'x' }],
      });
    }
    expect(ARCHIVED.plans.get(PLAN)?.status).toBe('done');
  });

  test('keeps its name', () => {
    expect(decide(ARCHIVED, register(PLAN), NOW)).toMatchObject({ kind: 'refused', code: 'already-known' });
  });

  test('is no longer the active plan', () => {
    const chosen = worldAfter(DONE, { kind: 'choose', plan: PLAN, by: USER });
    expect(worldAfter(chosen, archive()).chosen).toBeUndefined();
  });

  test('waits for nobody and asks nothing', () => {
    const entry = ARCHIVED.plans.get(PLAN);
    if (entry === undefined) throw new Error('no plan');
    expect(viewPlanRow(ARCHIVED, entry)).toMatchObject({ owner: null, archived: NOW.toISOString() });
    expect(openQuestions(ARCHIVED)).toEqual([]);
  });

  test('comes back as it was', () => {
    const back = worldAfter(ARCHIVED, unarchive());
    expect(back.plans.get(PLAN)).toEqual(DONE.plans.get(PLAN));
    expect(decide(back, move('start_over'), NOW).kind).toBe('accepted');
    expect(decide(back, unarchive(), NOW)).toMatchObject({ kind: 'refused', why: 'x.md is not archived; it is done.' });
  });

  test('does not replace a file that has its name by now', () => {
    expect(decide(ARCHIVED, unarchive(true), NOW)).toMatchObject({ kind: 'refused', code: 'edited' });
  });
});

describe('plan-state.json', () => {
  const { text } = projectPlanState(ARCHIVED, { document: {}, plans: new Map(), oddities: [] });
  const read = readPlanStateFile(text);
  if (read.kind !== 'good') throw new Error(read.why);

  test('keeps the entry, from which another clone knows that the plan is archived', () => {
    const elsewhere = worldAfter(EMPTY_WORLD, ...unrecordedEdits(EMPTY_WORLD, read.file));
    expect(elsewhere.plans.get(PLAN)).toMatchObject({ status: 'done', archived: NOW.toISOString() });
    expect(unrecordedEdits(ARCHIVED, read.file)).toEqual([]);
  });

  test('cannot be edited to archive a plan or to bring it back', () => {
    expect(unrecordedEdits(DONE, read.file)).toEqual([]);
    const fields = { description: 'new', branch: 'b', topic: '', createdAt: '', archived: 'now', extra: {} };
    const described = worldAfter(DONE, { kind: 'describe', plan: PLAN, fields });
    expect(described.plans.get(PLAN)).toMatchObject({ description: 'new' });
    expect(described.plans.get(PLAN)?.archived).toBeUndefined();
  });
});
