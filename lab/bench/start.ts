import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../test/local/free-port.ts';
import { record } from './record.ts';
import { startTwice } from './start/checkout.ts';
import { rowsOf } from './start/rows.ts';

// `npm run lab -- bench:start`: from the start of a process to its first answer of /ping: the agent, with the compiled code of its last start and
// without, beside a bare server of Node's, in turns; then two runs of `npm start` in a fresh clone of what is committed. The best of each
// counts: what else runs only adds. Exits with 1 above a bar. `-- 40` for more rounds; `-- --record` writes lab/bench/results/start.json.

const { values, positionals } = parseArgs({
  options: { record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 20);
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
const { table, below } = rowsOf({
  bare: best('bare node:http'),
  agent: best('agent'),
  agentUncached: best('agent, nothing compiled'),
  ...(await startTwice()),
});
for (const row of table) console.log(row.join(' | '));
console.log(`best of ${rounds} each for /ping, in turns, load ${loadavg()[0]?.toFixed(1)}`);
record(values.record, 'start', table);
if (below.length > 0) console.log(`Above the bar: ${below.join(', ')}.`);
process.exitCode = below.length > 0 ? 1 : 0;

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
