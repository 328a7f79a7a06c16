import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const cli = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/**
 * Runs scenarios of the protocol's conformance suite on a server, at 2026-07-28.
 * @param args of its command `server`, e.g. `--requirements 2026-07-28`.
 * @returns its exit code and all that it printed.
 */
export async function runSuite(url: string, ...args: readonly string[]): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [cli, 'server', '--url', url, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed, warned, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, printed: printed + warned };
}
