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
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
