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

/** By the settings of the shell and of `.env`. */
export const keptBy = ({ data, record }: Host): Kept => ({
  data: fileURLToPath(placeOf(data)),
  record: fileURLToPath(placeOf(record)),
});

/** The record's name in a backup. */
export const recordName = ({ record }: Kept): string => `deployments/${basename(record)}`;

/** The entries of the data folder itself. */
export const names = [...new Set(dataParts.map((part) => part.replace(/\/.*/, '')))];

/** What somebody with access to the backup cannot choose, if it is noted elsewhere. */
export const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * `npx bowline backup FILE`: writes everything of the agent that the chain does not hold into one new file: the data folder and the
 * deployment record, where the settings say that they are. The agent may go on running. Settings and keys are not in it. It writes
 * nothing where a setting names a path that does not exist: a backup that lacks what the agent keeps would be noticed when it is needed.
 */
export async function backup([file = '']: readonly string[]) {
  const host = hostOf();
  const kept = keptBy(host);
  for (const line of absences(kept, host.setting)) process.stderr.write(`${line}\n`);
  const { count, hash } = await backUp(kept, file);
  process.stdout.write(`${file} holds ${count} files, and has been read again.\n`);
  process.stdout.write(`It has SHA-256 ${hash}: note that elsewhere.\n`);
  return exitCodes.done;
}

/**
 * A sentence for each part of which a backup has nothing.
 * @throws all of them, if a setting names a place that is not there, or if the data folder holds nothing of an agent.
 */
export function absences({ data, record }: Kept, setting: Host['setting']): string[] {
  const wrong = Object.entries({ DATA_DIR: data, DEPLOYMENTS_DIR: record })
    .filter(([name, path]) => setting(name) !== '' && !existsSync(path))
    .map(([name, path]) => `${name} names a path that does not exist: ${path}`);
  if (wrong.length > 0) throw new Error([...wrong, 'Nothing was written. Correct the settings.'].join('\n'));
  const missing = names.filter((name) => !existsSync(join(data, name)));
  if (missing.length === names.length)
    throw new Error(`Nothing was written: no agent with these settings has stored anything in ${data}.`);
  return [
    ...(existsSync(record) ? [] : [`The backup has no deployment record: there is no ${record}.`]),
    // The file of webhooks begins with the first of them.
    ...missing
      .filter((name) => name !== 'notices.json')
      .map((name) => `The backup has nothing from ${name}: there is no ${join(data, name)}.`),
  ];
}

/**
 * Writes record and data folder into one new file (a tar, with gzip) that only this user may read, and reads it again. The agent may
 * run: it replaces files as a whole, and what a file needs is copied after it.
 * @throws a sentence, if the file exists, or if it cannot be written or read again.
 */
export async function backUp(kept: Kept, target: string) {
  const file = resolve(target);
  if (existsSync(file)) throw new Error(`${target} exists: name a new file.`);
  mkdirSync(dirname(file), { recursive: true });
  // Next to the target, where there is room for it. Nobody else may read it.
  const copy = mkdtempSync(`${file}.part-`);
  try {
    const copies: string[] = [];
    for (const [name, from] of filesOf(kept)) if (copied(from, join(copy, name))) copies.push(name);
    const archive = join(copy, '.tgz');
    writeFileSync(archive, '', { mode: 0o600 });
    await create({ cwd: copy, file: archive, gzip: true, portable: true }, copies);
    let count = 0;
    await list({ file: archive, strict: true, onReadEntry: () => void count++ });
    if (count !== copies.length) throw new Error(`${target} could not be read again: it has ${count} files.`);
    flush(archive);
    // Unlike a rename, it replaces nothing.
    linkSync(archive, file);
    return { count, hash: sha256Of(file) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Each part is listed when the one before it has been copied. What is half written has no name there yet. */
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

/** Whether the file was there: webhooks may be none yet, and an answered payment is no longer open. */
function copied(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true });
  try {
    copyFileSync(from, to);
    // As it is to be read where it is restored.
    chmodSync(to, 0o600);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** A power cut after this loses nothing of it. */
function flush(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
