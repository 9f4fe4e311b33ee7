// When plan-state.json is written, and when it is left to a person.
import { describe, expect, test } from 'vitest';
import { NO_PLAN_STATE, projectPlanState } from '../../src/core/files/plan-state.ts';
import { EMPTY_WORLD, type World } from '../../src/core/model/world.ts';
import type { PlanStateStore } from '../../src/core/ports/plan-state.ts';
import { decideAll } from '../../src/core/rules/decide.ts';
import { type FileLock, planStateProjection } from '../../src/engine/projection.ts';
import { NOW, register } from '../support/world.ts';

const WORLD: World = decideAll(EMPTY_WORLD, [register('a.md')], NOW).world;
const TEXT = projectPlanState(WORLD, NO_PLAN_STATE).text;
const held = (isOurs = true): FileLock => ({
  kind: 'held',
  lock: { stillOurs: () => isOurs, release: () => undefined },
});

interface Fake {
  readonly text?: string;
  readonly everWritten?: boolean;
  readonly isFresh?: boolean;
}

function projection({ text, everWritten = true, isFresh = false }: Fake) {
  const done: string[] = [];
  const store: PlanStateStore = {
    path: '/plans/plan-state.json',
    read: () => (text === undefined ? undefined : { text, ours: true }),
    isOurs: () => text === undefined,
    everWritten: () => everWritten,
    write: (_text, seq) => void done.push(`written from ${seq}`),
    writtenUpTo: () => 0,
    isFresh: () => isFresh,
    setAside: () => {
      done.push('set aside');
      return 'plan-state.json.1';
    },
  };
  const locks = { take: async () => held(), tryTake: async () => undefined, holder: () => undefined };
  return { done, ...planStateProjection(store, locks as never, '/plans/.plan-state.lock') };
}

describe('plan-state.json', () => {
  test('that is behind is written', () => {
    const { done, read, write } = projection({});
    expect(write(WORLD, read(), held(), [])).toEqual([]);
    expect(done).toEqual([`written from ${WORLD.seq}`]);
  });

  test('that says the same as the journal is left as it is', () => {
    const { done, read, write, agreesWith } = projection({ text: TEXT });
    expect([agreesWith(WORLD), write(WORLD, read(), held(), [])]).toEqual([true, []]);
    expect(done).toEqual([]);
  });

  test('is not written without its lock, nor with one that somebody deleted', () => {
    const { done, read, write } = projection({});
    expect(write(WORLD, read(), { kind: 'not-held', why: 'An editor has it.' }, [])[0]).toContain('An editor has it.');
    expect(write(WORLD, read(), held(false), [])[0]).toContain('was deleted while cadre held it');
    expect(done).toEqual([]);
  });

  test('that cannot be read is rebuilt, and kept, if cadre has written it before', () => {
    const { done, read, write } = projection({ text: '{"half' });
    expect(write(WORLD, read(), held(), [])[0]).toContain('It was rebuilt from the journal');
    expect(done).toEqual(['set aside', `written from ${WORLD.seq}`]);
  });

  test('that cannot be read and was never cadre’s is left to a person', () => {
    const { done, read, write, problem } = projection({ text: '{"half', everWritten: false });
    expect(write(WORLD, read(), held(), [])[0]).toContain('cannot be used');
    expect([problem()?.includes('cannot be used'), done]).toEqual([true, []]);
  });

  test('that cannot be read has a moment in which somebody may still be writing it', () => {
    expect(projection({ text: '{"half', isFresh: true }).agreesWith(WORLD)).toBe(true);
    expect(projection({ text: '{"half' }).agreesWith(WORLD)).toBe(false);
  });
});
