// Runs after `npm ci` and `npm install`: removes from node_modules what nothing here reads, a fifth of it. Source maps, which only a
// debugger of somebody else's code would open, and the headers that come with Node (it is used to run, not to build).
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');

/**
 * Links are left alone: they lead to this project's own packages.
 * @param {string} folder
 */
function removeMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeMaps(path);
    else if (entry.isFile() && /\.([cm]?js|[cm]?ts)\.map$/.test(entry.name)) rmSync(path);
  }
}

if (existsSync(packages)) {
  removeMaps(packages);
  const node = join(packages, 'node', 'node_modules');
  for (const entry of existsSync(node) ? readdirSync(node, { withFileTypes: true }) : []) {
    if (!entry.isDirectory()) continue;
    for (const folder of ['include', 'share']) rmSync(join(node, entry.name, folder), { recursive: true, force: true });
  }
}
