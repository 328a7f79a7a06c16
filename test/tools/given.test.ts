import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

test.each([
  ...['@wagmi/cli', 'viem', 'permissionless', 'tsx', '@modelcontextprotocol/sdk', '@modelcontextprotocol/server'],
  ...['express', 'openai', 'vitest', 'prool'],
])('the project is built with %s', (name) => {
  expect({ ...dependencies, ...devDependencies }).toHaveProperty([name]);
});

test.each(['foundry.toml', 'package.json', 'contracts', 'script', 'test', 'agent', 'abis', 'README.md'])(
  '%s is at the top',
  (name) => {
    expect(existsSync(name)).toBe(true);
  },
);
