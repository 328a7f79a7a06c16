import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Hex, hexToBytes } from 'viem';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.cache', 'replica');
const DAY_MS = 86_400_000;

/**
 * A chain's state in a file that anvil loads. It is named by what it is made of: everything in this folder, and the packages
 * that are installed, anvil among them. A state of other sources is never loaded, and is removed after a day.
 * @param build answers the state as `anvil_dumpState` does, gzipped; called when there is none.
 * @returns the file's path.
 */
export async function keptState(build: () => Promise<Hex>): Promise<string> {
  const hash = sourcesHash();
  const path = join(folder, `${hash}.json`);
  if (existsSync(path)) return path;
  const state = gunzipSync(hexToBytes(await build()));
  if (sourcesHash() !== hash) throw new Error('The sources of the replica changed while it was built. Start it again.');
  mkdirSync(folder, { recursive: true });
  // Others may still be loading what this checkout had a moment ago.
  for (const other of readdirSync(folder).map((name) => join(folder, name))) {
    if (Date.now() - statSync(other).mtimeMs > DAY_MS) rmSync(other, { force: true });
  }
  // Whole or absent, whoever else builds it at the same time: theirs is as good.
  const partial = join(folder, `${randomUUID()}.partial`);
  writeFileSync(partial, state);
  renameSync(partial, path);
  return path;
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const others = ['../../tools/foundry.mjs', '../../node_modules/.package-lock.json'];
  for (const path of [...sources.filter((name) => /\.(ts|sol)$/.test(name)).sort(), ...others]) {
    hash.update(`${path}\n`).update(readFileSync(join(import.meta.dirname, path)));
  }
  return hash.digest('hex').slice(0, 16);
}
