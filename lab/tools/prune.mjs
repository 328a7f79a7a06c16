// Runs after `npm ci` and `npm install`: removes source maps, Node's headers and a library's manual, a sixth of node_modules, which
// nothing here reads.
import { globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules');
const unread = ['**/*.map', 'node/node_modules/*/{include,share}', '@base-ui/react/docs'];
for (const path of globSync(unread, { cwd: packages })) rmSync(join(packages, path), { recursive: true, force: true });
