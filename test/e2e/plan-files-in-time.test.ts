// How soon an edit of a plan is read, and what watching costs. Runs alone; plan-files.test.ts tests what is read.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shortestTime, timeOf } from '../support/in-time.ts';
import { needing } from '../support/needs.ts';
import { planOf, readsOf, taskOf, tasksOf, tasksRead } from '../support/plan-files.ts';
import { bringPlans, logOf } from '../support/plans.ts';
import { type Engine, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';
import { sharedEngine } from '../support/shared-engine.ts';

/** What feels immediate to a person who saves a file and looks at the screen. */
const SOON = 1_000;

/** One for each attempt. */
const WRITTEN_SLOWLY = ['slow-1.md', 'slow-2.md', 'slow-3.md', 'slow-4.md', 'slow-5.md'];

/** Between two pieces, in milliseconds. A file that is still for a little longer is read. */
const HELD_UP = 150;

describe('while an engine runs', () => {
  const plans = ['renamed.md', 'written.md', 'appended.md', ...WRITTEN_SLOWLY];
  const shared = sharedEngine(Object.fromEntries(plans.map((plan) => [plan, 'ready'])), planOf('Dig'));

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
        save: (path: string, text: string) => appendFileSync(path, text.slice(readFileSync(path, 'utf8').length)),
      },
    ])
      test(`when ${how}`, async () => {
        const { repo } = shared();
        await tasksRead(repo, plan, 'Dig');
        const names = ['Dig'];
        let startedAt = 0;
        const took = await shortestTime(SOON, (number) => {
          names.push(`Fill${number}`);
          startedAt = Date.now();
          save(join(repo.plans, plan), planOf(...names));
          return timeOf(() => tasksRead(repo, plan, ...names));
        });
        expect(took).toBeLessThan(SOON);
        const read = readsOf(repo, plan).at(-1);
        const tasks = names.map((name, index) => `${index + 1} ${name}`);
        expect(read?.tasks.map(({ id, name }) => `${id} ${name}`)).toEqual(tasks);
        expect(Date.parse(read?.at ?? '') - startedAt).toBeLessThan(SOON);
        expect(tasksOf(repo, plan)).toEqual(tasks);
      });
  });

  test('a file that is written in pieces is read once, when it is complete', async () => {
    const { repo } = shared();
    const names = Array.from({ length: 20 }, (_, index) => `Slow${index + 1}`);
    const pieces = names.map((name, index) => taskOf(index + 1, name));
    let reads: readonly number[] = [];
    for (const plan of WRITTEN_SLOWLY) {
      const before = readsOf(repo, plan).length;
      const longestGap = await writeInPieces(join(repo.plans, plan), pieces);
      await tasksRead(repo, plan, ...names);
      reads = readsOf(repo, plan)
        .slice(before)
        .map(({ tasks }) => tasks.length);
      // Where other processes hold the writer up, a part of the file looks complete.
      if (longestGap < HELD_UP) break;
    }
    expect(reads).toEqual([names.length]);
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
    const names = ['Dig'];
    const took = await shortestTime(SOON, (number) => {
      names.push(`Fill${number}`);
      repo.writePlan('plan-150.md', planOf(...names));
      return timeOf(() => tasksRead(repo, 'plan-150.md', ...names));
    });
    expect(took).toBeLessThan(SOON);
    expect(
      logOf(repo)
        .slice(before)
        .map(({ plan, event }) => [plan, event]),
    ).toEqual(names.slice(1).map(() => ['plan-150.md', 'plan_read']));
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

/** Returns the longest time between two pieces, in milliseconds. */
async function writeInPieces(path: string, pieces: readonly string[]): Promise<number> {
  let longest = 0;
  let last = performance.now();
  writeFileSync(path, '# Shed\n\n**Goal:** a dry place\n');
  for (const piece of pieces) {
    // The pace of the writer, not a wait: 20 pieces at 30 ms each take 600 ms.
    await pause(30);
    appendFileSync(path, piece);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return longest;
}

/** In milliseconds, of the process and all its threads. */
function processorTimeOf({ process }: Engine): number {
  const line = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // The 12th and 13th fields after the name are user and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
