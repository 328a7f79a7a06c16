// Runs after `npm ci` and `npm install`: removes a fifth of node_modules that nothing here reads: source maps, Node's headers,
// manuals, and packages' tests, sources and bundles for other uses.
import { globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules');
const unread = [
  '**/{*.map,*.test.{js,ts},CHANGELOG.md}',
  'node/node_modules/*/{include,share}',
  '@base-ui/react/docs',
  '{openai,ox,wagmi,viem/node_modules/ox,@walletconnect/utils/node_modules/ox,permissionless,abitype}/src',
  '**/zod/src',
  '**/trusted-setups/internal/setups',
  '@walletconnect/*/dist/index.umd.js',
];
for (const path of globSync(unread, { cwd: packages })) rmSync(join(packages, path), { recursive: true, force: true });
