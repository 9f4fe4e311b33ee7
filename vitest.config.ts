import { defineConfig } from 'vitest/config';

// "pure" tests touch no disk and no process and share one thread pool; "real" ones start programs and get a process each.
export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      {
        test: {
          name: 'pure',
          include: ['test/pure/**/*.test.ts', 'test/*.test.ts'],
          pool: 'threads',
          isolate: false,
          // Quick by themselves; a machine that is busy with something else must not fail them.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/{adapters,contracts,crash,scenarios,e2e,simulation}/**/*.test.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
