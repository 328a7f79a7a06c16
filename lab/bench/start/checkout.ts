import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../test/local/free-port.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, '.cache/bench-start');
const checkout = join(folder, 'checkout');
const PATIENCE_MS = 180_000;
const ports = ['rpc', 'market', 'bundler', 'facilitator', 'agent', 'web'];

/**
 * Milliseconds from `npm start` to the line that says it is ready, twice in a fresh clone of HEAD after `npm ci`.
 */
export async function startTwice(): Promise<{ first: number; second: number }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('git', ['clone', '--quiet', root, checkout]);
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'ignore' });
    return { first: await startOnce(), second: await startOnce() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOnce(): Promise<number> {
  const options = (await Promise.all(ports.map(freePort))).flatMap((port, at) => [`--${ports[at]}-port`, `${port}`]);
  const from = performance.now();
  const child = spawn('npm', ['start', '--', ...options], {
    cwd: checkout,
    env: { ...process.env, NO_COLOR: '1' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text));
  try {
    while (!/^Ready after /m.test(shown)) {
      if (child.exitCode !== null || performance.now() - from > PATIENCE_MS) {
        throw new Error(`npm start is not ready:\n${shown}`);
      }
      await sleep(10);
    }
    return performance.now() - from;
  } finally {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
}
