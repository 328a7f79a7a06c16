import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/** A folder for the running test. It is removed afterwards, with retries while something still writes its last file. */
export async function newFolder(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'bowline-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return pathToFileURL(`${folder}/`);
}
