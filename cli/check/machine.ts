import { constants, existsSync, readFileSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Finding } from '@bowline/chain/preflight';
import { isPackaged, root } from '../home.ts';

const GIB = 2 ** 30;
/** The cache of `npm start` and its tests takes half of it; the rest is evidence and deliverables of some months. */
const minDiskGib = 2;

/** @param version as in `process.versions.node`. */
export function nodeFinding(version: string): Finding {
  const { devDependencies, engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  // The package has no development tools, and says itself what it needs.
  const needed = majorOf((devDependencies ?? engines).node);
  const check = 'node';
  if (majorOf(version) >= needed) return { check, ok: true, found: `Node ${version}.` };
  return {
    check,
    ok: false,
    found: `Node ${version} is older than Node ${needed}.`,
    without: `The agent does not start: this Node cannot run ${isPackaged ? 'it' : 'its TypeScript'}.`,
    remedy: isPackaged
      ? `Install Node ${needed}.`
      : `Start everything by npm (npm start, npx bowline agent): npm ci has installed Node ${needed} for that. Or install it.`,
  };
}

const majorOf = (version: string): number => Number(/\d+/.exec(version)?.[0]);

/**
 * Free space, and whether files can be written, where the agent keeps what it must not lose. The first wrong folder is named.
 * @param folders as the settings name them; of one that is not there yet, the folder that it would be made in counts.
 */
export async function diskFinding(...folders: readonly URL[]): Promise<Finding> {
  const looked = await Promise.all((folders.length > 0 ? folders : [new URL('.cache/', root)]).map(lookAt));
  const [first] = looked.toSorted((one, other) => one.gib - other.gib);
  return (looked.find(({ finding }) => !finding.ok) ?? first)?.finding as Finding;
}

async function lookAt(folder: URL): Promise<{ readonly gib: number; readonly finding: Finding }> {
  const check = 'disk';
  const built = isPackaged ? '' : ', and npm start cannot build its chain';
  const without = `Evidence, deliverables and paid answers cannot be kept${built}.`;
  let place = folder;
  while (!existsSync(place)) place = new URL(place.href.endsWith('/') ? '../' : './', place);
  const path = fileURLToPath(place);
  try {
    await access(place, constants.W_OK);
  } catch {
    const remedy = `Give this user the right to write in ${path}.`;
    return { gib: 0, finding: { check, ok: false, found: `This user may not write in ${path}.`, without, remedy } };
  }
  const { bavail, bsize } = await statfs(place);
  const gib = (bavail * bsize) / GIB;
  const found = `${gib.toFixed(1)} GiB are free.`;
  if (gib >= minDiskGib) return { gib, finding: { check, ok: true, found } };
  const remedy = `Free space until ${minDiskGib} GiB are left where ${path} is.`;
  return { gib, finding: { check, ok: false, found, without, remedy } };
}
