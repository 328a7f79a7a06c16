import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Hex, hexToBytes } from 'viem';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.cache', 'replica');

/**
 * A chain's state in a file that anvil loads. It is named by what it is made of: everything in this folder, and the lock
 * file, in which anvil and every other package is pinned. A state of other sources is never loaded, and is removed.
 * @param build answers the state as `anvil_dumpState` does, gzipped; called when there is none.
 * @returns the file's path.
 */
export async function keptState(build: () => Promise<Hex>): Promise<string> {
  const name = `${sourcesHash()}.json`;
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const state = gunzipSync(hexToBytes(await build()));
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(folder)) {
    if (other.endsWith('.json') && other !== name) rmSync(join(folder, other), { force: true });
  }
  // Whole or absent, whoever else builds it at the same time: theirs is as good.
  const partial = join(folder, `${process.pid}.partial`);
  writeFileSync(partial, state);
  renameSync(partial, path);
  return path;
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  for (const path of [...sources.filter((name) => /\.(ts|sol)$/.test(name)).sort(), '../../package-lock.json']) {
    hash.update(`${path}\n`).update(readFileSync(join(import.meta.dirname, path)));
  }
  return hash.digest('hex').slice(0, 16);
}
