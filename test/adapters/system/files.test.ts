// Files and steps on disks that are full, read-only, broken or on another machine, and in processes without descriptors.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BEGINNING } from '../../../src/adapters/journal/segments.ts';
import { NETWORK_FILE_SYSTEMS, refuseNetworkFolder } from '../../../src/adapters/repo/init-repo.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { ensureFolder, readWhole, replaceFile, temporaryFor } from '../../../src/adapters/system/files.ts';
import { Failure } from '../../../src/core/model/failure.ts';
import type { Gateway } from '../../../src/core/ports/gateway.ts';
import { faultyDisk, type Operation } from '../../support/faulty-disk.ts';
import { readOnly, smallDisk } from '../../support/mounts.ts';
import { needing } from '../../support/needs.ts';
import { contentsOf, failureOf, named, openPieces, temporaryFolder } from '../../support/pieces.ts';
import { type Repo, temporaryRepo } from '../../support/repo.ts';
import { move, register, USER } from '../../support/world.ts';

const A = named('a.md');
const FULL = 'The disk is full. Free some space; nothing that was confirmed is lost.';

describe('a file that is replaced', () => {
  const [OLD, NEW] = ['the old text', 'the new and longer text'];

  function oldFile(): string {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, OLD);
    return path;
  }

  test('is made durable in this order: its bytes, its name', () => {
    const path = oldFile();
    const faulty = faultyDisk();
    replaceFile(faulty.disk, path, Buffer.from(NEW));
    expect(readFileSync(path, 'utf8')).toBe(NEW);
    const order = faulty.calls
      .map(({ on }) => on)
      .filter((on) => ['write', 'sync', 'rename', 'syncFolder'].includes(on));
    expect(order).toEqual(['write', 'sync', 'rename', 'syncFolder']);
    expect(readdirSync(join(path, '..'))).toEqual(['file']);
  });

  test.each([
    ['open', 'EMFILE', OLD],
    ['write', 'ENOSPC', OLD],
    ['sync', 'EIO', OLD],
    ['rename', 'EACCES', OLD],
    ['syncFolder', 'EIO', NEW],
  ] as const)(
    'is the old or the new one, whole, when the disk fails at "%s", and no other file is left',
    (on, code, left) => {
      const path = oldFile();
      const faulty = faultyDisk();
      faulty.fail({ on }, code);
      expect(() => replaceFile(faulty.disk, path, Buffer.from(NEW))).toThrow(code);
      expect(readFileSync(path, 'utf8')).toBe(left);
      expect(readdirSync(join(path, '..'))).toEqual(['file']);
      replaceFile(faulty.disk, path, Buffer.from(NEW));
      expect(readFileSync(path, 'utf8')).toBe(NEW);
    },
  );

  test('is the complete old one when the disk fills up half-way', () => {
    const path = oldFile();
    const faulty = faultyDisk();
    faulty.writeShort({}, 5, 'ENOSPC');
    expect(() => replaceFile(faulty.disk, path, Buffer.from(NEW))).toThrow('ENOSPC');
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    expect(readdirSync(join(path, '..'))).toEqual(['file']);
  });

  test('is written completely by a disk that takes a few bytes at a time', () => {
    const path = oldFile();
    const slow = { ...disk, write: (file: number, bytes: Uint8Array) => disk.write(file, bytes.subarray(0, 3)) };
    replaceFile(slow, path, Buffer.from(NEW));
    expect(readFileSync(path, 'utf8')).toBe(NEW);
  });

  test('replaces the temporary file of a process that died half-way', () => {
    const path = oldFile();
    writeFileSync(temporaryFor(path), 'a much longer text that another process did not finish writing');
    replaceFile(disk, path, Buffer.from(NEW));
    expect([readFileSync(path, 'utf8'), readdirSync(join(path, '..'))]).toEqual([NEW, ['file']]);
  });

  test('is not written through a link in the place of the temporary file', () => {
    const path = oldFile();
    const elsewhere = join(temporaryFolder(), 'elsewhere');
    writeFileSync(elsewhere, 'not ours');
    symlinkSync(elsewhere, temporaryFor(path));
    expect(() => replaceFile(disk, path, Buffer.from(NEW))).toThrow('ELOOP');
    expect([readFileSync(path, 'utf8'), readFileSync(elsewhere, 'utf8')]).toEqual([OLD, 'not ours']);
  });
});

describe('a file or folder', () => {
  test('that is missing reads as undefined; one that cannot be read does not', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'text');
    symlinkSync('file', join(folder, 'link'));
    expect(readWhole(disk, join(folder, 'none'))).toBeUndefined();
    expect(readWhole(disk, join(folder, 'file'))?.toString()).toBe('text');
    expect(() => readWhole(disk, join(folder, 'link'))).toThrow('ELOOP');
    expect(() => readWhole(disk, folder)).toThrow('EISDIR');
  });

  test('is created with its parents, each of them durable before the next', () => {
    const folder = temporaryFolder();
    const faulty = faultyDisk();
    ensureFolder(faulty.disk, join(folder, 'a', 'b', 'c'));
    const made = faulty.calls.filter(({ on }) => on === 'makeFolder' || on === 'syncFolder');
    expect(made.map(({ on, path }) => `${on} ${path.slice(folder.length)}`)).toEqual([
      'makeFolder /a',
      'syncFolder ',
      'makeFolder /a/b',
      'syncFolder /a',
      'makeFolder /a/b/c',
      'syncFolder /a/b',
    ]);
    const calls = faulty.calls.length;
    ensureFolder(faulty.disk, join(folder, 'a', 'b', 'c'));
    expect(faulty.calls.slice(calls).map(({ on }) => on)).toEqual(['facts']);
  });

  test('is not created where a file is in the way', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, 'text');
    expect(() => ensureFolder(disk, join(file, 'inside'))).toThrow('ENOTDIR');
    expect(readFileSync(file, 'utf8')).toBe('text');
  });
});

/** The outcome of three steps in a row: the event of each confirmed one, the failure of each of the others. */
async function threeSteps(gateway: Gateway): Promise<{ confirmed: string[]; failures: Failure[]; notes: string[] }> {
  const confirmed: string[] = [];
  const failures: Failure[] = [];
  const notes: string[] = [];
  for (const event of [register('a.md'), move('plan_start', USER, A), move('planner_finished', USER, A)]) {
    try {
      const submission = await gateway.submit([event]);
      notes.push(...submission.notes);
      confirmed.push(...submission.answers.flatMap(({ records }) => records.map((record) => record.event)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  return { confirmed, failures, notes };
}

/** A new process on a healthy disk: it finds exactly what was confirmed, and updates the file. */
async function expectConsistent(repo: Repo, confirmed: readonly string[]): Promise<void> {
  const { gateway, segments } = openPieces(repo);
  expect(await gateway.settle()).toEqual([]);
  const { records, torn } = segments.read(BEGINNING);
  expect([records.map(({ event }) => event), torn]).toEqual([confirmed, 0]);
  const { plans } = await gateway.look();
  const inFile = existsSync(join(repo.plans, 'plan-state.json')) ? repo.planState().plans : {};
  expect(Object.entries(inFile).map(([plan, { status }]) => [plan, status])).toEqual(
    [...plans.values()].map(({ plan, status }) => [plan, status]),
  );
  expect([...plans.values()].filter(({ difference }) => difference !== undefined)).toEqual([]);
}

/** The repository as it was before the first step. */
function forgetAll(repo: Repo): void {
  rmSync(repo.home, { recursive: true, force: true });
  rmSync(repo.plans, { recursive: true, force: true });
}

describe('steps on a disk that fills up', () => {
  const FILES = ['.log', 'plan-state.written', '.plan-state.json.tmp', '.state.json.tmp'];

  test.each(FILES)('while %s is written: exactly what was confirmed is kept', async (path) => {
    const repo = temporaryRepo();
    for (const { nth, forGood, taken } of WHEN) {
      const faulty = faultyDisk();
      if (taken === undefined) faulty.fail({ on: 'write', path, nth, forGood }, 'ENOSPC');
      else faulty.writeShort({ path, nth, forGood }, taken, 'ENOSPC');
      const { confirmed, failures, notes } = await threeSteps(openPieces(repo, faulty.disk).gateway);
      const struck = faulty.calls.filter((call) => call.on === 'write' && call.path.endsWith(path)).length >= nth;
      const sentences = [...failures.map(({ message }) => message), ...notes];
      expect([sentences.length > 0, sentences]).toEqual([struck, sentences.map(() => expect.stringContaining(FULL))]);
      await expectConsistent(repo, confirmed);
      forgetAll(repo);
    }
  });

  /** At which write, whether the disk stays full, and how many bytes it takes before it fails. */
  const WHEN = [1, 2, 3].flatMap((nth) =>
    [false, true].flatMap((forGood) => [undefined, 20].map((taken) => ({ nth, forGood, taken }))),
  );

  test('the journal: the step fails with a sentence, and succeeds when there is space', async () => {
    const repo = temporaryRepo();
    const faulty = faultyDisk();
    const { gateway, segments } = openPieces(repo, faulty.disk);
    await gateway.submit([register('a.md')]);
    faulty.fail({ on: 'write', path: '.log', forGood: true }, 'ENOSPC');
    const failure = await failureOf(() => gateway.submit([move('plan_start', USER, A)]));
    expect([failure.kind, failure.message]).toEqual([
      'environment',
      `Could not append to the journal ${segments.path(1)}. ${FULL}`,
    ]);
    expect((await gateway.look()).plans.get(A)?.status).toBe('ready');
    faulty.heal();
    await gateway.submit([move('plan_start', USER, A)]);
    expect(repo.status('a.md')).toBe('planning');
  });

  test('plan-state.json: the step succeeds with a note, and the next step updates the file', async () => {
    const repo = temporaryRepo();
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    await gateway.submit([register('a.md')]);
    faulty.fail({ on: 'write', path: 'plan-state.json.tmp' }, 'ENOSPC');
    const { answers, notes } = await gateway.submit([move('plan_start', USER, A)]);
    expect([answers[0]?.kind, notes]).toEqual([
      'accepted',
      [
        `plan-state.json was not written and will be updated with the next step: Could not write ${join(repo.plans, 'plan-state.json')}. ${FULL} The step itself is in the journal.`,
      ],
    ]);
    expect([repo.status('a.md'), (await gateway.look()).plans.get(A)?.status]).toEqual(['ready', 'planning']);
    expect((await gateway.submit([register('b.md')])).notes).toEqual([]);
    expect(repo.status('a.md')).toBe('planning');
  });
});

describe('steps on a disk that refuses', () => {
  const SENTENCES = {
    EMFILE: 'Too many files are open. Raise the limit ("ulimit -n"), then try again.',
    EACCES: 'Permission was denied. Make it writable for you, then try again.',
    EROFS: 'The file system is read-only. Mount it writable, then try again.',
  } as const;
  const FILES = [
    '.log',
    '/plan-state.json',
    'plan-state.written',
    '.plan-state.json.tmp',
    '.state.json.tmp',
    '/checkpoint.json',
  ];

  test.each(FILES)('to open %s: what was confirmed is kept, and every failure says what is wrong', async (path) => {
    const repo = temporaryRepo();
    for (const [index, code] of (['EMFILE', 'EACCES', 'EROFS', 'EMFILE', 'EROFS'] as const).entries()) {
      const faulty = faultyDisk();
      faulty.fail({ on: 'open', path, nth: index + 1 }, code);
      const { confirmed, failures, notes } = await threeSteps(openPieces(repo, faulty.disk).gateway);
      expect(failures.map((failure) => failure.code)).toEqual(failures.map(() => code));
      for (const sentence of [...failures.map(({ message }) => message), ...notes])
        expect(sentence).toContain(SENTENCES[code]);
      await expectConsistent(repo, confirmed);
      forgetAll(repo);
    }
  });

  test.each(['makeFolder', 'syncFolder'] satisfies Operation[])(
    'to make the state folder ("%s"): the first step is refused, and the next one succeeds',
    async (on) => {
      const repo = temporaryRepo();
      const faulty = faultyDisk();
      const { gateway, places } = openPieces(repo, faulty.disk);
      faulty.fail({ on }, 'EACCES');
      const failure = await failureOf(() => gateway.submit([register('a.md')]));
      expect(failure.message).toBe(`Could not prepare ${places.state}. ${SENTENCES.EACCES}`);
      await gateway.submit([register('a.md')]);
      await expectConsistent(repo, ['register']);
    },
  );

  test('a file where the state folder should be is named, and stays', async () => {
    const repo = temporaryRepo();
    writeFileSync(repo.home, 'a file');
    const { gateway, places } = openPieces(repo);
    const failure = await failureOf(() => gateway.submit([register('a.md')]));
    expect([failure.code, failure.message]).toEqual([
      'ENOTDIR',
      `Could not prepare ${places.state}. A file stands where a folder should be. Move it away, then try again.`,
    ]);
    expect(readFileSync(repo.home, 'utf8')).toBe('a file');
  });

  test('a process without file descriptors fails with a sentence until it has some again', async () => {
    const repo = temporaryRepo();
    const script = join(repo.root, '..', 'exhausted.mjs');
    writeFileSync(script, EXHAUSTED);
    const ran = spawnSync('sh', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, script], {
      cwd: repo.root,
      env: repo.env,
      encoding: 'utf8',
    });
    const outcomes: { plan: string; name?: string; code?: string }[] = JSON.parse(ran.stdout);
    const failed = outcomes.filter(({ name }) => name !== undefined);
    const confirmed = outcomes.filter(({ name }) => name === undefined).map(({ plan }) => plan);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.map(({ name, code }) => `${name} ${code}`)).toEqual(failed.map(() => 'Failure EMFILE'));
    expect(confirmed).toContain('last.md');
    expect([...(await openPieces(repo).gateway.look()).plans.keys()]).toEqual(confirmed);
  });

  const EXHAUSTED = `
    import { closeSync, openSync } from 'node:fs';
    import { openPorts } from ${JSON.stringify(resolve('dist/program.js'))};
    const { gateway } = openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: 'exhausted' });
    const outcomes = [];
    const step = async (plan) => {
      try {
        await gateway.submit([{ kind: 'register', plan, by: { who: 'user' }, description: '', topic: '', planFileExists: true }]);
        outcomes.push({ plan });
      } catch (error) {
        outcomes.push({ plan, name: error.name, code: error.code });
      }
    };
    await step('first.md');
    const files = [];
    try {
      for (;;) files.push(openSync('/dev/null'));
    } catch {}
    for (let free = 0; free < 6; free++) {
      await step('free-' + free + '.md');
      closeSync(files.pop());
    }
    for (const file of files) closeSync(file);
    await step('last.md');
    console.log(JSON.stringify(outcomes));
  `;
});

needing('root', () => {
  describe('on a real file system', () => {
    test('that is full, steps fail without a trace, and continue when there is space', async () => {
      const repo = temporaryRepo();
      const home = smallDisk(256);
      const filler = join(home, 'filler');
      execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k', 'count=128'], { stdio: 'ignore' });
      const { gateway, segments, places } = openPieces({ ...repo, home, env: { ...repo.env, CADRE_HOME: home } });
      const confirmed: string[] = [];
      const step = async (plan: string): Promise<void> => {
        await gateway.submit([{ ...register(plan), description: 'x'.repeat(5_000) } as ReturnType<typeof register>]);
        confirmed.push(plan);
      };
      const failure = await failureOf(async () => {
        for (let number = 1; ; number++) await step(`p${number}.md`);
      });
      expect([failure.code, failure.message]).toEqual([
        'ENOSPC',
        `Could not append to the journal ${segments.path(1)}. ${FULL}`,
      ]);
      expect(confirmed.length).toBeGreaterThan(3);
      const cadre = repo.cadreWith({ env: { CADRE_HOME: home } }, 'status');
      expect([cadre.code, cadre.stderr]).toEqual([0, '']);
      expect(segments.read(BEGINNING)).toMatchObject({ position: { seq: confirmed.length }, torn: 0 });
      rmSync(filler);
      await step('after.md');
      expect([...(await gateway.look()).plans.keys()]).toEqual(confirmed);
      expect(Object.keys(repo.planState().plans)).toEqual(confirmed);
      expect(places.home).toBe(home);
    });

    test('that is read-only, reading works, a step fails, and nothing changes', async () => {
      const repo = temporaryRepo();
      repo.writePlan('a.md');
      repo.writePlan('b.md');
      expect(repo.cadre('register', 'a').code).toBe(0);
      const makeWritable = readOnly(repo.home);
      const before = [contentsOf(repo.home), contentsOf(repo.plans)];
      expect(repo.cadre('status').code).toBe(0);
      const refused = repo.cadre('register', 'b');
      expect(refused).toEqual({
        code: 5,
        stdout: '',
        stderr: `Could not open the lock ${join(repo.state(), 'journal.lock')}. The file system is read-only. Mount it writable, then try again.\n`,
      });
      expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
      makeWritable();
      expect(repo.cadre('register', 'b').code).toBe(0);
    });

    test('that is read-only from the start, the state folder is named', async () => {
      const repo = temporaryRepo();
      mkdirSync(repo.home);
      readOnly(repo.home);
      const { gateway, places } = openPieces(repo);
      const failure = await failureOf(() => gateway.submit([register('a.md')]));
      expect(failure.message).toBe(
        `Could not prepare ${places.state}. The file system is read-only. Mount it writable, then try again.`,
      );
      expect(readdirSync(repo.home)).toEqual([]);
    });
  });
});

describe('a folder on another machine', () => {
  test.each([...NETWORK_FILE_SYSTEMS])('of the type %i is refused and named: %s', async (type, name) => {
    for (const asGiven of [type, type | 0]) {
      const failure = await failureOf(() => refuseNetworkFolder('/home/me/.cadre', () => asGiven));
      expect([failure.kind, failure.message]).toEqual([
        'environment',
        `/home/me/.cadre is on ${name}, where a lock on one machine is not seen on another. Set CADRE_HOME to a folder on a local disk.`,
      ]);
    }
  });

  test.each([
    ['ext4', 0xef53],
    ['btrfs', 0x9123683e],
    ['xfs', 0x58465342],
    ['tmpfs', 0x01021994],
    ['overlayfs', 0x794c7630],
  ])('is not mistaken for %s', (_name, type) => {
    expect(() => refuseNetworkFolder('/home/me/.cadre', () => type)).not.toThrow();
  });

  test('is not mistaken for the disk of this machine', () => {
    expect(() => refuseNetworkFolder(temporaryFolder())).not.toThrow();
  });
});
