import { createHash } from 'node:crypto';
import {
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
import { dirname, join, relative, resolve } from 'node:path';
import { create, list, type ReadEntry } from 'tar';
import { z } from 'zod';
import { dataParts } from '../../agent/src/process/data-places.ts';
import { type Kept, recordName } from './places.ts';

/** First in a backup: what else is in it. */
const contents = 'contents.json';
const contentsSchema = z.strictObject({
  format: z.literal('bowline-backup-2'),
  /** When it was begun, in unix seconds. */
  begunAt: z.number().int().nonnegative(),
  /** Lower-case hex of each file, by its path in the backup. */
  sha256: z.record(z.string(), z.string()),
});
type Contents = z.infer<typeof contentsSchema>;

/** None of the agent's files has a thousandth of it. */
const maxBytes = 64 * 1024 * 1024;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The agent reads it from the chain again. */
const remade = 'deliverables/jobs.json';

/**
 * Writes record and data folder into one new file (a tar, with gzip) that only this user may read, and reads it again. The agent may
 * run: it replaces files as a whole, and what a file needs is copied after it.
 * @returns the number of files, and the SHA-256 of their list.
 * @throws a sentence, if the file exists, or if it cannot be written or read again.
 */
export async function backUp(kept: Kept, target: string, nowMs: number) {
  const file = resolve(target);
  if (existsSync(file)) throw new Error(`${target} exists: name a new file.`);
  mkdirSync(dirname(file), { recursive: true });
  // Beside the target, where there is room for it. Others may not look in.
  const copy = mkdtempSync(`${file}.part-`);
  try {
    const hashes: Record<string, string> = {};
    for (const [name, from] of filesOf(kept)) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      if (!copied(from, join(copy, name))) continue;
      hashes[name] = sha256(readFileSync(join(copy, name)));
    }
    const written: Contents = { format: 'bowline-backup-2', begunAt: Math.floor(nowMs / 1_000), sha256: hashes };
    const text = Buffer.from(JSON.stringify(written, null, 1));
    writeFileSync(join(copy, contents), text);
    const archive = join(copy, '.tgz');
    writeFileSync(archive, '', { mode: 0o600 });
    const names = Object.keys(hashes);
    await create({ cwd: copy, file: archive, gzip: true, portable: true }, [contents, ...names]);
    await readBackup(archive, sha256(text), () => {});
    flush(archive);
    // Unlike a rename, it replaces nothing.
    linkSync(archive, file);
    return { count: names.length, hash: sha256(text) };
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
        if (each.isFile() && !name.endsWith('.part') && name !== remade) yield [name, file];
      }
  }
}

/** Whether the file was there: webhooks may be none yet, and an answered payment is no longer open. */
function copied(from: string, to: string): boolean {
  try {
    copyFileSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Reads a backup: every file that it lists must be in it once, whole, and nothing else.
 * @param confirmed SHA-256 of its list. Whoever forges a backup writes new hashes, and so has another list.
 * @param take is given each file, before the rest has been seen.
 * @throws a sentence that names what is wrong.
 */
export async function readBackup(
  file: string,
  confirmed: string,
  take: (name: string, content: Buffer) => void,
): Promise<Contents> {
  let listed: Contents | undefined;
  let wrong: string | undefined;
  const missing = new Set<string>();
  const see = (name: string, content: Buffer) => {
    if (listed === undefined) {
      if (name !== contents) throw new Error(`it does not begin with ${contents}`);
      const hash = sha256(content);
      if (hash !== confirmed) throw new Error(`its list has SHA-256 ${hash}, which --sha256 does not name`);
      listed = contentsSchema.parse(JSON.parse(content.toString()));
      for (const each of Object.keys(listed.sha256)) missing.add(each);
    } else if (!missing.delete(name) || listed.sha256[name] !== sha256(content))
      throw new Error(`${name} is damaged or not listed`);
    else take(name, content);
  };
  const onReadEntry = (entry: ReadEntry) => {
    const chunks: Buffer[] = [];
    if (entry.type !== 'File' || entry.size > maxBytes) wrong ??= `${entry.path} is not a file of the agent's`;
    else entry.on('data', (chunk: Buffer) => void chunks.push(chunk));
    entry.on('end', () => {
      try {
        if (wrong === undefined) see(entry.path, Buffer.concat(chunks));
      } catch (error) {
        wrong = (error as Error).message;
      }
    });
    entry.resume();
  };
  try {
    await list({ file, strict: true, onReadEntry });
  } catch (cause) {
    throw new Error(`${file} is no backup that can be read: ${(cause as Error).message}`, { cause });
  }
  const [first] = missing;
  wrong ??= first === undefined ? undefined : `${first} is missing`;
  if (wrong !== undefined) throw new Error(`${file} cannot be restored: ${wrong}.`);
  if (listed === undefined) throw new Error(`${file} cannot be restored: it is empty.`);
  return listed;
}

/** A power cut after this loses nothing of it. */
export function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
