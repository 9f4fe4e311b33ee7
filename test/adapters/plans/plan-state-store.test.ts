// plan-state.json in the hands of people, git and other programs: how cadre reacts, and what is never lost.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BEGINNING } from '../../../src/adapters/journal/segments.ts';
import { planStateStore } from '../../../src/adapters/plans/plan-state-store.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { FOREIGN_COMMAND, foreignHolder } from '../../support/foreign-lock.ts';
import { readOnly } from '../../support/mounts.ts';
import { needing } from '../../support/needs.ts';
import { contentsOf, impatient, named, openPieces, type Pieces, temporaryFolder } from '../../support/pieces.ts';
import { type Repo, temporaryRepo, withAgentAndVerify } from '../../support/repo.ts';
import { move, register, USER } from '../../support/world.ts';

const A = named('a.md');
const B = named('b.md');
const start = move('plan_start', USER, A);

interface TwoPlans {
  readonly repo: Repo;
  readonly pieces: Pieces;
  readonly path: string;
}

/** Two plans, both ready, and the file that cadre wrote for them. */
async function withTwoPlans(): Promise<TwoPlans> {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  repo.writePlan('b.md');
  const pieces = openPieces(repo);
  await pieces.gateway.submit([register('a.md'), register('b.md')]);
  return { repo, pieces, path: pieces.places.planState };
}

function eventsOf({ segments }: Pieces): readonly string[] {
  return segments.read(BEGINNING).records.map(({ event }) => event);
}

function statuses(repo: Repo): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(repo.planState().plans).map(([plan, { status }]) => [plan, status]));
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function notWritten(why: string): string {
  return `plan-state.json was not written and will be updated with the next step: ${why} The step itself is in the journal.`;
}

function cannotBeUsed(path: string, why: string, help: string): string {
  return `${path} cannot be used: ${why}. ${help}, or rebuild it from the journal; the present file is kept beside it.`;
}

describe('when the file cannot be written', () => {
  test('because another program holds its lock: the step is kept, the holder is named, and the next step catches up', async () => {
    const { repo, path } = await withTwoPlans();
    const pieces = openPieces(repo, disk, impatient(fileLocks({ command: 'a test' }), 50));
    const holder = await foreignHolder(pieces.places.planStateLock);
    const before = readFileSync(path);
    const { answers, notes } = await pieces.gateway.submit([start]);
    expect([answers[0]?.kind, notes.length]).toEqual(['accepted', 1]);
    expect(notes[0]).toContain('plan-state.json was not written and will be updated with the next step: ');
    expect(notes[0]).toContain(`.plan-state.lock, which "${FOREIGN_COMMAND}" (pid ${holder.pid}) holds.`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(eventsOf(pieces)).toEqual(['register', 'register', 'plan_start']);
    holder.kill('SIGKILL');
    const next = await openPieces(repo).gateway.submit([move('cancel', USER, B)]);
    expect([next.notes, statuses(repo)]).toEqual([[], { 'a.md': 'planning', 'b.md': 'cancelled' }]);
  });

  test('because another program holds its lock: the message does not claim that nothing was changed', async () => {
    const { repo } = await withTwoPlans();
    const pieces = openPieces(repo, disk, impatient(fileLocks({ command: 'a test' }), 50));
    await foreignHolder(pieces.places.planStateLock);
    const { notes } = await pieces.gateway.submit([start]);
    expect(notes.join()).not.toContain('Nothing was changed');
  });

  test('because its lock was deleted while it was held: the step is kept, and the file is left alone', async () => {
    const { repo, path } = await withTwoPlans();
    const faulty = faultyDisk();
    const pieces = openPieces(repo, faulty.disk);
    const before = readFileSync(path);
    faulty.before({ on: 'sync', path: '.log' }, () => rmSync(pieces.places.planStateLock));
    const { answers, notes } = await pieces.gateway.submit([start]);
    expect(answers[0]?.kind).toBe('accepted');
    expect(notes).toEqual([notWritten('The lock of plan-state.json was deleted while cadre held it.')]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(await openPieces(repo).gateway.settle()).toEqual([]);
    expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'ready' });
  });

  test.each(['open', 'write', 'sync', 'rename', 'syncFolder'] as const)(
    'because the disk fails at "%s": the step is kept, and a new process catches up without reporting a difference',
    async (on) => {
      const { repo } = await withTwoPlans();
      const faulty = faultyDisk();
      const place = on === 'syncFolder' ? 'docs/plans' : 'plan-state.json.tmp';
      faulty.fail({ on, path: place }, 'EIO');
      const { answers, notes } = await openPieces(repo, faulty.disk).gateway.submit([start]);
      expect([answers[0]?.kind, notes.join()]).toEqual(['accepted', expect.stringContaining('Check the disk')]);
      const again = openPieces(repo);
      expect([await again.gateway.settle(), eventsOf(again)]).toEqual([[], ['register', 'register', 'plan_start']]);
      expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'ready' });
      expect(readdirSync(repo.plans).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  test('because a process died between journal and file: the next one catches up without reporting a difference', async () => {
    const { repo, pieces, path } = await withTwoPlans();
    const before = readFileSync(path);
    await pieces.gateway.submit([start]);
    writeFileSync(path, before);
    const again = openPieces(repo);
    expect((await again.gateway.look()).plans.get(A)).toMatchObject({ status: 'planning' });
    expect((await again.gateway.look()).plans.get(A)?.difference).toBeUndefined();
    expect([await again.gateway.settle(), eventsOf(again)]).toEqual([[], ['register', 'register', 'plan_start']]);
    expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'ready' });
  });

  test('because it cannot be read: the step is kept, and the person is told', async () => {
    const { repo, pieces, path } = await withTwoPlans();
    const faulty = faultyDisk();
    faulty.fail({ on: 'open', path: '/plan-state.json' }, 'EIO');
    const { notes } = await openPieces(repo, faulty.disk).gateway.submit([start]);
    expect(notes).toEqual([notWritten(cannotBeUsed(path, 'it cannot be read (EIO)', 'Repair it'))]);
    expect(eventsOf(pieces)).toEqual(['register', 'register', 'plan_start']);
  });
});

needing('root', () => {
  test('in a read-only docs/plans the step is kept, the person is told why, and the next step catches up', async () => {
    const { repo } = await withTwoPlans();
    const makeWritable = readOnly(repo.plans);
    const ran = repo.cadre('move', 'a', 'plan_start');
    expect(ran).toEqual({
      code: 0,
      stdout: 'a.md: ready -> planning\n',
      stderr: `${notWritten(`Could not open the lock ${join(repo.plans, '.plan-state.lock')}. The file system is read-only. Mount it writable, then try again.`)}\n`,
    });
    expect(statuses(repo)).toEqual({ 'a.md': 'ready', 'b.md': 'ready' });
    makeWritable();
    expect(repo.cadre('cancel', 'b')).toMatchObject({ code: 0, stderr: '' });
    expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'cancelled' });
  });
});

describe('a git conflict in the file', () => {
  /** Two branches that moved the same plan, merged by git. */
  async function conflicted(style: string): Promise<TwoPlans> {
    const all = await withTwoPlans();
    const { repo, path } = all;
    const git = (...argv: string[]): string => repo.git('-c', 'user.name=t', '-c', 'user.email=t@t', ...argv);
    git('add', 'docs/plans/plan-state.json');
    git('commit', '-q', '-a', '-m', 'base');
    git('checkout', '-q', '-b', 'theirs');
    edit(path, (text) => text.replace('"ready"', '"done"'));
    git('commit', '-q', '-a', '-m', 'theirs');
    git('checkout', '-q', 'main');
    edit(path, (text) => text.replace('"ready"', '"cancelled"'));
    git('commit', '-q', '-a', '-m', 'ours');
    expect(() => git('-c', `merge.conflictStyle=${style}`, 'merge', '-q', 'theirs')).toThrow();
    expect(readFileSync(path, 'utf8')).toContain('<<<<<<< ');
    return all;
  }

  test.each(['merge', 'diff3', 'zdiff3'])('in %s style is left to the person, while steps continue', async (style) => {
    const { repo, path } = await conflicted(style);
    const before = readFileSync(path, 'utf8');
    const line = before.split('\n').findIndex((text) => text.startsWith('<<<<<<< ')) + 1;
    const sentence = cannotBeUsed(path, `it has a git conflict at line ${line}`, 'Resolve it');
    const pieces = openPieces(repo);
    const { answers, notes } = await pieces.gateway.submit([start]);
    expect([answers[0]?.kind, notes]).toEqual(['accepted', [notWritten(sentence)]]);
    expect(await pieces.gateway.settle()).toEqual([sentence]);
    expect(repo.cadre('status').stdout).toContain(sentence);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(repo.plans).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  test('is caught up once it is resolved', async () => {
    const { repo, pieces } = await conflicted('merge');
    await openPieces(repo).gateway.submit([start]);
    repo.git('checkout', '-q', '--ours', 'docs/plans/plan-state.json');
    const again = openPieces(repo);
    await again.gateway.settle();
    expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'ready' });
    expect(eventsOf(pieces).slice(2)).toEqual(['plan_start', 'plan_state_differs']);
  });

  test('is moved away by "cadre doctor --use-journal", and the file is rebuilt', async () => {
    const { repo, path } = await conflicted('merge');
    const before = readFileSync(path, 'utf8');
    withAgentAndVerify(repo);
    const ran = repo.cadre('doctor', '--use-journal');
    expect([ran.code, ran.stderr]).toEqual([
      0,
      `plan-state.json was rebuilt from the journal. The old one is kept as ${path}.corrupt-1.\n`,
    ]);
    expect(readFileSync(`${path}.corrupt-1`, 'utf8')).toBe(before);
    expect(statuses(repo)).toEqual({ 'a.md': 'ready', 'b.md': 'ready' });
  });
});

/** A file that has just changed may be incomplete, so it is left alone for a moment. */
function writeLongAgo(path: string, bytes: string | Uint8Array): void {
  writeFileSync(path, bytes);
  const earlier = new Date(Date.now() - 60_000);
  utimesSync(path, earlier, earlier);
}

describe('a damaged file', () => {
  test('that has just been written is left alone by the engine, because it may be incomplete', async () => {
    const { repo, path } = await withTwoPlans();
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, '');
    const { gateway } = openPieces(repo);
    expect(await gateway.settle()).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('');
    writeFileSync(path, whole.replace('"ready"', '"ready", "note": "mine"'));
    expect(await gateway.settle()).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain('"note": "mine"');
    expect(readdirSync(repo.plans).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  test('cut off anywhere is kept under another name and rebuilt, with every plan', async () => {
    const { repo, path } = await withTwoPlans();
    const whole = readFileSync(path);
    let kept = 0;
    for (let cut = 0; cut < whole.length - 2; cut += 50) {
      writeLongAgo(path, whole.subarray(0, cut));
      const notes = await openPieces(repo).gateway.settle();
      kept += 1;
      expect(notes).toEqual([
        expect.stringMatching(
          /^plan-state\.json could not be read: its? .+\. It was rebuilt from the journal; the old file is /,
        ),
      ]);
      expect(notes[0]).toContain(`the old file is ${path}.corrupt-${kept}.`);
      expect(readFileSync(`${path}.corrupt-${kept}`).equals(whole.subarray(0, cut))).toBe(true);
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
    expect(kept).toBeGreaterThan(5);
  });

  test.each([
    [
      'NUL bytes',
      (whole: Buffer) => Buffer.alloc(whole.length),
      'it contains NUL bytes, as a file may after a power failure',
    ],
    [
      'NUL bytes at its end',
      (whole: Buffer) => Buffer.from(whole).fill(0, 100),
      'it contains NUL bytes, as a file may after a power failure',
    ],
    ['nothing', () => Buffer.alloc(0), 'it is empty'],
    ['no object', () => Buffer.from('[]'), 'it is not an object with "plans"'],
    ['text', () => Buffer.from('status: fine'), expect.stringContaining('it is not JSON')],
  ])('of %s loses no plan, and the step that found it is kept', async (_what, harm, why) => {
    const { repo, path } = await withTwoPlans();
    const harmed = harm(readFileSync(path));
    writeFileSync(path, harmed);
    const { answers, notes } = await openPieces(repo).gateway.submit([start]);
    expect([answers[0]?.kind, notes.length]).toEqual(['accepted', 1]);
    expect(
      /^plan-state\.json could not be read: (.+)\. It was rebuilt from the journal/.exec(notes[0] ?? '')?.[1],
    ).toEqual(why);
    expect(readFileSync(`${path}.corrupt-1`).equals(harmed)).toBe(true);
    expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'ready' });
  });

  test.each(['\u001b]0;title\u0007\nstatus: fine\n', '{"\u001b[31m": 1, "\u001b[31m": 2}'])(
    'is described on one line, without its control characters: %j',
    async (text) => {
      const { repo, path } = await withTwoPlans();
      writeLongAgo(path, text);
      const notes = await openPieces(repo).gateway.settle();
      expect([notes.length, notes.filter((note) => /\p{Cc}/u.test(note))]).toEqual([1, []]);
    },
  );

  test('that cadre never wrote is left alone, because it may contain plans that the journal does not know', async () => {
    const repo = temporaryRepo();
    const pieces = openPieces(repo);
    const path = pieces.places.planState;
    writeFileSync(path, '{"plans":{"old.md":{"status":"imple');
    const { answers, notes } = await pieces.gateway.submit([register('a.md')]);
    const sentence = cannotBeUsed(path, 'it ends inside a string', 'Repair it');
    expect([answers[0]?.kind, notes]).toEqual(['accepted', [notWritten(sentence)]]);
    expect(readFileSync(path, 'utf8')).toBe('{"plans":{"old.md":{"status":"imple');
    expect(repo.cadre('doctor').stdout).toContain(`BAD   plan-state.json: ${sentence}`);
    writeFileSync(path, '{"plans":{"old.md":{"status":"implementing"}}}');
    await pieces.gateway.settle();
    expect(statuses(repo)).toEqual({ 'old.md': 'implementing', 'a.md': 'ready' });
  });

  test('of a newer version is left to a newer cadre, while steps continue', async () => {
    const { repo, path } = await withTwoPlans();
    edit(path, (text) => text.replace('{', '{\n  "version": 2,'));
    const before = readFileSync(path, 'utf8');
    const { answers, notes } = await openPieces(repo).gateway.submit([start]);
    const sentence = cannotBeUsed(path, 'a newer cadre wrote it (version 2)', 'Update cadre');
    expect([answers[0]?.kind, notes]).toEqual(['accepted', [notWritten(sentence)]]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('that was deleted is rebuilt, with every plan', async () => {
    const { repo, path } = await withTwoPlans();
    const whole = readFileSync(path);
    rmSync(path);
    expect(await openPieces(repo).gateway.settle()).toEqual([]);
    expect(readFileSync(path).equals(whole)).toBe(true);
  });
});

describe('what others write into the file', () => {
  const RICH = {
    topics: { storage: { colour: 'red', order: [1, 2] } },
    future: { deep: [{ deeper: null }] },
    plans: {
      'a.md': {
        status: 'ready',
        description: 'A plan',
        branch: 'feature/a',
        topic: 'storage',
        created_at: '2025-01-01T00:00:00.000Z',
        owner: 'someone',
        nested: { key: [true, { more: 0 }] },
      },
      'odd.md': { status: 'paused', reason: 'not a status of ours' },
      'notes.txt': 'not a plan at all',
    },
  };

  async function imported(document: object): Promise<TwoPlans> {
    const repo = temporaryRepo();
    const pieces = openPieces(repo);
    const path = pieces.places.planState;
    writeFileSync(path, JSON.stringify(document));
    await pieces.gateway.submit([]);
    return { repo, pieces, path };
  }

  test('survives on every level, through steps of this and of other processes', async () => {
    const { repo, pieces, path } = await imported(RICH);
    await pieces.gateway.submit([start]);
    await openPieces(repo).gateway.submit([move('planner_finished', USER, A), move('implement_start', USER, A)]);
    const expected = structuredClone(RICH);
    expected.plans['a.md'].status = 'implementing';
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(expected);
  });

  test('survives in a rebuilt file, as far as the journal knows it', async () => {
    const { repo, path } = await imported(RICH);
    writeLongAgo(path, '{');
    await openPieces(repo).gateway.settle();
    const { plans, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    expect(rest).toEqual({ topics: RICH.topics, future: RICH.future });
    expect(plans).toEqual({ 'a.md': RICH.plans['a.md'] });
  });

  test('in the older flat form, with legacy statuses, is imported and rewritten in the present form', async () => {
    const { repo, pieces, path } = await imported({
      'one.md': { status: 'in_progress', description: 'One', owner: 'someone' },
      'two.md': { status: 'completed' },
      'three.md': 'finished',
      remark: 'kept',
    });
    expect(statuses(repo)).toEqual({ 'one.md': 'implementing', 'two.md': 'done', 'three.md': 'done' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      topics: {},
      remark: 'kept',
      plans: { 'one.md': { description: 'One', owner: 'someone', branch: 'plan/one' } },
    });
    expect(eventsOf(pieces)).toEqual(['import_document', 'import', 'import', 'import']);
    expect(repo.cadre('status').stdout).toMatch(/^[ *] {2}one\.md +implementing /m);
  });

  test('about a known plan, except its status, is adopted', async () => {
    const { repo, path } = await withTwoPlans();
    edit(path, (text) => text.replace('"description": ""', '"description": "Better words", "owner": "someone"'));
    const { gateway } = openPieces(repo);
    expect(await gateway.settle()).toEqual([]);
    expect((await gateway.look()).plans.get(A)).toMatchObject({
      description: 'Better words',
      extra: { owner: 'someone' },
    });
    expect(repo.planState().plans['a.md']).toMatchObject({ description: 'Better words', owner: 'someone' });
  });

  test('about a new plan is imported and reported', async () => {
    const { repo, path } = await withTwoPlans();
    edit(path, (text) => text.replace('"plans": {', '"plans": { "c.md": { "status": "reviewing" },'));
    const { gateway } = openPieces(repo);
    expect((await gateway.look()).plans.get(named('c.md'))?.status).toBe('reviewing');
    expect(await gateway.settle()).toEqual(['c.md was imported from plan-state.json.']);
    expect(statuses(repo)).toEqual({ 'a.md': 'ready', 'b.md': 'ready', 'c.md': 'reviewing' });
  });

  test('cannot remove a plan: it comes back', async () => {
    const { repo, path } = await withTwoPlans();
    const { plans, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...rest, plans: { 'b.md': plans['b.md'] } }));
    await openPieces(repo).gateway.settle();
    expect(statuses(repo)).toEqual({ 'b.md': 'ready', 'a.md': 'ready' });
  });
});

describe('a status that was changed by hand', () => {
  async function changed(): Promise<TwoPlans> {
    const all = await withTwoPlans();
    edit(all.path, (text) => text.replace('"ready"', '"done"'));
    return all;
  }

  test('does not move the plan: the journal wins, and the difference is recorded and reported', async () => {
    const { repo, pieces } = await changed();
    const again = openPieces(repo);
    expect(await again.gateway.settle()).toEqual([
      'plan-state.json says that a.md is done, but the journal says otherwise. The journal takes precedence unless you adopt the status in the file.',
    ]);
    expect(eventsOf(pieces)).toEqual(['register', 'register', 'plan_state_differs']);
    expect(statuses(repo)).toEqual({ 'a.md': 'ready', 'b.md': 'ready' });
    expect(await again.gateway.settle()).toEqual([]);
  });

  test('is shown by "cadre status" at once and after the file was corrected, until "cadre adopt" accepts it', async () => {
    const { repo } = await changed();
    const difference = /^a\.md: plan-state\.json says done \(.+\)\. "cadre adopt a\.md" follows the file\.$/m;
    expect(repo.cadre('status').stdout).toMatch(difference);
    await openPieces(repo).gateway.settle();
    expect(repo.cadre('status').stdout).toMatch(difference);
    expect(repo.cadre('adopt', 'a')).toMatchObject({ code: 0, stdout: 'a.md: ready -> done\n' });
    expect(statuses(repo)).toEqual({ 'a.md': 'done', 'b.md': 'ready' });
    expect(repo.cadre('status').stdout).not.toMatch(difference);
  });

  test('can be adopted directly from the file', async () => {
    const { repo } = await changed();
    expect(repo.cadre('adopt', 'a')).toMatchObject({ code: 0, stdout: 'a.md: ready -> done\n' });
    expect(statuses(repo)).toEqual({ 'a.md': 'done', 'b.md': 'ready' });
    expect(repo.cadre('adopt', 'a')).toMatchObject({
      code: 2,
      stderr: 'Nothing to adopt: plan-state.json and the journal agree that a.md is done.\n',
    });
  });

  test('is obsolete once the plan has moved on', async () => {
    const { repo } = await changed();
    const { gateway } = openPieces(repo);
    await gateway.submit([start]);
    expect((await gateway.look()).plans.get(A)?.difference).toBeUndefined();
    expect(statuses(repo)).toEqual({ 'a.md': 'planning', 'b.md': 'ready' });
  });
});

describe('the store', () => {
  function store(): { readonly path: string; readonly note: string; open(): ReturnType<typeof planStateStore> } {
    const folder = temporaryFolder();
    const [path, note] = [join(folder, 'plan-state.json'), join(folder, 'note')];
    return { path, note, open: () => planStateStore(disk, path, note) };
  }

  test('recognises its last four texts, in any process, and no others', () => {
    const { path, open } = store();
    expect([open().read(), open().everWritten()]).toEqual([undefined, false]);
    for (const text of ['1', '2', '3', '4', '5']) open().write(text, Number(text));
    expect(open().everWritten()).toBe(true);
    const ours = ['1', '2', '3', '4', '5', '6'].filter((text) => {
      writeFileSync(path, text);
      return open().read()?.ours;
    });
    expect(ours).toEqual(['2', '3', '4', '5']);
  });

  test('is fresh only for a moment after it was written', () => {
    const { path, open } = store();
    expect(open().isFresh()).toBe(false);
    writeFileSync(path, '');
    expect(open().isFresh()).toBe(true);
    const earlier = new Date(Date.now() - 5_000);
    utimesSync(path, earlier, earlier);
    expect(open().isFresh()).toBe(false);
  });

  test('notices an edit that keeps size and modification time', () => {
    const { path, open } = store();
    const one = open();
    one.write('mine', 1);
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'your');
    utimesSync(path, atime, mtime);
    expect(one.read()).toEqual({ text: 'your', ours: false });
  });

  test('never overwrites one bad file with another', () => {
    const { path, open } = store();
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path, text);
      open().setAside();
    }
    expect([...contentsOf(join(path, '..')).values()]).toEqual(['first', 'second', 'third']);
    expect(existsSync(path)).toBe(false);
  });
});
