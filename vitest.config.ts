import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{test,agent/test,web/test}/**/*.test.ts'],
    // Tests start real chains and real compilers: seconds of work on a loaded machine, not a hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
