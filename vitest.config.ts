import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

// "pure" tests touch no disk and no process and share two threads; "real" ones start programs and share processes, two
// more than there are cores, since they wait some of the time. "alone" are those that measure time, or keep every core busy
// by themselves: they come last, one after the other, beside the simulation, which takes what they leave of the cores.
/** Folders of tests that touch no disk and no process: those of the pure folders of src, and the pure parts of others. */
const PURE = [
  'text',
  'machines',
  'plan',
  'workshop',
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

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: [`test/{${PURE.join()}}/**/*.test.ts`, 'test/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...WITH_PROGRAMS,
          name: 'real',
          env: { TMPDIR: quickFolder() },
          include: ['test/{adapters,contracts,e2e,search,simulation}/**/*.test.ts'],
          exclude: ALONE,
          isolate: false,
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The simulation is started first and takes longest, so the others have the second worker to themselves.
        test: { ...WITH_PROGRAMS, name: 'alone', include: ALONE, maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
