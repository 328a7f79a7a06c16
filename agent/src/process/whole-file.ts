import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file that is either whole or absent, whatever happens in between: under a temporary name in the same folder,
 * flushed to disk, then renamed. Two processes never write the same temporary file. Throws the system's errors.
 * @param mode permissions of the file; by default the system's.
 */
export async function writeWhole(file: URL, text: string, mode?: number): Promise<void> {
  await written(file, text, mode, (unfinished) => rename(unfinished, file));
}

/** The same, unless the file exists: then false. Of several concurrent writers, exactly one gets true. */
export async function writeOnce(file: URL, text: string, mode?: number): Promise<boolean> {
  try {
    await written(file, text, mode, async (unfinished) => {
      await link(unfinished, file);
      await rm(unfinished);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function written(
  file: URL,
  text: string,
  mode: number | undefined,
  put: (unfinished: URL) => Promise<void>,
): Promise<void> {
  const unfinished = new URL(`${file.href}.${randomUUID()}.part`);
  try {
    const handle = await open(unfinished, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await put(unfinished);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(new URL('.', file));
}

/** Without it a power cut could undo the rename. */
async function syncFolder(folder: URL): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
