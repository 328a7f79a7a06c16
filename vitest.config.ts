import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{test,agent/test,web/test}/**/*.test.ts'],
    // Tests start real chains and real compilers: seconds of work on a loaded machine, not a hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for must come; vitest's own patience of a second is what a busy machine needs for less.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 3,
  },
});
