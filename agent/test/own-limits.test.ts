/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** What an agent without a chain logs before it gives up, and why it does. */
async function saidWith(settings: Record<string, string>) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const env = { ...process.env, CHAIN: 'local', PORT: '0', RPC_URL: 'http://127.0.0.1:9', ...settings };
  const agent = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let why = '';
  agent.stdout.on('data', (text) => (out += text));
  agent.stderr.on('data', (text) => (why += text));
  const [code] = await once(agent, 'close');
  expect(code).toBe(1);
  const lines = out.split('\n').filter(Boolean);
  return { logged: lines.map((line): Record<string, unknown> => JSON.parse(line)), why };
}

const loggedWith = async (limits: string) => (await saidWith({ VERDICT_LIMITS: limits })).logged;

// GD-13
it('an agent that is held to less than the project’s limits says so when it starts, in one line', async () => {
  const limits = {
    crypto: { costBps: { noGo: 300 }, pegBps: { caution: 1 } },
    stable: { blockAgeSeconds: 61 },
  };
  expect(await loggedWith(JSON.stringify(limits))).toEqual([
    {
      level: 'warn',
      time: expect.any(String),
      event: 'limits.own',
      looser: [
        { limit: 'crypto.costBps.noGo', own: '300', usual: '90' },
        { limit: 'stable.blockAgeSeconds', own: '61', usual: '60' },
      ],
    },
  ]);
  expect(await loggedWith('{"crypto": {"costBps": {"noGo": 80}}}')).toEqual([]);
});
