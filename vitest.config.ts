import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { withoutProxy } from './lab/tools/loopback.mjs';

export default defineConfig({
  test: {
    include: ['{test,agent/test,web/test,packages/*/test}/**/*.test.ts'],
    // Hooks start real chains, compilers and browsers, three files at a time: on a busy machine that takes minutes.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is waited for must come; vitest's own patience of a second is what a busy machine needs for less.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 3,
    // Files share a worker's modules, whose loading took a tenth of the time. So nothing of a test may outlast it.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    env: {
      // Tests start dozens of agents, servers and commands: each then compiles only what none before it has.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)),
      // All of them on this machine.
      ...withoutProxy(),
    },
    tags: [
      {
        name: 'long',
        description:
          'left to `npm run test:full`: tests of tools that rarely change, and costly variants of tests that stay',
      },
    ],
  },
});
