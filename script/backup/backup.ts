import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { contents, flush, isName, MAX_BYTES, type Place, sha256 } from './place.ts';
import { verify } from './restore.ts';

/**
 * Writes all places into one new file (a tar, with gzip) that only this user may read, and reads it again. The agent may run: it
 * replaces files as a whole, and places are copied in an order in which what a file needs is copied after it. What a restore would
 * refuse is left out: one such file would keep all others from being restored.
 * @param told is called with a sentence for each file that is left out.
 * @returns the number of files, and the SHA-256 of the deployment record if there is one.
 * @throws a sentence, if the file exists, or if it cannot be written or read again.
 */
export async function backUp(
  places: readonly Place[],
  target: string,
  nowMs: number,
  told: (line: string) => void = () => {},
): Promise<{ readonly count: number; readonly record: string | undefined }> {
  const begunAt = Math.floor(nowMs / 1_000);
  const file = resolve(target);
  if (existsSync(file)) throw new Error(`${target} exists: name a new file.`);
  mkdirSync(dirname(file), { recursive: true });
  // Beside the target, where there is room for it. Others may not look in.
  const copy = mkdtempSync(`${file}.part-`);
  try {
    const hashes: Record<string, string> = {};
    let record: Buffer | undefined;
    for (const place of places) {
      for (const name of filesIn(place)) {
        const rest = name.slice(place.name.length);
        if (place.remade?.includes(rest)) continue;
        const from = rest === '' ? place.path : join(place.path, rest);
        const to = join(copy, name);
        mkdirSync(dirname(to), { recursive: true });
        if (!copied(from, to)) continue;
        const content = readFileSync(to);
        const wrong = refused(place, rest, content, record);
        if (wrong !== undefined) {
          rmSync(to);
          told(`${from} is left out: it ${wrong}.`);
          continue;
        }
        if (place.isRecord) record = content;
        hashes[name] = sha256(content);
      }
    }
    const names = Object.keys(hashes);
    writeFileSync(
      join(copy, contents),
      JSON.stringify({ format: 'bowline-backup-1', begunAt, sha256: hashes }, null, 1),
    );
    const archive = join(copy, '.tgz');
    writeFileSync(archive, '', { mode: 0o600 });
    await create({ cwd: copy, file: archive, gzip: true, portable: true }, [contents, ...names]);
    await verify(archive);
    flush(archive);
    // Unlike a rename, it replaces nothing.
    linkSync(archive, file);
    return { count: names.length, record: record && sha256(record) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Why a restore would refuse the file. */
function refused(place: Place, rest: string, content: Buffer, record: Buffer | undefined): string | undefined {
  if (!isName(rest)) return "is named as none of the agent's files is";
  if (content.length > MAX_BYTES) return 'is too large';
  try {
    place.check?.(rest, content, record);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The place's files, as they are named in a backup. What is half written has no name there yet. */
function filesIn({ name, path }: Place): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.endsWith('.part'))
    .map((each) => `${name}${join(each.parentPath, each.name).slice(path.replace(/\/$/, '').length)}`);
}

/** Whether the file was still there: an answered payment is no longer open. */
function copied(from: string, to: string): boolean {
  try {
    copyFileSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
