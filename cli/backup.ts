import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, list } from 'tar';
import { dataParts, dataPaths } from '../agent/src/process/data-places.ts';
import { exitCodes } from './commands.ts';
import { placeOf } from './home.ts';
import { type Host, hostOf } from './host.ts';

/** What a backup holds: the agent's data folder, and the deployment record, which names the contracts that it trusts. */
export interface Kept {
  readonly data: string;
  readonly record: string;
}

/** Paths from the settings of the shell and `.env`. */
export const keptBy = ({ data, record }: Host): Kept => ({
  data: fileURLToPath(placeOf(data)),
  record: fileURLToPath(placeOf(record)),
});

/** The record's name in a backup. */
export const recordName = ({ record }: Kept): string => `deployments/${basename(record)}`;

/** The entries of the data folder itself. */
export const names = [...new Set(dataParts.map((part) => part.replace(/\/.*/, '')))];

/** Noted outside the backup, it detects tampering by anyone with access to the backup. */
export const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * `npx bowline backup FILE`: writes everything of the agent that the chain does not hold (the data folder and the
 * deployment record, at the paths from the settings) into one new file. The agent may keep running. Settings and keys
 * are not included. Fails without writing if a set path does not exist, rather than leaving out data unnoticed.
 */
export async function backup([file = '']: readonly string[]) {
  const host = hostOf();
  const kept = keptBy(host);
  for (const line of absences(kept, host.setting)) process.stderr.write(`${line}\n`);
  const { count, hash } = await backUp(kept, file);
  process.stdout.write(`${file} holds ${count} files, verified by reading it back.\n`);
  process.stdout.write(`It has SHA-256 ${hash}: note that elsewhere.\n`);
  return exitCodes.done;
}

/**
 * One sentence for each part that the backup lacks.
 * @throws all of them, if a setting names a missing path, or if the data folder holds nothing of an agent.
 */
export function absences({ data, record }: Kept, setting: Host['setting']): string[] {
  const wrong = Object.entries({ DATA_DIR: data, DEPLOYMENTS_DIR: record })
    .filter(([name, path]) => setting(name) !== '' && !existsSync(path))
    .map(([name, path]) => `${name} names a path that does not exist: ${path}`);
  if (wrong.length > 0) throw new Error([...wrong, 'Nothing was written. Correct the settings.'].join('\n'));
  const missing = names.filter((name) => !existsSync(join(data, name)));
  if (missing.length === names.length)
    throw new Error(`Nothing was written: ${data} holds no data of an agent with these settings. Correct DATA_DIR.`);
  return [
    ...(existsSync(record) ? [] : [`The backup has no deployment record: there is no ${record}.`]),
    // The webhooks' file is first written when the first webhook is registered.
    ...missing
      .filter((name) => name !== 'notices.json')
      .map((name) => `The backup has nothing from ${name}: there is no ${join(data, name)}.`),
  ];
}

/**
 * Writes record and data folder into one new file (a tar, with gzip) that only this user may read, then reads it back.
 * The agent may run: it replaces files as a whole, and files that others depend on are copied after them.
 * @throws a sentence, if the file exists, or if it cannot be written or read back.
 */
export async function backUp(kept: Kept, target: string) {
  const file = resolve(target);
  if (existsSync(file)) throw new Error(`${target} exists: name a new file.`);
  mkdirSync(dirname(file), { recursive: true });
  // Beside the target, where there is space. Only this user may read it.
  const copy = mkdtempSync(`${file}.part-`);
  try {
    const copies: string[] = [];
    for (const [name, from] of filesOf(kept)) if (copied(from, join(copy, name))) copies.push(name);
    const archive = join(copy, '.tgz');
    writeFileSync(archive, '', { mode: 0o600 });
    await create({ cwd: copy, file: archive, gzip: true, portable: true }, copies);
    let count = 0;
    await list({ file: archive, strict: true, onReadEntry: () => void count++ });
    if (count !== copies.length) throw new Error(`${target} was not written: only ${count} files were read back.`);
    flush(archive);
    // Unlike a rename, it replaces nothing.
    linkSync(archive, file);
    return { count, hash: sha256Of(file) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Lists each part after the previous one was copied. Half-written files do not have their final names yet. */
function* filesOf(kept: Kept): Generator<readonly [name: string, path: string]> {
  yield [recordName(kept), kept.record];
  for (const part of dataParts) {
    const path = join(kept.data, part);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) yield [part, path];
    else
      for (const each of readdirSync(path, { recursive: true, withFileTypes: true })) {
        const file = join(each.parentPath, each.name);
        const name = relative(kept.data, file);
        if (each.isFile() && !name.endsWith('.part') && name !== dataPaths.jobNotes) yield [name, file];
      }
  }
}

/** Returns whether the file existed: there may be no webhooks yet, and an answered payment is no longer open. */
function copied(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true });
  try {
    copyFileSync(from, to);
    // The mode that the restored file needs.
    chmodSync(to, 0o600);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Flushes to disk, so that a later power cut loses nothing. */
function flush(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
