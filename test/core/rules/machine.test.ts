// The machine that sessions, runs and their effects belong to.
import { expect, test } from 'vitest';
import { restoreWorld, storeWorld } from '../../../src/core/journal/checkpoint-format.ts';
import { LOCAL_MACHINE, machineOf } from '../../../src/core/model/ids.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import type { World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import type { Policy } from '../../../src/core/settings/policy.ts';
import { act, at, going, HUMAN, planIn, result, runIn, says, settled } from '../../support/runs.ts';
import { NOW, newSession, sessionIn, USER } from '../../support/world.ts';

const FORGE: Policy = { ...HUMAN, machine: 'forge' };
const MOVED = { kind: 'policy', policy: { ...HUMAN, machine: 'mill' } } as const;

test('a policy that names no machine leaves every record as it was before machines had names', () => {
  const world = at('DONE');
  expect(JSON.stringify(storeWorld(world))).not.toContain('"machine"');
  expect(machineOf(runIn(at('CODING')))).toBe(LOCAL_MACHINE);
});

test('a run, its sessions and all their effects are on the machine on which the run was launched', () => {
  const launched = going(FORGE);
  const coding = settled(launched, result(launched, { of: 'worktree', base: 'b0' }));
  expect(runIn(coding).machine).toBe('forge');
  expect(machinesOf(coding)).toEqual(new Set(['forge']));
  const { records } = decideAll(settled(coding, MOVED), [says(coding, 'plan-submitted'), act('approve')], NOW);
  expect(effectsOf(records)).toEqual(['stop-session forge', 'start-session forge']);
  const taken = decideAll(settled(coding, MOVED), [act('revert')], NOW);
  expect(effectsOf(taken.records)).toEqual(['stop-session forge', 'keep forge']);
});

test('a reviewer of a plan that follows another in its place starts on the same machine', () => {
  const world = settled(at('DONE', FORGE), MOVED);
  const session = planIn(world).work?.session?.id ?? '';
  expect(sessionIn(world, session).machine).toBe('forge');
  const { records } = decideAll(
    world,
    [{ kind: 'session-news', session: sessionIn(world, session).id, news: { kind: 'failed', why: '' } }],
    NOW,
  );
  expect(effectsOf(records)).toEqual(['start-session forge']);
});

test('a session of a person starts where the policy says, and stays there when it is resumed', () => {
  const world = settled(going(FORGE), newSession());
  const { id } = [...world.sessions.values()].at(-1) ?? { id: '' };
  expect(sessionIn(world, id).machine).toBe('forge');
  const resumed = decideAll(
    settled(world, MOVED),
    [{ kind: 'session-resume', by: USER, session: id, prompt: '' }],
    NOW,
  );
  expect(effectsOf(resumed.records)).toEqual(['start-session forge']);
  const elsewhere = decideAll(settled(world, MOVED), [newSession()], NOW);
  expect(effectsOf(elsewhere.records)).toEqual(['start-session mill']);
});

test('a world with machines survives being stored', () => {
  const world = at('CODING', FORGE);
  expect(restoreWorld(JSON.parse(JSON.stringify(storeWorld(world))))).toEqual(world);
});

function machinesOf({ sessions, outbox }: World): ReadonlySet<string> {
  const effects = [...outbox.values()].map((effect) => machineOf('machine' in effect ? effect : {}));
  return new Set([...[...sessions.values()].map(machineOf), ...effects]);
}

function effectsOf(records: readonly JournalRecord[]): readonly string[] {
  return records.flatMap(({ effects = [] }) =>
    effects.map((effect) => `${effect.do} ${'machine' in effect ? effect.machine : 'none'}`),
  );
}
