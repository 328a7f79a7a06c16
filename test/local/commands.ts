import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Runs one of the commands as npm would, until the test ends at the latest, and collects its output. */
export function run(script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const path = fileURLToPath(new URL(`../../lab/world/${script}`, import.meta.url));
  const { BSC_RPC_URL: _, ...own } = process.env;
  const child = spawn(process.execPath, [path, ...args], { env: { ...own, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (printed.out += chunk));
  child.stderr.on('data', (chunk) => (printed.err += chunk));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, printed, exit };
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  // For commands that start chains and agents, on a busy machine.
  const deadline = Date.now() + 100_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('waited 100 s for nothing');
    await sleep(20);
  }
}

export const answers = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  );

export async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
