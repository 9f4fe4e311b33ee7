// Refused signals as a person sees to them: listed, shown, put back, dropped; and never by an agent.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  boxOf,
  bringPlans,
  everythingTakenFrom,
  type QuarantinedJson,
  quarantined,
  standsAt,
  visibleIn,
} from '../support/plans.ts';
import { type Engine, eventually, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';

const AGENT = { CADRE_SESSION: 's-1', CADRE_ROLE: 'implementer' };
const REVIEWER = { CADRE_SESSION: 's-2', CADRE_ROLE: 'reviewer' };

test('an empty quarantine is listed as such', () => {
  const repo = temporaryRepo();
  expect(repo.cadre('quarantine')).toEqual({ code: 0, stdout: 'Nothing is in quarantine.\n', stderr: '' });
  expect(repo.json('quarantine', 'list')).toEqual({ version: 1, quarantined: [] });
});

test('what was refused is listed with its reason and shown with what it said', async () => {
  const repo = temporaryRepo();
  const { id, why, file } = await refuse(repo, { 'a.md': 'implementing' }, 'review-changes-a.md', 'two lines\nof it\n');
  expect(why).toBe(
    'a.md is where it was: "implementing" does not accept "review_changes_requested"; it accepts "implement_finished", "cancel".',
  );
  const [head, line, ...rest] = repo.cadre('quarantine').stdout.trimEnd().split('\n');
  expect(head).toMatch(/^id +refused +code +why$/);
  expect(line).toMatch(
    new RegExp(`^${id} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d +state +a\\.md is where it was: `),
  );
  expect(rest).toEqual([]);
  expect(repo.cadre('quarantine', 'show', id).stdout).toBe(
    `${id}: ${why}\nIt was ${file}\nIt said (16 bytes):\n  two lines\n  of it\n  \n`,
  );
  expect(repo.json('quarantine', 'show', id)).toMatchObject({
    version: 1,
    quarantined: [{ id, code: 'state', name: 'review-changes', plan: 'a.md', file }],
    original: 'two lines\nof it\n',
  });
});

test('status, why and doctor point at what was refused', async () => {
  const repo = temporaryRepo();
  const { id, why } = await refuse(repo, { 'a.md': 'implementing' }, 'review-approved-a.md');
  expect(repo.cadre('status').stdout).toContain('In quarantine: 1. "cadre quarantine" shows what was refused and why.');
  expect(repo.cadre('why', 'a').stdout).toContain(`Refused (${id}): ${why}\n`);
  expect(repo.cadre('doctor').stdout).toContain(
    'note  quarantine: 1 refused signal(s); "cadre quarantine" shows them.',
  );
});

describe('retry', () => {
  test('puts back a sentinel that was refused for its state, and it is heard once the plan has moved there', async () => {
    const repo = temporaryRepo();
    const { id } = await refuse(repo, { 'a.md': 'implementing' }, 'review-changes-a.md', 'tests are missing');
    expect(repo.cadre('move', 'a', 'implement_finished')).toMatchObject({ code: 0 });
    expect(repo.cadre('quarantine', 'retry', id)).toEqual({
      code: 0,
      stdout: `${id} will be put back and heard again.\n`,
      stderr: '',
    });
    await standsAt(repo, 'a.md', 'implementing');
    expect(repo.json('why', 'a')).toMatchObject({ plan: { feedback: 'tests are missing' } });
    expect(quarantined(repo)).toEqual([]);
    await emptied(repo);
  });

  test('without an engine is done by the next one', async () => {
    const repo = temporaryRepo();
    const { id, engine } = await refuse(repo, { 'a.md': 'implementing' }, 'review-approved-a.md');
    await engine.stop();
    expect(repo.cadre('move', 'a', 'implement_finished')).toMatchObject({ code: 0 });
    expect(repo.cadre('quarantine', 'retry', id).stdout).toBe(
      `${id} will be put back and heard again as soon as an engine runs ("cadre watch").\n`,
    );
    await startEngine(repo);
    await standsAt(repo, 'a.md', 'done');
    expect(quarantined(repo)).toEqual([]);
  });

  test('puts back a message that came too late, and it speaks about the present state', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'a.md': 'reviewing' });
    expect(repo.cadreWith({ env: REVIEWER }, 'signal', 'review-approved', '--plan', 'a')).toMatchObject({ code: 0 });
    repo.cadre('move', 'a', 'review_changes_requested', '--feedback', 'not yet');
    await startEngine(repo);
    await everythingTakenFrom(boxOf(repo, 's-2'));
    expect(repo.status('a.md')).toBe('implementing');
    const [late] = quarantined(repo);
    expect(late).toMatchObject({ code: 'stale', name: 'review-approved', plan: 'a.md' });

    repo.cadre('move', 'a', 'implement_finished');
    expect(repo.json('quarantine', 'retry', late?.id ?? '')).toEqual({ version: 1, id: late?.id, done: 'retry' });
    await standsAt(repo, 'a.md', 'done');
    expect(quarantined(repo)).toEqual([]);
    await emptied(repo);
  });

  test('of what is still not fit ends in quarantine again, under a new id', async () => {
    const repo = temporaryRepo();
    const { id } = await refuse(repo, { 'a.md': 'implementing' }, 'review-approved-a.md');
    expect(repo.cadre('quarantine', 'retry', id)).toMatchObject({ code: 0 });
    const again = await nextId(repo, id);
    expect(quarantined(repo)).toMatchObject([{ id: again, code: 'state', plan: 'a.md' }]);
  });

  test('waits until another file in its place is taken, and none of the two is lost', async () => {
    const repo = temporaryRepo();
    const first = await refuse(repo, { 'a.md': 'implementing' }, 'review-changes-a.md', 'the first');
    await first.engine.stop();
    repo.cadre('move', 'a', 'implement_finished');
    writeFileSync(first.file, 'the second');
    expect(repo.cadre('quarantine', 'retry', first.id)).toMatchObject({ code: 0 });
    await startEngine(repo);
    await standsAt(repo, 'a.md', 'implementing');
    expect(repo.json('why', 'a')).toMatchObject({ plan: { feedback: 'the second' } });
    const again = await nextId(repo, first.id);
    expect(repo.json('quarantine', 'show', again)).toMatchObject({ original: 'the first' });
  });

  test('gives a file back its name to the byte', async () => {
    const repo = temporaryRepo();
    const name = Buffer.concat([Buffer.from('review-approved-'), Buffer.from([0xff, 0x1b, 0x0a]), Buffer.from('.md')]);
    const { id } = await refuse(repo, {}, name);
    repo.cadre('quarantine', 'retry', id);
    const again = await nextId(repo, id);
    const { file } = JSON.parse(readFileSync(join(quarantineOf(repo), `${again}.json`), 'utf8'));
    expect(Buffer.from(file.bytes, 'base64')).toEqual(Buffer.concat([Buffer.from(`${repo.signals}/`), name]));
    expect(visibleIn(repo.signals)).toEqual([]);
  });

  test('of a huge message puts it back without reading it', async () => {
    const repo = temporaryRepo();
    const engine = await startEngine(repo);
    const box = boxOf(repo, 's-2');
    mkdirSync(box, { recursive: true });
    const file = openSync(join(box, 'huge.json'), 'w');
    ftruncateSync(file, 2 ** 40);
    closeSync(file);
    const id = await nextId(repo);
    await everythingTakenFrom(box);
    expect(repo.cadre('quarantine', 'retry', id)).toMatchObject({ code: 0 });
    const again = await nextId(repo, id);
    expect(quarantined(repo)).toMatchObject([{ id: again, code: 'too-large' }]);
    expect(engine.lines.filter((line) => line.startsWith('!!'))).toEqual([]);
  });
});

describe('drop', () => {
  test('removes the original, its reason and its place on the list', async () => {
    const repo = temporaryRepo();
    const { id } = await refuse(repo, {}, 'misspelt.md');
    expect(readdirSync(quarantineOf(repo)).sort()).toEqual([`${id}.json`, `${id}.original`]);
    expect(repo.cadre('quarantine', 'drop', id)).toEqual({ code: 0, stdout: `${id} will be deleted.\n`, stderr: '' });
    expect(quarantined(repo)).toEqual([]);
    await emptied(repo);
    expect(repo.cadre('quarantine', 'drop', id)).toMatchObject({ code: 2 });
  });

  test('removes a folder with all that is in it, and of a link only the link', async () => {
    const repo = temporaryRepo();
    const outside = join(repo.root, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'precious'), 'keep me');
    const { id } = await refuse(repo, {}, 'review-approved-a.md', (path) => {
      mkdirSync(path);
      symlinkSync(outside, join(path, 'out'));
      writeFileSync(join(path, 'in'), 'x');
    });
    symlinkSync(outside, join(repo.signals, 'review-approved-b.md'));
    const link = await nextId(repo, id);
    await everythingTakenFrom(repo.signals);
    expect(repo.json('quarantine', 'drop', id)).toEqual({ version: 1, id, done: 'drop' });
    expect(repo.json('quarantine', 'drop', link)).toEqual({ version: 1, id: link, done: 'drop' });
    await emptied(repo);
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('keep me');
  });
});

test('an agent may look, but neither put back nor drop', async () => {
  const repo = temporaryRepo();
  const { id } = await refuse(repo, { 'a.md': 'implementing' }, 'review-approved-a.md');
  for (const action of ['retry', 'drop']) {
    const refused = repo.cadreWith({ env: AGENT }, 'quarantine', action, id, '--json');
    expect(refused).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(refused.stdout)).toEqual({
      version: 1,
      error: {
        code: 'source',
        message: 'What is in quarantine is for a person to see to; an agent cannot release or drop it.',
      },
    });
  }
  expect(visibleIn(repo.signals)).toEqual([]);
  expect(existsSync(join(quarantineOf(repo), `${id}.original`))).toBe(true);
  expect(repo.cadreWith({ env: AGENT }, 'quarantine', 'show', id)).toMatchObject({ code: 0 });
  expect(quarantined(repo).map((one) => one.id)).toEqual([id]);
});

test('an unknown id is refused, whatever is to be done with it, and changes nothing', async () => {
  const repo = temporaryRepo();
  const { id } = await refuse(repo, {}, 'misspelt.md');
  for (const action of ['show', 'retry', 'drop'])
    expect(repo.cadre('quarantine', action, '../../etc/passwd')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no "../../etc/passwd" in quarantine. "cadre quarantine list" shows what is there.\n',
    });
  expect(quarantined(repo).map((one) => one.id)).toEqual([id]);
});

type Making = string | ((path: string) => void);

/** Drops something that a running engine refuses, and waits until it is in quarantine with its reason. */
async function refuse(
  repo: Repo,
  plans: Readonly<Record<string, string>>,
  name: string | Buffer,
  making: Making = '',
): Promise<QuarantinedJson & { readonly engine: Engine }> {
  if (Object.keys(plans).length > 0) bringPlans(repo, plans);
  const engine = await startEngine(repo);
  const path = Buffer.concat([Buffer.from(`${repo.signals}/`), Buffer.from(name)]);
  if (typeof making === 'string') writeFileSync(path, making);
  else making(String(path));
  const id = await nextId(repo);
  const refused = quarantined(repo).find((one) => one.id === id);
  if (refused === undefined) throw new Error(`${id} is not on the list.`);
  return { ...refused, engine };
}

/** The id under which the next signal lies in quarantine with its reason, after the one before. */
async function nextId(repo: Repo, before = ''): Promise<string> {
  const ids = await eventually(
    () => readdirSync(quarantineOf(repo)).flatMap((name) => /^(q\d+)\.json$/.exec(name)?.slice(1) ?? []),
    (all) => all.some((id) => id !== before),
  );
  return ids.find((id) => id !== before) ?? '';
}

async function emptied(repo: Repo): Promise<void> {
  await eventually(
    () => readdirSync(quarantineOf(repo)),
    (names) => names.length === 0,
  );
}

function quarantineOf(repo: Repo): string {
  return join(repo.state(), 'quarantine');
}
