// A refused command leaves no trace: cadre's own folder and the repository are byte for byte what they were.
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { planOf } from '../support/plan-files.ts';
import { implementing, PLAN, planRepo, tasksOf } from '../support/plan-runs.ts';
import { REMOVAL, type Repo, repoIn, temporaryRepo } from '../support/repo.ts';

const BAD = '### Task 1: A\n\n```\nnever closed\n';

/** Command lines that are refused in a repository with a plan in every state, none of which an engine builds. */
const REFUSED: readonly (readonly string[])[] = [
  ['run', 'bad'],
  ['run', 'json'],
  ['run', 'nosuch'],
  ['run', 'new', '--max-parallel', '0'],
  ['run', 'cancelled'],
  ['run', 'done'],
  ['register', 'nosuch'],
  ['register', 'ready'],
  ['register', 'json'],
  ['register', 'a b'],
  ['plan', 'use', 'nosuch'],
  ['plan', 'use', 'ready', '--newest'],
  ['move', 'ready', 'review_approved'],
  ['move', 'ready', 'nonsense'],
  ['move', 'new', 'implement_start'],
  ['move', 'spoilt', 'implement_start'],
  ['cancel', 'cancelled'],
  ['cancel', 'nosuch'],
  ['reopen', 'ready'],
  ['start-over', 'ready'],
  ['adopt', 'ready'],
  ['land', 'ready'],
  ...['retry', 'revert', 'mark-done', 'next', 'back', 'abandon', 'merge-anyway'].map((act) => [act, 'ready#1']),
  ['launch', 'ready#9'],
  ...['launch', 'retry', 'revert', 'next', 'back', 'abandon', 'merge-anyway'].map((act) => [act, 'building#2']),
  ['launch', 'building#9'],
  ['approve', 'building#1'],
  ['approve', 'ready'],
  ['approve', 'building#1', '--override'],
  ['reject', 'building#1'],
  ['reject', 'building#1', '--feedback', 'no'],
  ['answer', 'building#1', 'yes'],
  ['diff', 'building#9'],
  ['session', 'stop', 's99'],
  ['session', 'send', 's99', 'hello'],
  ['session', 'new', '--program', 'no-such-program', 'hello'],
  ['session', 'switch', 's99'],
  ['quarantine', 'retry', 'q99'],
  ['quarantine', 'drop', 'q99'],
  ['config', 'set', 'no_such_setting', '1'],
  ['config', 'set', 'limits', 'x'],
  ['signal', 'nonsense', '--plan', 'ready'],
  ['signal', 'implement-finished', '--plan', 'nosuch'],
  ['signal', 'planner-finished', '--plan', 'ready'],
];

describe('without an engine', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-test-')));
  let repo: Repo;
  beforeAll(() => {
    repo = plansInEveryState(base);
    return () => rmSync(base, REMOVAL);
  });

  test.each(REFUSED.map((argv) => ({ line: argv.join(' '), argv })))('cadre $line', ({ argv }) => {
    const before = everythingIn(repo);
    const ran = repo.cadre(...argv);
    expect(ran.code, ran.stdout + ran.stderr).not.toBe(0);
    expect(differences(before, everythingIn(repo))).toEqual([]);
  });
});

test('in a repository that cadre does not know yet', () => {
  const repo = temporaryRepo();
  repo.writePlan('bad.md', BAD);
  repo.writePlan('new.md', planOf('Dig'));
  for (const argv of [
    ['run', 'bad'],
    ['run', 'new'],
    ['move', 'new', 'cancel'],
    ['launch', 'new#1'],
    ['quarantine', 'drop', 'q1'],
  ]) {
    const before = everythingIn(repo);
    expect(repo.cadre(...argv).code, argv.join(' ')).not.toBe(0);
    expect(differences(before, everythingIn(repo)), argv.join(' ')).toEqual([]);
  }
});

test('with an engine that was started with other options', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing()}`]) });
  expect(await repo.start('engine', 'start')).toMatchObject({ code: 0 });
  await repo.until(({ seq }) => seq > 0);
  for (const option of [['--headless'], ['--max-parallel', '1']]) {
    const before = { records: repo.records(), files: repo.git('status', '--porcelain', '--ignored') };
    const ran = await repo.start('run', PLAN, ...option);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain(`${option[0]} applies only when one starts.`);
    expect({ records: repo.records(), files: repo.git('status', '--porcelain', '--ignored') }).toEqual(before);
  }
});

function plansInEveryState(base: string): Repo {
  const repo = repoIn(base);
  writeFileSync(join(repo.root, 'cadre.json'), JSON.stringify({ default_program: 'sh', verify: 'none' }));
  const plans = ['ready', 'building', 'cancelled', 'done', 'spoilt'];
  for (const plan of plans) {
    repo.writePlan(`${plan}.md`, planOf('Dig', 'Fill'));
    expect(repo.cadre('register', plan)).toMatchObject({ code: 0 });
  }
  for (const [plan, ...events] of [
    ['building', 'implement_start'],
    ['cancelled', 'cancel'],
    ['done', 'implement_start', 'implement_finished', 'review_approved'],
  ] as const)
    for (const event of events) expect(repo.cadre('move', plan, event)).toMatchObject({ code: 0 });
  // Files that have changed since they were read: even that is not recorded with a command that is refused.
  for (const plan of ['ready', 'building']) repo.writePlan(`${plan}.md`, planOf('Dig', 'Fill', 'Sow'));
  repo.writePlan('spoilt.md', BAD);
  repo.writePlan('bad.md', BAD);
  repo.writePlan('json.md', '{"a": 1}\n');
  repo.writePlan('new.md', planOf('Dig'));
  return repo;
}

/** What was read once, so that it need not be read again. */
const MAY_BE_LOST = /\/(?:plan-state\.seen|plan-readings\.json)$/;

/** Every file and folder of cadre's home and of the repository, with a digest of its content. */
function everythingIn({ root, home }: Repo): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (path: string): void => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined || MAY_BE_LOST.test(path)) return;
    if (facts.isDirectory()) for (const name of readdirSync(path)) add(join(path, name));
    const content = facts.isFile() ? readFileSync(path) : facts.isSymbolicLink() ? readlinkSync(path) : '';
    found.set(path, createHash('sha256').update(`${facts.mode}`).update(content).digest('hex'));
  };
  for (const path of [root, home]) add(path);
  return found;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}
