// Refused signals: a person lists, shows, retries and drops them; an agent cannot.
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boxOf, bringPlans, everythingTakenFrom, quarantined, reachesStatus, visibleIn } from '../support/plans.ts';
import { eventually, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';
import { sharedEngine, whileStopped } from '../support/shared-engine.ts';

const AGENT = { CADRE_SESSION: 's-1', CADRE_ROLE: 'implementer' };
const REVIEWER = { CADRE_SESSION: 's-2', CADRE_ROLE: 'reviewer' };

const shared = sharedEngine({
  'shown.md': 'implementing',
  'heard.md': 'implementing',
  'late.md': 'reviewing',
  'unfit.md': 'implementing',
  'guarded.md': 'implementing',
});

test('an empty quarantine is reported as such', () => {
  const repo = temporaryRepo();
  expect(repo.cadre('quarantine')).toEqual({ code: 0, stdout: 'The quarantine is empty.\n', stderr: '' });
  expect(repo.json('quarantine', 'list')).toEqual({ version: 1, quarantined: [] });
});

test('a refused signal is listed with its reason, shown with its content, and mentioned by other commands', async () => {
  const { repo } = shared();
  const { id, why, file } = await refuse('review-changes-shown.md', 'two lines\nof it\n');
  expect(why).toBe(
    'shown.md was not changed: "review_changes_requested" is not possible while implementing. Possible: "implement_finished", "cancel".',
  );
  const [head, line, ...rest] = repo.cadre('quarantine').stdout.trimEnd().split('\n');
  expect(head).toMatch(/^id +refused +code +why$/);
  expect(line).toMatch(
    new RegExp(`^${id} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d +state +shown\\.md was not changed: `),
  );
  expect(rest).toEqual([]);
  expect(repo.cadre('quarantine', 'show', id).stdout).toBe(
    `${id}: ${why}\nIts file was ${file.path}\nContent (16 bytes):\n  two lines\n  of it\n  \n`,
  );
  expect(repo.json('quarantine', 'show', id)).toMatchObject({
    version: 1,
    quarantined: [{ id, code: 'state', name: 'review-changes', plan: 'shown.md', file: file.path }],
    original: 'two lines\nof it\n',
  });
  expect(repo.cadre('status').stdout).toContain('In quarantine: 1. "cadre quarantine" shows why.');
  expect(repo.cadre('why', 'shown').stdout).toContain(`Refused (${id}): ${why}\n`);
  expect(repo.cadre('doctor').stdout).toContain('note  quarantine: 1 refused signal.');
});

describe('retry', () => {
  test('puts back a sentinel that was refused because of the state of its plan, and it is taken once the plan has moved', async () => {
    const { repo } = shared();
    const { id } = await refuse('review-changes-heard.md', 'tests are missing');
    expect(repo.cadre('move', 'heard', 'implement_finished')).toMatchObject({ code: 0 });
    expect(repo.cadre('quarantine', 'retry', id)).toEqual({
      code: 0,
      stdout: `${id} will be put back and processed again.\n`,
      stderr: '',
    });
    await reachesStatus(repo, 'heard.md', 'implementing');
    expect(repo.json('why', 'heard')).toMatchObject({ plan: { feedback: 'tests are missing' }, refused: [] });
    await goneFromQuarantine(id);
  });

  test('without an engine is left to the next one', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'a.md': 'implementing' });
    const engine = await startEngine(repo);
    writeFileSync(join(repo.signals, 'review-approved-a.md'), '');
    await everythingTakenFrom(repo.signals);
    await engine.stop();
    repo.cadre('move', 'a', 'implement_finished');
    const [refused] = quarantined(repo);
    expect(repo.cadre('quarantine', 'retry', refused?.id ?? '').stdout).toBe(
      `${refused?.id} will be put back and processed again as soon as an engine is running ("cadre engine start").\n`,
    );
    await startEngine(repo);
    await reachesStatus(repo, 'a.md', 'done');
  });

  test('puts back a stale message, stamped with the present state', async () => {
    const { repo, engine } = shared();
    const before = kept();
    await whileStopped(engine, () => {
      say(repo, 'review-changes', 'late', 'not yet');
      say(repo, 'review-approved', 'late');
    });
    const { id, code, name } = await keptSince(before);
    expect({ code, name }).toEqual({ code: 'stale', name: 'review-approved' });
    repo.cadre('move', 'late', 'implement_finished');
    expect(repo.json('quarantine', 'retry', id)).toEqual({ version: 1, id, done: 'retry' });
    await reachesStatus(repo, 'late.md', 'done');
    await goneFromQuarantine(id);
  });

  test('of a signal that is still unfit ends in quarantine again, under a new id', async () => {
    const { repo } = shared();
    const { id } = await refuse('review-approved-unfit.md');
    const before = kept();
    expect(repo.cadre('quarantine', 'retry', id)).toMatchObject({ code: 0 });
    const again = await keptSince(before);
    expect(again).toMatchObject({ code: 'state', plan: 'unfit.md' });
    expect(quarantined(repo).map((one) => one.id)).toContain(again.id);
  });

  test('waits until another file in its place is taken, and loses neither', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'a.md': 'implementing' });
    const first = await startEngine(repo);
    const sentinel = join(repo.signals, 'review-changes-a.md');
    writeFileSync(sentinel, 'the first');
    await everythingTakenFrom(repo.signals);
    await first.stop();
    repo.cadre('move', 'a', 'implement_finished');
    writeFileSync(sentinel, 'the second');
    const [refused] = quarantined(repo);
    expect(repo.cadre('quarantine', 'retry', refused?.id ?? '')).toMatchObject({ code: 0 });
    await startEngine(repo);
    await reachesStatus(repo, 'a.md', 'implementing');
    const [again] = await eventually(
      () => quarantined(repo),
      (all) => all.length > 0,
    );
    expect(repo.json('why', 'a')).toMatchObject({ plan: { feedback: 'the second' } });
    await everythingTakenFrom(repo.signals);
    expect(repo.json('quarantine', 'show', again?.id ?? '')).toMatchObject({ original: 'the first' });
  });

  test('restores the name of a file byte for byte', async () => {
    const { repo } = shared();
    const name = Buffer.concat([Buffer.from('review-approved-'), Buffer.from([0xff, 0x1b, 0x0a]), Buffer.from('.md')]);
    const { id } = await refuse(name);
    const before = kept();
    repo.cadre('quarantine', 'retry', id);
    const { file } = await keptSince(before);
    expect(Buffer.from(file.bytes ?? '', 'base64')).toEqual(Buffer.concat([Buffer.from(`${repo.signals}/`), name]));
    expect(visibleIn(repo.signals)).toEqual([]);
  });

  test('of a huge message puts it back without reading it', async () => {
    const { repo } = shared();
    const box = boxOf(repo, 's-3');
    mkdirSync(box, { recursive: true });
    const atFirst = kept();
    const file = openSync(join(box, 'huge.json'), 'w');
    ftruncateSync(file, 2 ** 40);
    closeSync(file);
    const { id } = await keptSince(atFirst);
    const before = kept();
    expect(repo.cadre('quarantine', 'retry', id)).toMatchObject({ code: 0 });
    expect(await keptSince(before)).toMatchObject({ code: 'too-large' });
  });
});

describe('drop', () => {
  test('removes the original, its reason and its entry', async () => {
    const { repo } = shared();
    const { id } = await refuse('misspelt.md');
    expect(repo.cadre('quarantine', 'drop', id)).toEqual({ code: 0, stdout: `${id} will be deleted.\n`, stderr: '' });
    expect(quarantined(repo).map((one) => one.id)).not.toContain(id);
    await goneFromQuarantine(id);
    expect(repo.cadre('quarantine', 'drop', id)).toMatchObject({ code: 2 });
  });

  test('removes everything at once with --all', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'a.md': 'implementing' });
    await startEngine(repo);
    for (const name of ['one.md', 'two.md', 'three.md']) writeFileSync(join(repo.signals, name), '');
    const all = await eventually(
      () => quarantined(repo).map(({ id }) => id),
      (ids) => ids.length === 3,
    );
    expect(repo.cadre('quarantine', 'show', '--all')).toMatchObject({ code: 2 });
    expect(repo.cadre('quarantine', 'drop', all[0] ?? '', '--all')).toMatchObject({ code: 2 });
    expect(repo.json('quarantine', 'drop', '--all')).toEqual({ version: 1, ids: all, done: 'drop' });
    expect(quarantined(repo)).toEqual([]);
    expect(repo.cadre('quarantine', 'drop', '--all').stdout).toBe('The quarantine is empty.\n');
  });

  test('removes a folder with its content, and of a link only the link', async () => {
    const { repo, base } = shared();
    const outside = join(base, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'precious'), 'keep me');
    // It must be complete when it appears, because the engine may move it at once.
    const made = join(base, 'made');
    mkdirSync(made);
    symlinkSync(outside, join(made, 'out'));
    const folder = await refuse('a folder', (path) => renameSync(made, path));
    const link = await refuse('a link', (path) => symlinkSync(outside, path));
    for (const { id } of [folder, link]) {
      expect(repo.json('quarantine', 'drop', id)).toEqual({ version: 1, id, done: 'drop' });
      await goneFromQuarantine(id);
    }
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('keep me');
  });
});

test('an agent may look, but not retry or drop', async () => {
  const { repo } = shared();
  const { id } = await refuse('review-approved-guarded.md');
  for (const action of ['retry', 'drop']) {
    const refused = repo.cadreWith({ env: AGENT }, 'quarantine', action, id, '--json');
    expect(refused).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(refused.stdout)).toEqual({
      version: 1,
      error: {
        code: 'source',
        message: 'Only a person may release or drop what is in quarantine.',
        try: [],
      },
    });
  }
  expect(repo.cadreWith({ env: AGENT }, 'quarantine', 'show', id)).toMatchObject({ code: 0 });
  expect(quarantined(repo).map((one) => one.id)).toContain(id);
  expect(kept()).toContain(id);
});

test('an unknown id is refused by every action, and changes nothing', () => {
  const { repo } = shared();
  const before = kept();
  for (const action of ['show', 'retry', 'drop'])
    expect(repo.cadre('quarantine', action, '../../etc/passwd')).toEqual({
      code: 2,
      stdout: '',
      stderr: '"../../etc/passwd" is not in quarantine.\n  try: cadre quarantine list\n',
    });
  expect(kept()).toEqual(before);
});

type Making = string | ((path: string) => void);

/** What is kept beside an original. */
interface Reason {
  readonly id: string;
  readonly code: string;
  readonly why: string;
  readonly name: string;
  readonly plan?: string;
  readonly file: { readonly path: string; readonly bytes?: string };
}

/** Drops a signal that the engine refuses, and waits until it is in quarantine with its reason. */
async function refuse(name: string | Buffer, making: Making = ''): Promise<Reason> {
  const before = kept();
  const path = Buffer.concat([Buffer.from(`${shared().repo.signals}/`), Buffer.from(name)]);
  if (typeof making === 'string') writeFileSync(path, making);
  else making(String(path));
  return keptSince(before);
}

function say(repo: Repo, name: string, plan: string, input = ''): void {
  const argv = ['signal', name, '--plan', plan, '--body-file', '-'];
  expect(repo.cadreWith({ env: REVIEWER, input }, ...argv)).toMatchObject({ code: 0 });
}

/** The ids of everything in quarantine that has a reason. */
function kept(): readonly string[] {
  return readdirSync(quarantineFolder()).flatMap((name) => /^(q\d+)\.json$/.exec(name)?.slice(1) ?? []);
}

/** The entry that is new. */
async function keptSince(before: readonly string[]): Promise<Reason> {
  const [id] = await eventually(
    () => kept().filter((one) => !before.includes(one)),
    (fresh) => fresh.length > 0,
  );
  return JSON.parse(readFileSync(join(quarantineFolder(), `${id}.json`), 'utf8'));
}

async function goneFromQuarantine(id: string): Promise<void> {
  await eventually(
    () => readdirSync(quarantineFolder()).filter((name) => name.startsWith(`${id}.`)),
    (names) => names.length === 0,
  );
}

function quarantineFolder(): string {
  return join(shared().repo.state(), 'quarantine');
}
