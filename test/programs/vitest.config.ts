import { defineConfig } from 'vitest/config';

// Apart from the other tests: it needs programs that are not installed with the project. "npm run test:agents" runs it.
export default defineConfig({
  test: {
    root: '.',
    // A line as each is done, since some take long.
    reporters: ['verbose'],
    include: ['test/programs/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
