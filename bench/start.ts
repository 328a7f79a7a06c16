import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

// `npm run bench:start`: from the start of a process to its first answer of /ping: the agent, with the compiled code of its last start and
// without, beside a bare server of Node's, in turns. The best of each counts: what else runs only adds. `-- 40` for more rounds.

const rounds = Number(process.argv[2] ?? 20);
const patienceMs = 60_000;
const bare = `import { createServer } from 'node:http';
  createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1');`;
const agent = ['agent/src/main.ts'];
const starts: Readonly<Record<string, readonly [words: readonly string[], env: Readonly<Record<string, string>>]>> = {
  'bare node:http': [['--input-type=module', '-e', bare], {}],
  agent: [agent, {}],
  'agent, nothing compiled': [agent, { NODE_DISABLE_COMPILE_CACHE: '1' }],
};

const taken = new Map<string, number[]>(Object.keys(starts).map((name) => [name, []]));
for (let round = 0; round <= rounds; round++) {
  for (const [name, [words, env]] of Object.entries(starts)) {
    const ms = await measure(words, env);
    // The first of each fills caches.
    if (round > 0) taken.get(name)?.push(ms);
  }
}
const best = (name: string) => Math.min(...(taken.get(name) ?? []));
const unit = best('bare node:http');
for (const name of Object.keys(starts)) {
  process.stdout.write(
    `${name.padEnd(24)} ${best(name).toFixed(0).padStart(5)} ms  ${(best(name) / unit).toFixed(1)} ×\n`,
  );
}
process.stdout.write(`best of ${rounds} each, in turns, load ${loadavg()[0]?.toFixed(1)}\n`);

/** Milliseconds until a process with these words answers GET /ping. Nothing listens at its node. */
async function measure(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const port = await freePort();
  const nowhere = { CHAIN: 'local', RPC_URL: 'http://127.0.0.1:9', MARKET_DATA_URL: 'off', PYTH_URL: 'off' };
  const from = performance.now();
  const child = spawn(process.execPath, words, { env: { ...nowhere, ...env, PORT: String(port) }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    while (!(await answers(port))) {
      if (performance.now() - from > patienceMs) throw new Error('A start has not answered within a minute.');
      await sleep(1);
    }
    return performance.now() - from;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/ping', agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200));
    }).once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
