import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { writeWhole } from './whole-file.ts';

/** Values as files that this user alone may read. A name becomes a hash: it may come from anybody. */
export interface PrivateFiles<Value> {
  /** On disk when it resolves. Rejects with the system's errors. */
  put(name: string, value: Value): Promise<void>;
  /** Undefined if there is none, or none that can be read. */
  read(name: string): Promise<Value | undefined>;
  drop(name: string): Promise<void>;
  /** All that can be read, those that were written first first; with unix milliseconds. */
  all(): Promise<readonly { readonly value: Value; readonly writtenAt: number }[]>;
}

/**
 * @param folder a URL with a trailing slash.
 * @param schema of what is in a file, which is JSON of a value.
 * @param onUnreadable told of a file that cannot be read. It stays where it is.
 */
export async function openPrivateFiles<Value>(
  folder: URL,
  schema: z.ZodType<Value>,
  onUnreadable: (name: string, error: unknown) => void,
): Promise<PrivateFiles<Value>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileName = (name: string) => `${createHash('sha256').update(name).digest('hex')}.json`;

  async function readNamed(name: string): Promise<Value | undefined> {
    try {
      return schema.parse(JSON.parse(await readFile(new URL(name, folder), 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onUnreadable(name, error);
      return undefined;
    }
  }

  return {
    put: (name, value) => writeWhole(new URL(fileName(name), folder), JSON.stringify(value), 0o600),
    read: (name) => readNamed(fileName(name)),
    drop: (name) => rm(new URL(fileName(name), folder), { force: true }),
    async all() {
      const found: { value: Value; writtenAt: number }[] = [];
      for (const name of (await readdir(folder)).filter((each) => each.endsWith('.json'))) {
        const value = await readNamed(name);
        if (value === undefined) continue;
        const { mtimeMs } = await stat(new URL(name, folder));
        found.push({ value, writtenAt: mtimeMs });
      }
      return found.sort((one, other) => one.writtenAt - other.writtenAt);
    },
  };
}
