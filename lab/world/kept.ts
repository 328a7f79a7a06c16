import { createHash, type Hash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const DAY_MS = 86_400_000;

/**
 * A file in `.cache` that is built once and named by the hash of its sources, including the installed packages. A stale
 * file is never returned, and is removed after a day.
 * @param kind the folder.
 * @param sources files and folders of the checkout, from its root.
 * @param setting what else determines the content.
 * @param build the content; called when there is none.
 * @returns the file's path.
 */
export async function kept(
  kind: string,
  sources: readonly string[],
  setting: string,
  build: () => Promise<string | Uint8Array>,
): Promise<string> {
  const folder = join(root, '.cache', kind);
  const hash = hashOf(sources, setting);
  const path = join(folder, `${hash}.json`);
  if (existsSync(path)) return path;
  const content = await build();
  if (hashOf(sources, setting) !== hash) {
    throw new Error(`The sources of .cache/${kind} changed while it was built. Start it again.`);
  }
  mkdirSync(folder, { recursive: true });
  // Others may still be loading an earlier version.
  for (const other of readdirSync(folder).map((name) => join(folder, name))) {
    if (Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > DAY_MS)
      rmSync(other, { force: true });
  }
  // Whole or absent. If another process builds it at the same time, its file is as good.
  const partial = join(folder, `${randomUUID()}.partial`);
  writeFileSync(partial, content);
  renameSync(partial, path);
  return path;
}

const hashOf = (sources: readonly string[], setting: string): string =>
  hashOfFiles([...sources, 'lab/tools/foundry.mjs', 'node_modules/.package-lock.json'])
    .update(JSON.stringify([sources, setting]))
    .digest('hex')
    .slice(0, 16);

/** Hashes the files, and those in the folders, with their paths from the checkout's root. */
export function hashOfFiles(paths: readonly string[]): Hash {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf)) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash;
}

/** The TypeScript and Solidity files in a folder, or the file itself, from the checkout's root. */
function filesOf(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(ts|sol)$/.test(name))
    .sort()
    .map((name) => join(path, name));
}
