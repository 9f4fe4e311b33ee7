// How soon an edit of a plan is read, and what watching costs. Runs alone; plan-files.test.ts tests what is read.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { planOf, readsOf, taskOf, tasksOf, tasksRead } from '../support/plan-files.ts';
import { bringPlans, logOf } from '../support/plans.ts';
import { type Engine, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';
import { sharedEngine } from '../support/shared-engine.ts';

/** What feels immediate to a person who saves a file and looks at the screen. */
const SOON = 1_000;

describe('while an engine runs', () => {
  const states = { 'renamed.md': 'ready', 'written.md': 'ready', 'appended.md': 'ready', 'slow.md': 'ready' };
  const shared = sharedEngine(states, planOf('Dig'));

  describe('a new task is in status, in the journal and in state.json within a second', () => {
    for (const { how, plan, save } of [
      {
        how: 'the file is replaced by another',
        plan: 'renamed.md',
        save: (path: string, text: string) => {
          writeFileSync(`${path}.new`, text);
          renameSync(`${path}.new`, path);
        },
      },
      { how: 'the file is overwritten', plan: 'written.md', save: writeFileSync },
      {
        how: 'the task is appended to the file',
        plan: 'appended.md',
        save: (path: string) => appendFileSync(path, taskOf(2, 'Fill')),
      },
    ])
      test(`when ${how}`, async () => {
        const { repo } = shared();
        await tasksRead(repo, plan, 'Dig');
        const [start, startedAt] = [performance.now(), Date.now()];
        save(join(repo.plans, plan), planOf('Dig', 'Fill'));
        await tasksRead(repo, plan, 'Dig', 'Fill');
        expect(performance.now() - start).toBeLessThan(SOON);
        const read = readsOf(repo, plan).at(-1);
        expect(read?.tasks.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 Dig', '2 Fill']);
        expect(Date.parse(read?.at ?? '') - startedAt).toBeLessThan(SOON);
        expect(tasksOf(repo, plan)).toEqual(['1 Dig', '2 Fill']);
      });
  });

  test('a file that is written in pieces is read once, when it is complete', async () => {
    const { repo } = shared();
    const path = join(repo.plans, 'slow.md');
    const names = Array.from({ length: 20 }, (_, index) => `Slow${index + 1}`);
    const before = readsOf(repo, 'slow.md').length;
    writeFileSync(path, '# Shed\n\n**Goal:** a dry place\n');
    // The pace of the writer, not a wait: 20 pieces at 30 ms each take 600 ms.
    for (const [index, name] of names.entries()) {
      await pause(30);
      appendFileSync(path, taskOf(index + 1, name));
    }
    await tasksRead(repo, 'slow.md', ...names);
    expect(
      readsOf(repo, 'slow.md')
        .slice(before)
        .map(({ tasks }) => tasks.length),
    ).toEqual([names.length]);
  });
});

describe('with two hundred plans', () => {
  const PLANS = Array.from({ length: 200 }, (_, index) => `plan-${index}.md`);

  const engineOfMany = async (): Promise<{ repo: Repo; engine: Engine }> => {
    const repo = temporaryRepo();
    bringPlans(repo, Object.fromEntries(PLANS.map((plan) => [plan, 'ready'])), planOf('Dig'));
    const engine = await startEngine(repo);
    for (const plan of PLANS) await tasksRead(repo, plan, 'Dig');
    return { repo, engine };
  };

  test('an edit of one is in state.json within a second, and the others are not touched', async () => {
    const { repo } = await engineOfMany();
    const before = logOf(repo).length;
    const start = performance.now();
    repo.writePlan('plan-150.md', planOf('Dig', 'Fill'));
    await tasksRead(repo, 'plan-150.md', 'Dig', 'Fill');
    expect(performance.now() - start).toBeLessThan(SOON);
    expect(
      logOf(repo)
        .slice(before)
        .map(({ plan, event }) => [plan, event]),
    ).toEqual([['plan-150.md', 'plan_read']]);
  });

  needing('proc', () => {
    test('an idle engine uses less than a twentieth of a processor', async () => {
      const { engine } = await engineOfMany();
      const over = 3_000;
      const before = processorTimeOf(engine);
      // The measuring period, not a wait.
      await pause(over);
      expect(processorTimeOf(engine) - before).toBeLessThan(over / 20);
    });
  });
});

/** In milliseconds, of the process and all its threads. */
function processorTimeOf({ process }: Engine): number {
  const line = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // The 12th and 13th fields after the name are user and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
