import { defineConfig } from 'vitest/config';

// Separate from the other tests, because it needs programs that the project does not install. Run by "npm run test:agents".
export default defineConfig({
  test: {
    root: '.',
    // One line per finished test, because some take long.
    reporters: ['verbose'],
    include: ['test/programs/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    // On a busy machine: opencode takes some 20 s of processor time per session in a terminal, and a workshop with its
    // build has eight sessions.
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
  },
});
