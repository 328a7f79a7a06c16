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
import { contents, contentsSchema, flush, isName, LeftOut, MAX_BYTES, type Place, sha256 } from './place.ts';

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
 * Puts a backup's files into the places, which must be empty. Nothing is in place before all has been read and found whole. A
 * deployment record names the contracts that the agent trusts, so that one which is not here already needs to be confirmed.
 * @param confirmed SHA-256 of that record.
 * @param onWhole is called when all was found whole, before anything is in place.
 * @returns the number of files, and a sentence of each that was left in the backup.
 * @throws a sentence that names what stands in the way or what is wrong with the backup.
 */
export async function restore(
  places: readonly Place[],
  file: string,
  confirmed?: string,
  onWhole: () => Promise<void> = async () => {},
): Promise<{ readonly count: number; readonly leftOut: readonly string[] }> {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const standing = places.find(({ path, isRecord }) => isRecord !== true && isThere(path));
  if (standing) throw new Error(`${standing.path} is not empty: stop the agent, and move it away.`);
  const beside = (place: Place) => `${place.path.replace(/\/$/, '')}.restored`;
  const written = new Set<Place>();
  const leftOut: string[] = [];
  let record = recordIn(places);
  for (const place of places) rmSync(beside(place), { recursive: true, force: true });
  try {
    const files = await verify(file, (name, content) => {
      const place = places.find((each) => name === each.name || name.startsWith(`${each.name}/`));
      const rest = place && name.slice(place.name.length);
      if (place === undefined || rest === undefined || !isName(rest))
        throw new Error(`${name} belongs to no place of this agent's. Is CHAIN the one of the backup?`);
      if (place.remade?.includes(rest)) return;
      if (place.isRecord && existsSync(place.path)) {
        if (record?.equals(content)) return;
        throw new Error(`${place.path} is another record than the backup's: move one of them away.`);
      }
      const taken = admitted(place, name, rest, content, record);
      if (taken instanceof LeftOut) return void leftOut.push(taken.message);
      if (place.isRecord) {
        if (sha256(content) !== confirmed) throw new Error(unconfirmed(name, content));
        record = content;
      }
      const to = join(beside(place), rest);
      mkdirSync(dirname(to), { recursive: true, ...(place.isPrivate && { mode: 0o700 }) });
      writeFileSync(to, taken, { flag: 'wx', flush: true, mode: place.isPrivate ? 0o600 : 0o644 });
      written.add(place);
    });
    await onWhole();
    for (const place of written) {
      if (existsSync(place.path) && statSync(place.path).isDirectory()) rmdirSync(place.path);
      renameSync(beside(place), place.path);
      flush(dirname(place.path));
    }
    return { count: files - leftOut.length, leftOut };
  } finally {
    for (const place of places) rmSync(beside(place), { recursive: true, force: true });
  }
}

const recordIn = (places: readonly Place[]): Buffer | undefined => {
  const path = places.find(({ isRecord }) => isRecord)?.path;
  return path !== undefined && existsSync(path) ? readFileSync(path) : undefined;
};

/** What the agent would trust from then on, and how to agree to that. */
const unconfirmed = (name: string, content: Buffer): string =>
  [
    `${name} names the contracts that the agent would trust, and no such record is here:`,
    // A terminal obeys control characters, and JSON has them escaped.
    JSON.stringify(JSON.parse(content.toString()), null, 2),
    'Compare it with your own copy, or put that in place. To take this one, add',
    `  --record ${sha256(content)}`,
    'which npm run backup printed when it wrote the file',
  ].join('\n');

function admitted(
  place: Place,
  name: string,
  rest: string,
  content: Buffer,
  record: Buffer | undefined,
): Buffer | LeftOut {
  try {
    place.check?.(rest, content, record);
    return place.restored?.(content) ?? content;
  } catch (error) {
    const said = `${name} ${(error as Error).message}`;
    if (error instanceof LeftOut) return new LeftOut(said);
    throw new Error(said, { cause: error });
  }
}

const isThere = (path: string): boolean =>
  existsSync(path) && (!statSync(path).isDirectory() || readdirSync(path).length > 0);
