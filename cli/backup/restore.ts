import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { dataParts } from '../../agent/src/process/data-places.ts';
import { flush, readBackup } from './archive.ts';
import { type Kept, names, recordName } from './places.ts';

/**
 * Puts a backup's files into the data folder, where the agent may have kept nothing yet, and the record into its place. Nothing is
 * in place before all has been read and found whole.
 * @param confirmed SHA-256 of the backup's list.
 * @returns the number of files.
 * @throws a sentence that names what stands in the way or what is wrong with the backup.
 */
export async function restore(kept: Kept, file: string, confirmed: string) {
  const { data, record } = kept;
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const standing = names.map((name) => join(data, name)).find(holdsFiles);
  if (standing !== undefined) throw new Error(`${standing} is not empty: stop the agent, and move it away.`);
  const mounts = mountPoints();
  const fixed = [...names.map((name) => join(data, name)), ...(existsSync(record) ? [] : [record])]
    .map((path) => fixedIn(path, mounts))
    .find((path) => path !== undefined);
  if (fixed !== undefined)
    throw new Error(
      `${fixed} is a link or a mount, which cannot be replaced: move it away, and put the restored files there later.`,
    );
  // In the data folder: it may be a volume, which cannot be renamed.
  const [restored, restoredRecord] = [join(data, '.restored'), `${record}.restored`];
  const clear = () => {
    for (const path of [restored, restoredRecord]) rmSync(path, { recursive: true, force: true });
  };
  clear();
  try {
    const { sha256 } = await readBackup(file, confirmed, (name, content) => {
      if (name === recordName(kept)) {
        if (!existsSync(record)) write(restoredRecord, content, { folder: 0o755, file: 0o644 });
        else if (!readFileSync(record).equals(content))
          throw new Error(`${record} is another record than the backup's: move one of them away`);
      } else if (name.split('/').includes('..') || !dataParts.some((part) => isIn(part, name)))
        throw new Error(`${name} belongs to no place of this agent's. Is CHAIN the one of the backup?`);
      else write(join(restored, name), content);
    });
    if (existsSync(restoredRecord)) move(restoredRecord, record);
    for (const name of readdirSync(restored)) move(join(restored, name), join(data, name));
    return Object.keys(sha256).length;
  } finally {
    clear();
  }
}

/** Only this user may read it, but for the record. */
function write(path: string, content: string | Buffer, mode = { folder: 0o700, file: 0o600 }): void {
  mkdirSync(dirname(path), { recursive: true, mode: mode.folder });
  writeFileSync(path, content, { flag: 'wx', flush: true, mode: mode.file });
}

function move(from: string, to: string): void {
  removeEmpty(to);
  renameSync(from, to);
  flush(dirname(to));
}

const isIn = (part: string, name: string): boolean => (part.endsWith('/') ? name.startsWith(part) : name === part);

/** Where the system has mounted something; of Linux alone. */
function mountPoints(): ReadonlySet<string> {
  const table = '/proc/self/mountinfo';
  const lines = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : [];
  // White space and backslashes stand there as octal numbers.
  const paths = lines.map((line) => line.split(' ')[4] ?? '');
  return new Set(
    paths.map((path) => path.replaceAll(/\\(\d{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)))),
  );
}

/** The first part that no other can be moved to: it is not where its path says, or the system holds it. */
function fixedIn(path: string, mounts: ReadonlySet<string>): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink() || mounts.has(realpathSync(path))) return path;
  const inside = found.isDirectory() ? readdirSync(path) : [];
  return inside.map((name) => fixedIn(join(path, name), mounts)).find((each) => each !== undefined);
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
