// Plan files that people and agents edit while cadre watches, and that cadre never writes.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentsOf, named, openPieces } from '../support/pieces.ts';
import { inOverview, lastRead, planOf, readsOf, statusOf, taskOf, tasksOf, tasksRead } from '../support/plan-files.ts';
import { everythingTakenFrom, logOf, reachesStatus } from '../support/plans.ts';
import { type Repo, startEngine, temporaryRepo, withAgentAndVerify } from '../support/repo.ts';
import { sharedEngine } from '../support/shared-engine.ts';
import { USER } from '../support/world.ts';

describe('while an engine runs', () => {
  const states = {
    'removed.md': 'ready',
    'deleted.md': 'ready',
    'prose.md': 'ready',
    'numbers.md': 'ready',
    'fence.md': 'ready',
    'conflict.md': 'ready',
    'bytes.md': 'ready',
    'empty.md': 'ready',
    'folder.md': 'ready',
    'link.md': 'ready',
    'written-by-agent.md': 'planning',
    'beside.md': 'ready',
  };
  const shared = sharedEngine(states, planOf('Dig'));

  /** Reading a file without changes leaves no trace, so this saves another plan and waits for that: files are read in order. */
  let edits = 0;
  const untilNoticed = async (repo: Repo): Promise<void> => {
    const name = `Edit ${++edits}`;
    repo.writePlan('beside.md', planOf(name));
    await tasksRead(repo, 'beside.md', name);
  };

  test('a removed task is stale and keeps its place, and is restored when it comes back', async () => {
    const { repo } = shared();
    repo.writePlan('removed.md', planOf('Dig', 'Fill', 'Paint'));
    await tasksRead(repo, 'removed.md', 'Dig', 'Fill', 'Paint');
    const before = { ids: lastRead(repo, 'removed.md'), status: statusOf(repo, 'removed.md') };
    repo.writePlan('removed.md', planOf('Dig', 'Fill', 'Paint').replace(taskOf(2, 'Fill'), ''));
    await tasksRead(repo, 'removed.md', 'Dig', 'Paint');
    expect(tasksOf(repo, 'removed.md')).toEqual(['1 Dig', '3 Paint', '2 Fill (stale)']);
    expect(inOverview(repo, 'removed.md')?.tasks['2']).toMatchObject({ instance_title: 'Task 2: Fill', stale: true });
    expect(repo.cadre('status', 'removed').stdout).toMatch(
      /No longer in the plan\n {2}-- {2}2 {2}Fill {2}planned, stale\n/,
    );
    repo.writePlan('removed.md', planOf('Dig', 'Fill', 'Paint'));
    await tasksRead(repo, 'removed.md', 'Dig', 'Fill', 'Paint');
    expect({ ids: lastRead(repo, 'removed.md'), status: statusOf(repo, 'removed.md') }).toEqual(before);
  });

  describe('an unusable file makes no task stale', () => {
    const broken: readonly { what: string; plan: string; line: number; says: RegExp; spoil: (path: string) => void }[] =
      [
        {
          what: 'an unclosed fence',
          plan: 'fence.md',
          line: 5,
          says: /fence is never closed/,
          spoil: (path) => writeFileSync(path, `# Shed\n\n**Goal:** a dry place\n\n\`\`\`sh\n${taskOf(1, 'Dig')}`),
        },
        {
          what: 'conflict markers',
          plan: 'conflict.md',
          line: 4,
          says: /Resolve the conflict/,
          spoil: (path) =>
            writeFileSync(
              path,
              `# Shed\n\n**Goal:** a dry place\n<<<<<<< HEAD\n${taskOf(1, 'Dig')}=======\n${taskOf(1, 'Drill')}>>>>>>> theirs\n`,
            ),
        },
        {
          what: 'bytes that are not text',
          plan: 'bytes.md',
          line: 1,
          says: /not UTF-8 text/,
          spoil: (path) => writeFileSync(path, Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a])),
        },
        {
          what: 'no content',
          plan: 'empty.md',
          line: 1,
          says: /is empty/,
          spoil: (path) => writeFileSync(path, ''),
        },
        {
          what: 'a folder in its place',
          plan: 'folder.md',
          line: 1,
          says: /a folder, not a file/,
          spoil: (path) => {
            rmSync(path);
            mkdirSync(path);
          },
        },
        {
          what: 'a link in its place',
          plan: 'link.md',
          line: 1,
          says: /link, not a file/,
          spoil: (path) => {
            rmSync(path);
            symlinkSync('beside.md', path);
          },
        },
      ];
    for (const { what, plan, line, says, spoil } of broken)
      test(`with ${what}`, async () => {
        const { repo } = shared();
        const path = join(repo.plans, plan);
        repo.writePlan(plan, planOf('Dig', 'Fill'));
        await tasksRead(repo, plan, 'Dig', 'Fill');
        const before = { reads: readsOf(repo, plan), tasks: statusOf(repo, plan).tasks };

        spoil(path);
        await untilNoticed(repo);
        const { file, tasks } = statusOf(repo, plan);
        expect({ reads: readsOf(repo, plan), tasks }).toEqual(before);
        const errors = file.problems.filter(({ severity }) => severity === 'error');
        expect([file.state, errors[0]]).toMatchObject(['unusable', { line, message: expect.stringMatching(says) }]);
        const { code, stdout } = repo.cadre('status', plan);
        expect(code).toBe(0);
        expect(stdout).toMatch(new RegExp(`^docs/plans/${plan}:${line}:1: error: .*${says.source}`, 'm'));
        expect(stdout).not.toMatch(/Dig|Fill/);
        expect(repo.cadre('status').stdout).toMatch(new RegExp(`^docs/plans/${plan}:${line}:1: error: `, 'm'));

        rmSync(path, { recursive: true });
        repo.writePlan(plan, planOf('Dig', 'Fill', 'Paint'));
        await tasksRead(repo, plan, 'Dig', 'Fill', 'Paint');
        expect(tasksOf(repo, plan)).toEqual(['1 Dig', '2 Fill', '3 Paint']);
        expect(readsOf(repo, plan).flatMap(({ stale }) => stale)).toEqual(before.reads.flatMap(({ stale }) => stale));
      });
  });

  test('a deleted file is shown as missing, and everything is restored when it comes back', async () => {
    const { repo } = shared();
    repo.writePlan('deleted.md', planOf('Dig', 'Fill'));
    await tasksRead(repo, 'deleted.md', 'Dig', 'Fill');
    const before = { reads: readsOf(repo, 'deleted.md'), status: statusOf(repo, 'deleted.md') };
    rmSync(join(repo.plans, 'deleted.md'));
    await untilNoticed(repo);
    expect(statusOf(repo, 'deleted.md')).toEqual({ ...before.status, file: { state: 'missing', problems: [] } });
    expect(repo.cadre('status', 'deleted').stdout).toMatch(/^docs\/plans\/deleted\.md is missing\./m);
    expect(repo.cadre('status').stdout).toMatch(/^docs\/plans\/deleted\.md is missing; /m);
    repo.writePlan('deleted.md', planOf('Dig', 'Fill'));
    await untilNoticed(repo);
    expect({ reads: readsOf(repo, 'deleted.md'), status: statusOf(repo, 'deleted.md') }).toEqual(before);
  });

  test('edits outside of tasks write no record', async () => {
    const { repo } = shared();
    repo.writePlan('prose.md', planOf('Dig', 'Fill'));
    await tasksRead(repo, 'prose.md', 'Dig', 'Fill');
    const before = logOf(repo, 'prose.md');
    repo.writePlan('prose.md', planOf('Dig', 'Fill').replace('a dry place', 'a very dry place\n\nIt rains here.'));
    await untilNoticed(repo);
    expect(logOf(repo, 'prose.md')).toEqual(before);
  });

  test('a task inserted at the top renumbers the others, which keep their ids', async () => {
    const { repo } = shared();
    repo.writePlan('numbers.md', planOf('Dig', 'Fill'));
    await tasksRead(repo, 'numbers.md', 'Dig', 'Fill');
    const [before, ids] = [readsOf(repo, 'numbers.md').length, lastRead(repo, 'numbers.md')];
    repo.writePlan('numbers.md', planOf('Measure', 'Dig', 'Fill'));
    await tasksRead(repo, 'numbers.md', 'Measure', 'Dig', 'Fill');
    const [read, ...more] = readsOf(repo, 'numbers.md').slice(before);
    expect(more).toEqual([]);
    expect(read?.tasks.slice(1).map(({ id, name }) => `${id} ${name}`)).toEqual(ids);
    expect(read?.tasks.map(({ address, name }) => `${address} ${name}`)).toEqual(['1 Measure', '2 Dig', '3 Fill']);
  });

  test('a plan gets its tasks when an agent reports that it is written', async () => {
    const { repo } = shared();
    repo.writePlan('written-by-agent.md', planOf('Dig', 'Fill'));
    repo.writePlan('unheard-of.md', planOf('Saw', 'Nail'));
    for (const plan of ['written-by-agent.md', 'unheard-of.md']) {
      mkdirSync(repo.signals, { recursive: true });
      writeFileSync(join(repo.signals, `planner-finished-${plan}`), '');
      await reachesStatus(repo, plan, 'ready');
    }
    await tasksRead(repo, 'written-by-agent.md', 'Dig', 'Fill');
    await tasksRead(repo, 'unheard-of.md', 'Saw', 'Nail');
    expect(tasksOf(repo, 'unheard-of.md')).toEqual(['1 Saw', '2 Nail']);
  });
});

test('a launched task keeps its state while it is not in the file, and is marked when its text changes', async () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md', planOf('Dig', 'Fill'));
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
  await openPieces(repo).gateway.submit([
    { kind: 'act', act: 'launch', plan: named('a.md'), task: '1', by: USER },
    // So that no agent is started for it.
    { kind: 'freeze', by: USER },
  ]);
  await startEngine(repo);
  repo.writePlan('a.md', planOf('Dig', 'Fill').replace(taskOf(1, 'Dig'), ''));
  await tasksRead(repo, 'a.md', 'Fill');
  expect(statusOf(repo, 'a').tasks[1]).toMatchObject({ task: '1', state: 'implementing', stale: true, changed: false });
  repo.writePlan('a.md', planOf('Dig', 'Fill').replace('an hour', 'a day'));
  await tasksRead(repo, 'a.md', 'Dig', 'Fill');
  expect(statusOf(repo, 'a').tasks[0]).toMatchObject({ task: '1', state: 'implementing', stale: false, changed: true });
  expect(repo.cadre('status', 'a').stdout).toMatch(
    />> {2}1 {2}Dig {3}implementing, (?:halted, )?text changed since launch {2}/,
  );
});

test('an engine reads edits made before it started', async () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md', planOf('Dig'));
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  repo.writePlan('a.md', planOf('Dig', 'Fill'));
  await startEngine(repo);
  await tasksRead(repo, 'a.md', 'Dig', 'Fill');
  expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
});

describe('without an engine', () => {
  test('status shows the tasks as the file has them now, and writes nothing', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    const before = [contentsOf(repo.home), contentsOf(repo.root)];
    repo.writePlan('a.md', planOf('Dig', 'Paint'));
    expect(tasksOf(repo, 'a')).toEqual(['1 Dig', '2 Paint', '2~3 Fill (stale)']);
    expect(repo.cadre('status').stdout).toMatch(/ 2 {2}Paint {2}planned, blocked by 1\n/);
    expect(repo.cadre('why', 'a#2').stdout).toMatch(/^a\.md#2 \(Paint\) is planned/);
    repo.writePlan('a.md', planOf('Dig', 'Fill'));
    expect(tasksOf(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
    expect([contentsOf(repo.home), contentsOf(repo.root)]).toEqual(before);
  });

  test('register reads the file', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
    expect(Object.keys(inOverview(repo, 'a.md')?.tasks ?? {})).toEqual(['1', '2']);
  });

  test('a plan with an unusable file is registered without tasks', () => {
    const repo = registered('# Shed\n\n```\n');
    expect(readsOf(repo, 'a')).toEqual([]);
    expect(statusOf(repo, 'a')).toMatchObject({ tasks: [], file: { state: 'unusable' } });
  });

  test('a symbolic link to a plan is not registered, because it would not be read', () => {
    const repo = registered(planOf('Dig'));
    symlinkSync('a.md', join(repo.plans, 'link.md'));
    expect(repo.cadre('register', 'link')).toMatchObject({ code: 2, stdout: '' });
    expect(repo.cadre('status').stdout).not.toMatch('link.md');
  });

  test('implement_start reads the file as it is now', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    repo.writePlan('a.md', planOf('Dig', 'Fill', 'Paint'));
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({
      code: 0,
      stdout: 'a.md: ready -> implementing\n',
    });
    expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill', '3 Paint']);
  });

  test('implement_start with an unusable file is refused with the line, and changes nothing', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    const before = contentsOf(repo.home);
    repo.writePlan('a.md', '# Shed\n\n```\n');
    const sentence =
      'a.md cannot be built: line 3: This code fence is never closed, so everything below it is code. Close it.';
    expect(repo.cadre('move', 'a', 'implement_start')).toEqual({
      code: 2,
      stdout: '',
      stderr: `${sentence}\n  try: cadre plan lint a.md\n`,
    });
    expect(repo.json('move', 'a', 'implement_start')).toEqual({
      version: 1,
      error: { code: 'unusable-file', message: sentence, try: ['cadre plan lint a.md'] },
    });
    expect([repo.status('a.md'), contentsOf(repo.home)]).toEqual(['ready', before]);
  });

  test('implement_start with a missing file is refused', () => {
    const repo = registered(planOf('Dig'));
    rmSync(join(repo.plans, 'a.md'));
    expect(repo.cadre('move', 'a', 'implement_start')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'a.md cannot be built: docs/plans/a.md does not exist. Restore it, then try again.\n',
    });
    expect(repo.status('a.md')).toBe('ready');
  });

  test('a plan can be cancelled whatever the state of its file', () => {
    const repo = registered(planOf('Dig'));
    rmSync(join(repo.plans, 'a.md'));
    expect(repo.cadre('cancel', 'a')).toMatchObject({ code: 0 });
  });
});

test('cadre never writes a plan: bytes, inode and times stay the same', async () => {
  const repo = withAgentAndVerify(temporaryRepo());
  for (const plan of ['a.md', 'b.md', 'c.md']) repo.writePlan(plan, planOf('Dig', 'Fill'));
  repo.writePlan('broken.md', '# Shed\n\n```\n');
  const before = factsOfPlans(repo);
  const engine = await startEngine(repo);
  for (const argv of [
    'register a --topic sheds',
    'register broken',
    'plan use b',
    'plan show a',
    'plan lint broken',
    'plan diff a',
    'plan diff docs/plans/a.md docs/plans/b.md',
    'status',
    'why a#1',
    'move a plan_start',
    'signal planner-finished --plan a',
  ])
    expect(repo.cadre(...argv.split(' ')), argv).toMatchObject({ code: argv === 'plan lint broken' ? 1 : 0 });
  await reachesStatus(repo, 'a.md', 'ready');
  writeFileSync(join(repo.signals, 'planner-finished-c.md'), '');
  await everythingTakenFrom(repo.signals);
  await tasksRead(repo, 'c.md', 'Dig', 'Fill');
  for (const argv of [
    'move a implement_start',
    'move broken implement_start',
    'move a implement_finished',
    'move a review_approved',
    'start-over a',
    'cancel a',
    'reopen a',
    'plan use --newest',
    'doctor',
    'log',
  ])
    expect(repo.cadre(...argv.split(' ')), argv).toMatchObject({ code: argv.includes('broken') ? 2 : 0 });
  expect(await engine.stop()).toBe(0);
  expect(factsOfPlans(repo)).toEqual(before);
});

function registered(text: string): Repo {
  const repo = temporaryRepo();
  repo.writePlan('a.md', text);
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  return repo;
}

function factsOfPlans(repo: Repo): readonly unknown[] {
  return readdirSync(repo.plans)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const path = join(repo.plans, name);
      const { ino, mode, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
      return { name, ino, mode, mtimeNs, ctimeNs, text: readFileSync(path, 'latin1') };
    });
}
