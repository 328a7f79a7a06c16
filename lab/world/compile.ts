import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Artifact } from './artifacts.ts';

const tool = fileURLToPath(new URL('../tools/compile.mjs', import.meta.url));

/**
 * Compiles one Solidity file, of one contract, which may have interfaces and import from npm packages. Without forge, so that the replica can be built
 * even before the project's own contracts compile.
 * @throws the compiler's message.
 */
export async function compile(source: URL): Promise<Artifact> {
  const { stdout } = await promisify(execFile)(process.execPath, [tool, fileURLToPath(source)], {
    maxBuffer: 2 ** 28,
  }).catch(({ stderr, message }: Error & { stderr?: string }) => {
    throw new Error(stderr?.trim() || message);
  });
  return JSON.parse(stdout);
}
