// Plans as files that people and agents edit while cadre looks on, and that cadre itself never touches.
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { contentsOf, named, openPieces } from '../support/pieces.ts';
import { inOverview, lastRead, planOf, readsOf, statusOf, takenIn, taskOf, tasksOf } from '../support/plan-files.ts';
import { bringPlans, everythingTakenFrom, logOf, standsAt } from '../support/plans.ts';
import { type Engine, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';
import { sharedEngine } from '../support/shared-engine.ts';
import { USER } from '../support/world.ts';

/** What a person who looks at the screen while saving calls at once. */
const SOON = 1_000;

describe('while an engine runs', () => {
  const states = {
    'renamed.md': 'ready',
    'written.md': 'ready',
    'appended.md': 'ready',
    'removed.md': 'ready',
    'deleted.md': 'ready',
    'slow.md': 'ready',
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

  /** Nothing tells that a look at a file had no result; but what is saved later is not taken in earlier. */
  let edits = 0;
  const untilNoticed = async (repo: Repo): Promise<void> => {
    const name = `Edit ${++edits}`;
    repo.writePlan('beside.md', planOf(name));
    await takenIn(repo, 'beside.md', name);
  };

  describe('a task that is added is in status, in the journal and in state.json within a second', () => {
    for (const { how, plan, save } of [
      {
        how: 'the file is replaced by another',
        plan: 'renamed.md',
        save: (path: string, text: string) => {
          writeFileSync(`${path}.new`, text);
          renameSync(`${path}.new`, path);
        },
      },
      { how: 'the file is written anew', plan: 'written.md', save: writeFileSync },
      {
        how: 'the task is appended to the file',
        plan: 'appended.md',
        save: (path: string) => appendFileSync(path, taskOf(2, 'Fill')),
      },
    ])
      test(`when ${how}`, async () => {
        const { repo } = shared();
        await takenIn(repo, plan, 'Dig');
        const [began, beganAt] = [performance.now(), Date.now()];
        save(join(repo.plans, plan), planOf('Dig', 'Fill'));
        await takenIn(repo, plan, 'Dig', 'Fill');
        expect(performance.now() - began).toBeLessThan(SOON);
        const read = readsOf(repo, plan).at(-1);
        expect(read?.tasks.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 Dig', '2 Fill']);
        expect(Date.parse(read?.at ?? '') - beganAt).toBeLessThan(SOON);
        expect(tasksOf(repo, plan)).toEqual(['1 Dig', '2 Fill']);
      });
  });

  test('a task that is taken out is stale and keeps its place, and is itself again when it comes back', async () => {
    const { repo } = shared();
    repo.writePlan('removed.md', planOf('Dig', 'Fill', 'Paint'));
    await takenIn(repo, 'removed.md', 'Dig', 'Fill', 'Paint');
    const before = { ids: lastRead(repo, 'removed.md'), status: statusOf(repo, 'removed.md') };
    repo.writePlan('removed.md', planOf('Dig', 'Fill', 'Paint').replace(taskOf(2, 'Fill'), ''));
    await takenIn(repo, 'removed.md', 'Dig', 'Paint');
    expect(tasksOf(repo, 'removed.md')).toEqual(['1 Dig', '3 Paint', '2 Fill (stale)']);
    expect(inOverview(repo, 'removed.md')?.tasks['2']).toMatchObject({ instance_title: 'Task 2: Fill', stale: true });
    expect(repo.cadre('status', 'removed').stdout).toMatch(
      /No longer in the plan\n {2}-- {2}2 {2}Fill {2}planned, stale\n/,
    );
    repo.writePlan('removed.md', planOf('Dig', 'Fill', 'Paint'));
    await takenIn(repo, 'removed.md', 'Dig', 'Fill', 'Paint');
    expect({ ids: lastRead(repo, 'removed.md'), status: statusOf(repo, 'removed.md') }).toEqual(before);
  });

  describe('a file that cannot be used makes nothing stale', () => {
    const broken: readonly { what: string; plan: string; line: number; says: RegExp; spoil: (path: string) => void }[] =
      [
        {
          what: 'a fence that is not closed',
          plan: 'fence.md',
          line: 5,
          says: /fence is never closed/,
          spoil: (path) => writeFileSync(path, `# Shed\n\n**Goal:** a dry place\n\n\`\`\`sh\n${taskOf(1, 'Dig')}`),
        },
        {
          what: 'markers of a merge conflict',
          plan: 'conflict.md',
          line: 4,
          says: /conflicts\. Resolve it/,
          spoil: (path) =>
            writeFileSync(
              path,
              `# Shed\n\n**Goal:** a dry place\n<<<<<<< HEAD\n${taskOf(1, 'Dig')}=======\n${taskOf(1, 'Drill')}>>>>>>> theirs\n`,
            ),
        },
        {
          what: 'bytes that are no text',
          plan: 'bytes.md',
          line: 1,
          says: /not text in UTF-8/,
          spoil: (path) => writeFileSync(path, Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a])),
        },
        {
          what: 'nothing in it',
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
        await takenIn(repo, plan, 'Dig', 'Fill');
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
        await takenIn(repo, plan, 'Dig', 'Fill', 'Paint');
        expect(tasksOf(repo, plan)).toEqual(['1 Dig', '2 Fill', '3 Paint']);
        expect(readsOf(repo, plan).flatMap(({ stale }) => stale)).toEqual(before.reads.flatMap(({ stale }) => stale));
      });
  });

  test('a file that is deleted is shown as gone, and all is as before when it comes back', async () => {
    const { repo } = shared();
    repo.writePlan('deleted.md', planOf('Dig', 'Fill'));
    await takenIn(repo, 'deleted.md', 'Dig', 'Fill');
    const before = { reads: readsOf(repo, 'deleted.md'), status: statusOf(repo, 'deleted.md') };
    rmSync(join(repo.plans, 'deleted.md'));
    await untilNoticed(repo);
    expect(statusOf(repo, 'deleted.md')).toEqual({ ...before.status, file: { state: 'missing', problems: [] } });
    expect(repo.cadre('status', 'deleted').stdout).toMatch(/^docs\/plans\/deleted\.md is gone\./m);
    expect(repo.cadre('status').stdout).toMatch(/^docs\/plans\/deleted\.md is gone; /m);
    repo.writePlan('deleted.md', planOf('Dig', 'Fill'));
    await untilNoticed(repo);
    expect({ reads: readsOf(repo, 'deleted.md'), status: statusOf(repo, 'deleted.md') }).toEqual(before);
  });

  test('a file that grows for a while is taken in once, when it is whole', async () => {
    const { repo } = shared();
    const path = join(repo.plans, 'slow.md');
    const names = Array.from({ length: 20 }, (_, index) => `Slow${index + 1}`);
    const before = readsOf(repo, 'slow.md').length;
    writeFileSync(path, '# Shed\n\n**Goal:** a dry place\n');
    // The pace of the writer, not a wait: at 30 ms a piece the whole takes 600.
    for (const [index, name] of names.entries()) {
      await pause(30);
      appendFileSync(path, taskOf(index + 1, name));
    }
    await takenIn(repo, 'slow.md', ...names);
    expect(
      readsOf(repo, 'slow.md')
        .slice(before)
        .map(({ tasks }) => tasks.length),
    ).toEqual([names.length]);
  });

  test('prose that belongs to no task can be edited without a record', async () => {
    const { repo } = shared();
    repo.writePlan('prose.md', planOf('Dig', 'Fill'));
    await takenIn(repo, 'prose.md', 'Dig', 'Fill');
    const before = logOf(repo, 'prose.md');
    repo.writePlan('prose.md', planOf('Dig', 'Fill').replace('a dry place', 'a very dry place\n\nIt rains here.'));
    await untilNoticed(repo);
    expect(logOf(repo, 'prose.md')).toEqual(before);
  });

  test('a task that is put in front renumbers the others, which keep their ids', async () => {
    const { repo } = shared();
    repo.writePlan('numbers.md', planOf('Dig', 'Fill'));
    await takenIn(repo, 'numbers.md', 'Dig', 'Fill');
    const [before, ids] = [readsOf(repo, 'numbers.md').length, lastRead(repo, 'numbers.md')];
    repo.writePlan('numbers.md', planOf('Measure', 'Dig', 'Fill'));
    await takenIn(repo, 'numbers.md', 'Measure', 'Dig', 'Fill');
    const [read, ...more] = readsOf(repo, 'numbers.md').slice(before);
    expect(more).toEqual([]);
    expect(read?.tasks.slice(1).map(({ id, name }) => `${id} ${name}`)).toEqual(ids);
    expect(read?.tasks.map(({ address, name }) => `${address} ${name}`)).toEqual(['1 Measure', '2 Dig', '3 Fill']);
  });

  test('a plan that an agent says is written gets its tasks', async () => {
    const { repo } = shared();
    repo.writePlan('written-by-agent.md', planOf('Dig', 'Fill'));
    repo.writePlan('unheard-of.md', planOf('Saw', 'Nail'));
    for (const plan of ['written-by-agent.md', 'unheard-of.md']) {
      mkdirSync(repo.signals, { recursive: true });
      writeFileSync(join(repo.signals, `planner-finished-${plan}`), '');
      await standsAt(repo, plan, 'ready');
    }
    await takenIn(repo, 'written-by-agent.md', 'Dig', 'Fill');
    await takenIn(repo, 'unheard-of.md', 'Saw', 'Nail');
    expect(tasksOf(repo, 'unheard-of.md')).toEqual(['1 Saw', '2 Nail']);
  });
});

test('a task that was launched keeps its state while it is out of the file, and knows that its text has changed', async () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md', planOf('Dig', 'Fill'));
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
  await openPieces(repo).gateway.submit([
    { kind: 'task-move', plan: named('a.md'), task: '1', event: 'launch', by: USER },
  ]);
  await startEngine(repo);
  repo.writePlan('a.md', planOf('Dig', 'Fill').replace(taskOf(1, 'Dig'), ''));
  await takenIn(repo, 'a.md', 'Fill');
  expect(statusOf(repo, 'a').tasks[1]).toMatchObject({ task: '1', state: 'implementing', stale: true, changed: false });
  repo.writePlan('a.md', planOf('Dig', 'Fill').replace('an hour', 'a day'));
  await takenIn(repo, 'a.md', 'Dig', 'Fill');
  expect(statusOf(repo, 'a').tasks[0]).toMatchObject({ task: '1', state: 'implementing', stale: false, changed: true });
  expect(repo.cadre('status', 'a').stdout).toMatch(/>> {2}1 {2}Dig {3}implementing, text changed since launch\n/);
});

test('what was edited while no engine ran is taken in when one starts', async () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md', planOf('Dig'));
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  repo.writePlan('a.md', planOf('Dig', 'Fill'));
  await startEngine(repo);
  await takenIn(repo, 'a.md', 'Dig', 'Fill');
  expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
});

describe('with two hundred plans', () => {
  const PLANS = Array.from({ length: 200 }, (_, index) => `plan-${index}.md`);

  const engineOfMany = async (): Promise<{ repo: Repo; engine: Engine }> => {
    const repo = temporaryRepo();
    bringPlans(repo, Object.fromEntries(PLANS.map((plan) => [plan, 'ready'])), planOf('Dig'));
    const engine = await startEngine(repo);
    for (const plan of PLANS) await takenIn(repo, plan, 'Dig');
    return { repo, engine };
  };

  test('an edit of one is in state.json within a second, and the others are left alone', async () => {
    const { repo } = await engineOfMany();
    const before = logOf(repo).length;
    const began = performance.now();
    repo.writePlan('plan-150.md', planOf('Dig', 'Fill'));
    await takenIn(repo, 'plan-150.md', 'Dig', 'Fill');
    expect(performance.now() - began).toBeLessThan(SOON);
    expect(
      logOf(repo)
        .slice(before)
        .map(({ plan, event }) => [plan, event]),
    ).toEqual([['plan-150.md', 'plan_read']]);
  });

  needing('proc', () => {
    test('an engine that has nothing to do uses less than a twentieth of a processor', async () => {
      const { engine } = await engineOfMany();
      const over = 3_000;
      const before = processorTimeOf(engine);
      // Not a wait for anything: the time over which is measured.
      await pause(over);
      expect(processorTimeOf(engine) - before).toBeLessThan(over / 20);
    });
  });
});

describe('without an engine', () => {
  test('status shows the tasks as the file has them now, and writes nothing', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    const before = [contentsOf(repo.home), contentsOf(repo.root)];
    repo.writePlan('a.md', planOf('Dig', 'Paint'));
    expect(tasksOf(repo, 'a')).toEqual(['1 Dig', '2 Paint', '2~2 Fill (stale)']);
    expect(repo.cadre('status').stdout).toMatch(/ 2 {2}Paint {2}planned, blocked by 1\n/);
    expect(repo.cadre('why', 'a#2').stdout).toMatch(/^a\.md#2 \(Paint\) is planned/);
    repo.writePlan('a.md', planOf('Dig', 'Fill'));
    expect(tasksOf(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
    expect([contentsOf(repo.home), contentsOf(repo.root)]).toEqual(before);
  });

  test('register takes the file in', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
    expect(Object.keys(inOverview(repo, 'a.md')?.tasks ?? {})).toEqual(['1', '2']);
  });

  test('a plan whose file cannot be used is registered all the same, and has no tasks yet', () => {
    const repo = registered('# Shed\n\n```\n');
    expect(readsOf(repo, 'a')).toEqual([]);
    expect(statusOf(repo, 'a')).toMatchObject({ tasks: [], file: { state: 'unusable' } });
  });

  test('a link to a plan is not registered, since it would not be read', () => {
    const repo = registered(planOf('Dig'));
    symlinkSync('a.md', join(repo.plans, 'link.md'));
    expect(repo.cadre('register', 'link')).toMatchObject({ code: 2, stdout: '' });
    expect(repo.cadre('status').stdout).not.toMatch('link.md');
  });

  test('implement_start takes the file in as it is now', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    repo.writePlan('a.md', planOf('Dig', 'Fill', 'Paint'));
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({
      code: 0,
      stdout: 'a.md: ready -> implementing\n',
    });
    expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill', '3 Paint']);
  });

  test('implement_start of a file that cannot be used is refused with the line, and changes nothing', () => {
    const repo = registered(planOf('Dig', 'Fill'));
    const before = contentsOf(repo.home);
    repo.writePlan('a.md', '# Shed\n\n```\n');
    const sentence =
      'a.md cannot be built from: line 3: This code fence is never closed, so everything below it is code. Close it. "cadre plan lint a.md" lists all.';
    expect(repo.cadre('move', 'a', 'implement_start')).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
    expect(repo.json('move', 'a', 'implement_start')).toEqual({
      version: 1,
      error: { code: 'unusable-file', message: sentence },
    });
    expect([repo.status('a.md'), contentsOf(repo.home)]).toEqual(['ready', before]);
  });

  test('implement_start of a file that is gone is refused', () => {
    const repo = registered(planOf('Dig'));
    rmSync(join(repo.plans, 'a.md'));
    expect(repo.cadre('move', 'a', 'implement_start')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'a.md cannot be built from: docs/plans/a.md does not exist. Restore it, then try again.\n',
    });
    expect(repo.status('a.md')).toBe('ready');
  });

  test('a plan can be cancelled whatever became of its file', () => {
    const repo = registered(planOf('Dig'));
    rmSync(join(repo.plans, 'a.md'));
    expect(repo.cadre('cancel', 'a')).toMatchObject({ code: 0 });
  });
});

test('cadre writes to no plan: bytes, inode and times are the same after everything', async () => {
  const repo = temporaryRepo();
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
  await standsAt(repo, 'a.md', 'ready');
  writeFileSync(join(repo.signals, 'planner-finished-c.md'), '');
  await everythingTakenFrom(repo.signals);
  await takenIn(repo, 'c.md', 'Dig', 'Fill');
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

/** In milliseconds, as the system counts it: its own and that of its threads. */
function processorTimeOf({ process }: Engine): number {
  const line = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // After the name the 12th and 13th are the time spent in the program and in the system, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
