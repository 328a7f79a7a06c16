import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flush, readBackup } from './archive.ts';
import type { Place } from './places.ts';

const WEEK_SECONDS = 7 * 86_400;

/**
 * Puts a backup's files into the places, which must be empty. Nothing is in place before all has been read and found whole.
 * @param confirmed SHA-256 of the backup's list.
 * @returns the number of files.
 * @throws a sentence that names what stands in the way or what is wrong with the backup.
 */
export async function restore(places: readonly Place[], file: string, confirmed: string, nowMs: number) {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const standing = places.find(({ path, isRecord }) => !isRecord && holdsFiles(path));
  if (standing) throw new Error(`${standing.path} is not empty: stop the agent, and move it away.`);
  const beside = ({ path }: Place) => `${path.replace(/\/$/, '')}.restored`;
  const put = (place: Place, rest: string, content: string | Buffer) => {
    const to = join(beside(place), rest);
    mkdirSync(dirname(to), { recursive: true, mode: place.isRecord ? 0o755 : 0o700 });
    writeFileSync(to, content, { flag: 'wx', flush: true, mode: place.isRecord ? 0o644 : 0o600 });
    written.add(place);
  };
  const written = new Set<Place>();
  for (const place of places) rmSync(beside(place), { recursive: true, force: true });
  try {
    const { begunAt, sha256 } = await readBackup(file, confirmed, (name, content) => {
      const place = places.find((each) => name === each.name || name.startsWith(`${each.name}/`));
      if (place === undefined || name.split('/').includes('..'))
        throw new Error(`${name} belongs to no place of this agent's. Is CHAIN the one of the backup?`);
      if (!place.isRecord || !existsSync(place.path)) put(place, name.slice(place.name.length), content);
      else if (!readFileSync(place.path).equals(content))
        throw new Error(`${place.path} is another record than the backup's: move one of them away`);
    });
    const payments = places.find(({ name }) => name === 'payments');
    if (payments) put(payments, 'restored.json', lostTime(begunAt, Math.floor(nowMs / 1_000)));
    for (const place of written) {
      removeEmpty(place.path);
      renameSync(beside(place), place.path);
      flush(dirname(place.path));
    }
    return Object.keys(sha256).length;
  } finally {
    for (const place of places) rmSync(beside(place), { recursive: true, force: true });
  }
}

/** Tells the agent of which time payments are lost: since the backup, and of a week at most, as long as answers are kept. */
function lostTime(begunAt: number, until: number): string {
  const from = Math.min(Math.max(begunAt, until - WEEK_SECONDS), until);
  return JSON.stringify({ from: `${from}`, until: `${until}` });
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Whether there is a file, or a folder with one. */
const holdsFiles = (path: string): boolean =>
  isFolder(path) ? readdirSync(path).some((name) => holdsFiles(join(path, name))) : existsSync(path);

/** The empty folders of a first start. It fails if somebody has written a file meanwhile. */
function removeEmpty(path: string): void {
  if (!isFolder(path)) return;
  for (const name of readdirSync(path)) removeEmpty(join(path, name));
  rmdirSync(path);
}
