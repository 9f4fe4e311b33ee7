import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';
import { SLOW_SUITES, tier } from './test/support/tier.ts';

// "pure" tests touch no disk and no process and share two threads; "real" ones start programs and share processes, two
// more than there are cores, since they wait some of the time. "alone" are those that measure time, or keep every core busy
// by themselves: they come last, one after the other, beside the simulation, which takes what they leave of the cores.
/** Folders of tests that touch no disk and no process: those of the pure folders of src, and the pure parts of others. */
const PURE = [
  'text',
  'machines',
  'plan',
  'workshop',
  'reviews',
  'signals',
  'agents',
  'core',
  'app',
  'engine',
  'scripted-agent',
  'surfaces',
];
const ALONE = [
  'test/simulation/simulation.test.ts',
  'test/crash/**/*.test.ts',
  'test/contracts/host-in-time.test.ts',
  'test/e2e/{flood,many-processes,plan-files-in-time}.test.ts',
];
/** What "npm run test:ci" runs: the slow suites, and the longer form of those that have one. */
const REST = {
  pure: [],
  real: [...SLOW_SUITES, 'test/search/search.test.ts'],
  alone: ['test/simulation/simulation.test.ts', 'test/crash/kills.test.ts', 'test/e2e/flood.test.ts'],
};
const ALL = {
  pure: [`test/{${PURE.join()}}/**/*.test.ts`, 'test/*.test.ts'],
  real: ['test/{adapters,contracts,e2e,search,simulation}/**/*.test.ts'],
  alone: ALONE,
};
const included = tier() === 'ci' ? REST : ALL;
const leftOut = tier() === 'short' ? SLOW_SUITES : [];
/** Only what hangs runs into these, however busy the machine is. */
const WITH_PROGRAMS = { pool: 'forks', testTimeout: 180_000, hookTimeout: 300_000 } as const;

/**
 * Where files are made quickest: in memory, if there is plenty. That nothing is kept there when the power fails makes no
 * difference to these tests, which kill processes and not the machine.
 */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    accessSync('/dev/shm', constants.W_OK);
    return bavail * bsize > 4 * 2 ** 30 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Breaks one piece of the source, for "npm run mutants". */
function mutation(): Plugin[] {
  if (process.env.CADRE_MUTANT === undefined) return [];
  const { file, find, replace } = JSON.parse(process.env.CADRE_MUTANT) as Record<string, string>;
  const transform = (code: string, id: string): string | undefined =>
    file !== undefined && id.endsWith(file) ? code.split(find ?? '').join(replace) : undefined;
  return [{ name: 'mutation', enforce: 'pre', transform }];
}

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        plugins: mutation(),
        test: {
          name: 'pure',
          include: included.pure,
          exclude: leftOut,
          pool: 'threads',
          isolate: false,
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: mutation(),
        test: {
          ...WITH_PROGRAMS,
          name: 'real',
          env: { TMPDIR: quickFolder() },
          include: included.real,
          exclude: [...ALONE, ...leftOut],
          isolate: false,
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The simulation is started first and takes longest, so the others have the second worker to themselves.
        plugins: mutation(),
        test: {
          ...WITH_PROGRAMS,
          name: 'alone',
          include: included.alone,
          exclude: leftOut,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
