// Runs after `npm ci` and `npm install`: removes from node_modules what nothing here loads (tools/prune/unread.mjs), a fifth of it.
// A package of the list that is gone, or has changed, loses nothing: what no pattern meets stays.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnread } from './prune/unread.mjs';

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');

/**
 * Links are left alone: they lead to this project's own packages.
 * @param {string} folder
 * @param {string} owner the package that it belongs to, as a path below node_modules
 * @param {string} inside its path in there, with a slash at its end, or empty
 */
function prune(folder, owner, inside) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const place = `${inside}${entry.name}`;
    if (entry.isFile() && isUnread(owner, place)) rmSync(path);
    if (!entry.isDirectory()) continue;
    if (entry.name === 'node_modules') pruneAll(path, `${owner}/node_modules/`);
    else if (isUnread(owner, `${place}/`)) rmSync(path, { recursive: true });
    else {
      prune(path, owner, `${place}/`);
      if (readdirSync(path).length === 0) rmdirSync(path);
    }
  }
}

/**
 * @param {string} folder that holds packages
 * @param {string} above its path below node_modules, with a slash at its end, or empty
 */
function pruneAll(folder, above = '') {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (!entry.name.startsWith('@')) {
      prune(path, `${above}${entry.name}`, '');
      continue;
    }
    for (const scoped of readdirSync(path, { withFileTypes: true })) {
      if (scoped.isDirectory()) prune(join(path, scoped.name), `${above}${entry.name}/${scoped.name}`, '');
    }
  }
}

if (existsSync(packages)) pruneAll(packages);
