// What an effect warns of is recorded together with its result, and once, even if the effect fails and is retried.
import { expect, test } from 'vitest';
import { Failure } from '../../../src/core/model/failure.ts';
import { LOCAL_MACHINE } from '../../../src/core/model/ids.ts';
import { EffectRunner } from '../../../src/engine/effects/runner.ts';
import { SimulatedRuns } from '../../simulation/simulated-runs.ts';
import { memoryGateway } from '../../support/memory-gateway.ts';
import { NO_PLANNING, NO_QUARANTINE, NO_RUNS, NO_SESSIONS, unexpected } from '../../support/no-ports.ts';
import { at, runIn } from '../../support/runs.ts';

/** A run whose worktree has another file than its commit each time cadre looks. Then git fails as often as given. */
function verifying(failures: number, failure: Error = new Failure('failed', 'git-failed', 'git does not answer.')) {
  const world = at('TESTING');
  const { pinned } = runIn(world);
  const gateway = memoryGateway(world);
  const shown: string[] = [];
  let left = failures;
  const trees = {
    ...new SimulatedRuns().seenBy(() => undefined).trees,
    exists: () => true,
    headOf: async () => pinned ?? undefined,
    differences: async () => ['checked.txt'],
    async undo() {
      return {
        kind: 'undone',
        pinned: { ref: 'refs/kept', commit: 'kept', missing: [] },
        changed: ['checked.txt'],
      } as const;
    },
    async portBaseOf() {
      if (left-- > 0) throw failure;
      return 20_000;
    },
  };
  const ports = {
    ...{ planning: NO_PLANNING, quarantine: NO_QUARANTINE, sessions: NO_SESSIONS, machine: LOCAL_MACHINE, gateway },
    notify: { tell: unexpected, warn: unexpected },
    runs: { ...NO_RUNS, gateway, trees },
    showWarning: (text: string) => void shown.push(text),
  };
  const runner = new EffectRunner(ports, () => undefined);
  const round = async (): Promise<void> => {
    await runner.run(await gateway.look(), (effect) => effect.do === 'verify');
    await runner.settled();
  };
  const events = (): readonly string[] => gateway.records.map(({ event }) => event);
  return { round, events, records: gateway.records, shown };
}

const WARNING = expect.stringMatching(/^Before verification, checked\.txt differed from the commit/);

test('a warning precedes the result of its effect', async () => {
  const { round, events, records, shown } = verifying(0);
  await round();
  expect(events().slice(0, 2)).toEqual(['warned', 'tests_pass']);
  expect(records[0]).toMatchObject({ taskId: '1', text: WARNING });
  expect(shown).toEqual([WARNING]);
});

test('a warning of an effect that fails is recorded at once, and not again when the effect succeeds', async () => {
  const { round, events, shown } = verifying(2);
  await round();
  expect(events()).toEqual(['warned', 'held_up']);
  await round();
  await round();
  expect(events().filter((event) => event === 'warned')).toHaveLength(1);
  expect(events()).toContain('tests_pass');
  expect(shown).toHaveLength(1);
});

test('an effect that meets a file that has just gone is retried, and ends nothing', async () => {
  const gone = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: '/w/t1-a1' });
  const { round, events } = verifying(1, gone);
  await round();
  expect(events()).toEqual(['warned']);
  await round();
  expect(events()).toContain('tests_pass');
});
