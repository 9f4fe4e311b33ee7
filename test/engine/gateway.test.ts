// The gateway with a journal in memory, where a test can let other processes act at any moment.
import { expect, test } from 'vitest';
import { EMPTY_WORLD } from '../../src/core/model/world.ts';
import { type Checkpoint, type Journal, START } from '../../src/core/ports/journal.ts';
import { decideAll } from '../../src/core/rules/decide.ts';
import { type GatewayPorts, openGateway } from '../../src/engine/gateway.ts';
import { MemoryLog, memoryJournal } from '../support/memory-journal.ts';
import { failureOf } from '../support/pieces.ts';
import { NOW, register } from '../support/world.ts';

const PATIENCE = 1_000;

test('a commit of another process while the journal is read is not mistaken for a lost journal', async () => {
  const { log, plans } = twoProcesses();
  const mine = memoryJournal(log);
  const interrupted: Journal = {
    ...mine,
    async read(after) {
      const reading = await mine.read(after);
      await plans.commit();
      return reading;
    },
  };
  const looking = openGateway(ports(interrupted, plans.written));
  expect((await looking.look()).seq).toBe(0);
  expect((await looking.look()).seq).toBe(1);
  const stepping = openGateway(ports(interrupted, plans.written));
  const { answers } = await stepping.submit([register('mine.md')]);
  expect(answers.map(({ kind }) => kind)).toEqual(['accepted']);
  expect(log.records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

test('a journal that ends before the record plan-state.json was written from is refused', async () => {
  const { log, plans } = twoProcesses();
  await plans.commit();
  log.records.length = 0;
  const gateway = openGateway(ports(memoryJournal(log), plans.written));
  for (const act of [() => gateway.look(), () => gateway.confirmed(), () => gateway.submit([register('mine.md')])])
    expect((await failureOf(act)).code).toBe('journal-behind');
  expect(log.records).toEqual([]);
});

test('an attempt with one refused event writes nothing and takes no lock', async () => {
  const log = new MemoryLog();
  const gateway = openGateway({ ...ports(memoryJournal(log), () => 0), prepare: unasked });
  const { answers } = await gateway.attempt([register('a.md'), register('a.md')]);
  expect(answers.map(({ kind }) => kind)).toEqual(['accepted', 'refused']);
  expect(log.records).toEqual([]);
});

test('an attempt that another process makes impossible before the lock is taken writes nothing', async () => {
  const { log, plans } = twoProcesses();
  const mine = memoryJournal(log);
  const interrupted: Journal = {
    ...mine,
    async transact(...request) {
      await plans.commit();
      return mine.transact(...request);
    },
  };
  const gateway = openGateway(ports(interrupted, plans.written));
  const { answers } = await gateway.attempt([register('mine.md'), register('theirs-0.md')]);
  expect(answers.map(({ kind }) => kind)).toEqual(['accepted', 'refused']);
  expect(log.records.map((record) => 'plan' in record && record.plan)).toEqual(['theirs-0.md']);
  expect(await gateway.attempt([register('mine.md')])).toMatchObject({ answers: [{ kind: 'accepted' }] });
});

test('a process that had to read many records saves a checkpoint with its next step', async () => {
  const { log, plans } = twoProcesses();
  for (let count = 0; count < 200; count++) await plans.commit();
  const saved: number[] = [];
  const save = async ({ world }: Checkpoint): Promise<void> => void saved.push(world.seq);
  const gateway = openGateway({
    ...ports(memoryJournal(log), plans.written),
    checkpoints: { load: async () => undefined, save },
  });
  await gateway.look();
  expect(saved).toEqual([]);
  await gateway.submit([register('a.md')]);
  await gateway.submit([register('b.md')]);
  expect(saved).toEqual([201]);
});

test('a process that commits much saves a checkpoint now and then, the rarer the more plans there are', async () => {
  const saved: number[] = [];
  const save = async ({ world }: Checkpoint): Promise<void> => void saved.push(world.seq);
  const gateway = openGateway({
    ...ports(memoryJournal(new MemoryLog()), () => 0),
    checkpoints: { load: async () => undefined, save },
  });
  for (let count = 0; count < 1_000; count++) await gateway.submit([register(`${count}.md`)]);
  const apart = saved.map((seq, index) => seq - (saved[index - 1] ?? 0));
  expect(apart.length).toBeGreaterThan(5);
  expect(apart).toEqual(apart.toSorted((one, other) => one - other));
  expect(apart.at(-1)).toBeGreaterThan(100);
});

test('the lock of plan-state.json is released after every step, also after one that fails', async () => {
  const held = { now: 0 };
  const lock = async () => {
    held.now++;
    return { kind: 'held' as const, lock: { stillOurs: () => true, release: () => void held.now-- } };
  };
  const journal = memoryJournal(new MemoryLog());
  const usual = ports(journal, () => 0);
  const planState = { ...usual.planState, lock, rebuild: () => undefined };
  const gateway = openGateway({ ...usual, planState });
  await gateway.submit([register('a.md')]);
  expect(held.now).toBe(0);
  await gateway.rebuildPlanState();
  expect(held.now).toBe(0);
  const broken = openGateway({ ...usual, planState, journal: { ...journal, transact: unasked } });
  await expect(broken.submit([register('b.md')])).rejects.toThrow();
  await expect(broken.rebuildPlanState()).rejects.toThrow();
  expect(held.now).toBe(0);
});

/** Another process that registers a plan and writes plan-state.json each time it is asked to commit. */
function twoProcesses() {
  const log = new MemoryLog();
  const theirs = memoryJournal(log);
  let written = 0;
  const commit = async (): Promise<void> => {
    const { cursor } = await theirs.read(START);
    const world = { ...EMPTY_WORLD, seq: log.records.length };
    const event = register(`theirs-${world.seq}.md`);
    await theirs.transact(cursor, () => ({ records: decideAll(world, [event], NOW).records }), PATIENCE);
    written = log.records.length;
  };
  return { log, plans: { commit, written: () => written } };
}

function ports(journal: Journal, writtenUpTo: () => number): GatewayPorts {
  return {
    journal,
    checkpoints: { load: async () => undefined, save: unasked },
    folder: '/state',
    heartbeat: { last: () => undefined },
    planState: {
      path: '/repo/plan-state.json',
      writtenUpTo,
      lock: async () => ({ kind: 'not-held', why: 'Another program holds it.' }),
      read: () => ({ kind: 'bad', code: 'unreadable', why: 'it is not of interest here' }),
      look: () => undefined,
      write: () => [],
      agreesWith: () => true,
      problem: () => undefined,
      rebuild: unasked,
    },
    overview: { update: async () => undefined },
    clock: { now: () => NOW, elapsed: () => 0 },
    prepare: () => undefined,
  };
}

function unasked(): never {
  throw new Error('No test should get here.');
}
