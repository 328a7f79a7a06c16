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
import { list, type ReadEntry } from 'tar';
import { contents, contentsSchema, flush, type Place, sha256 } from './place.ts';

/** None of the agent's has a thousandth of it. */
const MAX_BYTES = 64 * 1024 * 1024;

type Take = (name: string, content: Buffer) => void;

/**
 * Reads a backup: every file that it lists must be in it once, whole, and nothing else.
 * @param take is given each file, before the rest has been seen.
 * @throws a sentence that names what is wrong.
 */
export async function verify(file: string, take: Take = () => {}): Promise<number> {
  let expected: Map<string, string> | undefined;
  const wrong: string[] = [];
  let files = 0;
  const onEntry = (entry: ReadEntry) => {
    files += 1;
    const chunks: Buffer[] = [];
    if (entry.type !== 'File' || entry.size > MAX_BYTES) {
      wrong.push(`${entry.path} is not a file of the agent's`);
      entry.resume();
      return;
    }
    entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    entry.on('end', () => {
      if (wrong.length > 0) return;
      const content = Buffer.concat(chunks);
      if (expected === undefined) {
        expected = entry.path === contents ? listed(content) : undefined;
        if (expected === undefined) wrong.push(`it does not begin with ${contents}`);
      } else if (expected.get(entry.path) !== sha256(content)) wrong.push(`${entry.path} is damaged or not listed`);
      else {
        expected.delete(entry.path);
        try {
          take(entry.path, content);
        } catch (error) {
          wrong.push((error as Error).message.replace(/\.$/, ''));
        }
      }
    });
  };
  try {
    await list({ file, strict: true, onReadEntry: onEntry });
  } catch (cause) {
    throw new Error(`${file} is no backup that can be read: ${(cause as Error).message}`, { cause });
  }
  const [missing] = expected?.keys() ?? [];
  if (wrong.length === 0 && expected === undefined) wrong.push('it is empty');
  if (wrong.length === 0 && missing !== undefined) wrong.push(`${missing} is missing`);
  if (wrong[0] !== undefined) throw new Error(`${file} cannot be restored: ${wrong[0]}.`);
  return files - 1;
}

function listed(content: Buffer): Map<string, string> | undefined {
  try {
    return new Map(Object.entries(contentsSchema.parse(JSON.parse(content.toString())).sha256));
  } catch {
    return undefined;
  }
}

/**
 * Puts a backup's files into the places, which must be empty. Nothing is in place before all has been read and found whole.
 * @returns the number of files.
 * @throws a sentence that names what stands in the way or what is wrong with the backup.
 */
export async function restore(places: readonly Place[], file: string): Promise<number> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const taken = places.find(({ path, mayStand }) => mayStand !== true && isThere(path));
  if (taken) throw new Error(`${taken.path} is not empty: stop the agent, and move it away.`);
  const beside = (place: Place) => `${place.path.replace(/\/$/, '')}.restored`;
  const written = new Set<Place>();
  for (const place of places) rmSync(beside(place), { recursive: true, force: true });
  try {
    const count = await verify(file, (name, content) => {
      const place = places.find((each) => name === each.name || name.startsWith(`${each.name}/`));
      const rest = place && name.slice(place.name.length);
      if (place === undefined || rest === undefined || !/^(\/[\w-][\w.-]*)*$/.test(rest))
        throw new Error(`${name} belongs to no place of this agent's. Is CHAIN the one of the backup?`);
      if (place.mayStand && existsSync(place.path)) {
        if (readFileSync(place.path).equals(content)) return;
        throw new Error(`${place.path} is another record than the backup's: move one of them away.`);
      }
      const to = join(beside(place), rest);
      mkdirSync(dirname(to), { recursive: true, ...(place.isPrivate && { mode: 0o700 }) });
      writeFileSync(to, content, { flag: 'wx', flush: true, mode: place.isPrivate ? 0o600 : 0o644 });
      written.add(place);
    });
    for (const place of written) {
      if (existsSync(place.path) && statSync(place.path).isDirectory()) rmdirSync(place.path);
      renameSync(beside(place), place.path);
      flush(dirname(place.path));
    }
    return count;
  } finally {
    for (const place of places) rmSync(beside(place), { recursive: true, force: true });
  }
}

const isThere = (path: string): boolean =>
  existsSync(path) && (!statSync(path).isDirectory() || readdirSync(path).length > 0);
