// Journals that released versions wrote: they are read, folded and continued by the present code, for ever.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fileJournal } from '../../../src/adapters/journal/file-journal.ts';
import { Segments } from '../../../src/adapters/journal/segments.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import { watchFolders } from '../../../src/adapters/system/watcher.ts';
import { restoreWorld, storeWorld } from '../../../src/core/journal/checkpoint-format.ts';
import { fold } from '../../../src/core/journal/fold.ts';
import { EMPTY_WORLD, type PlanEntry, type TaskEntry, type World } from '../../../src/core/model/world.ts';
import { type Journal, START } from '../../../src/core/ports/journal.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { NOW, register } from '../../support/world.ts';

const RECORDED = 'test/fixtures/journals';

const journals = foldersIn(RECORDED).flatMap((version) =>
  foldersIn(join(RECORDED, version)).map((name) => [version, name] as const),
);

test('there are journals to replay', () => {
  expect(journals.map((one) => one.join(' '))).toEqual(
    expect.arrayContaining(['0.1.0 demo', '0.1.0 long', '0.1.0 migrated']),
  );
});

describe.each(journals)('the journal of %s: %s', (version, name) => {
  const folder = join(RECORDED, version, name);

  test('gives the world that the release saw', async () => {
    const { records } = await opened(folder).read(START);
    const { recordedWith, ...expected } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
    expect(recordedWith).toBe(version);
    expect(summaryOf(fold(EMPTY_WORLD, records))).toEqual(expected);
  });

  test('gives the same world record by record, and from a checkpoint at any record', async () => {
    const { records } = await opened(folder).read(START);
    const whole = fold(EMPTY_WORLD, records);
    expect(records.reduce((world, record) => fold(world, [record]), EMPTY_WORLD)).toEqual(whole);
    for (const at of [1, Math.floor(records.length / 2), records.length]) {
      const stored = JSON.stringify(storeWorld(fold(EMPTY_WORLD, records.slice(0, at))));
      expect(fold(restoreWorld(JSON.parse(stored)), records.slice(at))).toEqual(whole);
    }
  });

  test('can be continued', async () => {
    const journal = opened(folder);
    const { records, cursor } = await journal.read(START);
    const world = fold(EMPTY_WORLD, records);
    const { decided } = await journal.transact(cursor, () => decideAll(world, [register('new.md')], NOW), 10_000);
    expect(decided.records[0]).toMatchObject({ event: 'register', seq: records.length + 1 });
    const after = await journal.read(START);
    expect(after.records).toEqual([...records, ...decided.records]);
    expect(fold(EMPTY_WORLD, after.records).plans.get('new.md' as never)?.status).toBe('ready');
  });
});

/** The recorded journal, unpacked where it may be written to. */
function opened(recorded: string): Journal {
  const base = temporaryFolder();
  const folder = join(base, 'journal');
  mkdirSync(folder);
  for (const name of readdirSync(recorded).filter((one) => one.endsWith('.gz')))
    writeFileSync(join(folder, name.slice(0, -'.gz'.length)), gunzipSync(readFileSync(join(recorded, name))));
  return fileJournal({
    segments: new Segments(disk, folder),
    locks: fileLocks({ command: 'a test' }),
    lock: join(base, 'journal.lock'),
    watch: watchFolders,
  });
}

/** What expected.json says, of this world. */
function summaryOf(world: World): unknown {
  return {
    seq: world.seq,
    outbox: world.outbox.size,
    frozen: world.frozen,
    plans: [...world.plans.values()].map(summaryOfPlan),
    sessions: [...world.sessions.values()].map(({ id, title, role, branch }) => ({ session: id, title, role, branch })),
    quarantined: [...world.refused.values()].map(({ id, code }) => ({ id, code })),
  };
}

function summaryOfPlan({ plan, status, branch, topic, description, feedback, difference, tasks }: PlanEntry): unknown {
  return {
    ...{ plan, status, branch, topic, description, feedback: feedback?.text ?? null },
    difference: difference?.status ?? null,
    tasks: tasks.map(summaryOfTask),
  };
}

function summaryOfTask({ address, name, state, stale, held, run }: TaskEntry): unknown {
  return {
    ...{ task: address, name, state, stale, held },
    run:
      run === undefined
        ? null
        : { attempt: run.attempt, state: run.state, branch: run.branch, commit: run.pinned ?? null },
  };
}

function foldersIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
