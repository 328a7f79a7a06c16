import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extract, list } from 'tar';
import { dataParts } from '../agent/src/process/data-places.ts';
import { type Kept, keptBy, names, recordName, sha256Of } from './backup.ts';
import { exitCodes, type Options } from './commands.ts';
import { hostOf } from './host.ts';

/**
 * `npx bowline restore FILE --sha256 HASH`: puts the files of `npx bowline backup` where the settings place them.
 * Replaces nothing. The agent must not run. `npx bowline backup` printed the hash: without it, anyone who can write to
 * the backup could choose the contracts that the agent trusts.
 */
export async function restoreBackup({ sha256 = '' }: Options<'restore'>, [file = '']: readonly string[]) {
  const count = await restore(keptBy(hostOf()), file, sha256);
  process.stdout.write(`${count} files are in place.\n`);
  return exitCodes.done;
}

/**
 * Puts a backup's files into the data folder, which must hold nothing of an agent yet, and the record into its place.
 * @param confirmed SHA-256 of the backup.
 * @returns the number of files.
 * @throws a sentence that names the obstacle or what is wrong with the backup. Then nothing of it is in place.
 */
export async function restore(kept: Kept, file: string, confirmed: string): Promise<number> {
  const { data, record } = kept;
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const hash = sha256Of(file);
  if (hash !== confirmed)
    throw new Error(`${file} cannot be restored: its SHA-256 is ${hash}, not the one in --sha256.`);
  const own = names.map((name) => join(data, name));
  const standing = own.find(holdsFiles);
  if (standing !== undefined) throw new Error(`${standing} is not empty: stop the agent, and move it away.`);
  const link = [...own, record].map(linkIn).find((path) => path !== undefined);
  if (link !== undefined) throw new Error(`${link} is a link: move it away, restore, and move the files there.`);
  const { paths, content } = await contentsOf(file, recordName(kept));
  const astray = paths.find((path) => path !== recordName(kept) && !dataParts.some((part) => isIn(part, path)));
  if (astray !== undefined) throw new Error(`${astray} is not a file of this agent. Does CHAIN match the backup?`);
  if (content !== undefined && existsSync(record) && !readFileSync(record).equals(content))
    throw new Error(`${record} differs from the backup's record: move it away and restore again`);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  try {
    const isData = (path: string) => path !== recordName(kept);
    await extract({ file, cwd: data, strict: true, filter: isData, keep: true, dmode: 0o700 });
  } catch (error) {
    // They were empty before.
    for (const path of own) rmSync(path, { recursive: true, force: true });
    throw error;
  }
  if (content !== undefined && !existsSync(record)) {
    mkdirSync(dirname(record), { recursive: true });
    // Programs of other users read it.
    writeFileSync(record, content, { flag: 'wx', mode: 0o644 });
  }
  return paths.length;
}

/** The files in a backup, and the record's content. */
async function contentsOf(file: string, wanted: string) {
  const paths: string[] = [];
  const chunks: Buffer[] = [];
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => {
      paths.push(entry.path);
      if (entry.path === wanted) entry.on('data', (chunk: Buffer) => void chunks.push(chunk));
    },
  });
  return { paths, content: paths.includes(wanted) ? Buffer.concat(chunks) : undefined };
}

const isIn = (part: string, name: string): boolean => (part.endsWith('/') ? name.startsWith(part) : name === part);

/** The first symbolic link in the path: files written there would land elsewhere. */
function linkIn(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return path;
  const inside = found?.isDirectory() ? readdirSync(path) : [];
  return inside.map((name) => linkIn(join(path, name))).find((each) => each !== undefined);
}

/** Whether there is a file, or a folder with one. */
const holdsFiles = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path).some((name) => holdsFiles(join(path, name)))
    : existsSync(path);
