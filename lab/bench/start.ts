import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseEther } from 'viem';
import { freePort } from '../../test/local/free-port.ts';
import { walletOf } from '../world/account-abstraction.ts';
import { connect } from '../world/chain.ts';
import { startLocalChain } from '../world/fork.ts';
import { createPath } from '../world/market/path.ts';
import { serveMarket } from '../world/market/server.ts';
import { mineEvery } from '../world/miner.ts';
import { setPrice } from '../world/oracle.ts';
import { priceUsd8 } from '../world/prices.ts';
import { treasurer } from '../world/replica.ts';
import { deployContracts, keeper } from '../world/start/contracts.ts';
import { record } from './record.ts';
import { startTwice } from './start/checkout.ts';
import { rowsOf } from './start/rows.ts';

// `npm run lab -- bench:start`: from the start of a process to its first verdict: the packaged agent and the checkout's, beside the first
// answer of a bare server of Node's, in turns, with chain, exchange and Pyth on this machine; then two runs of `npm start` in a fresh clone
// of what is committed. The best of each counts: what else runs only adds. Exits with 1 above a bar. `-- 40` for more rounds; `-- --record`
// writes lab/bench/results/start.json; `-- --alone` leaves out `npm start`.

const { values, positionals } = parseArgs({
  options: { record: { type: 'boolean', default: false }, alone: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 10);
const patienceMs = 60_000;
const deployments = '.cache/deployments/bench-start';
const folder = mkdtempSync(join(tmpdir(), 'bowline-bench-start-'));
const clock = () => Date.now() / 1000;
const bare = `import { createServer } from 'node:http';
  createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1');`;
const verdict = '/verdict?asset=BTCB&amount_usd=1000';

const world = await startWorld();
try {
  const starts = {
    bare: [['--input-type=module', '-e', bare], '/'],
    packaged: [[packaged(world.settings), 'agent'], verdict],
    checkout: [['agent/src/main.ts'], verdict],
  } as const;
  const taken = { bare: [], packaged: [], checkout: [] } as Record<keyof typeof starts, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(starts) as (keyof typeof starts)[]) {
      const ms = await measure(starts[name]);
      // The first of each fills caches.
      if (round > 0) taken[name].push(ms);
    }
  }
  const best = (name: keyof typeof starts) => Math.min(...taken[name]);
  await world.stop();
  const alone = { bare: best('bare'), packaged: best('packaged'), checkout: best('checkout') };
  const { table, below } = rowsOf({ ...alone, ...(!values.alone && (await startTwice())) });
  record(values.record, 'start', table);
  if (below.length > 0) console.log(`Above the bar: ${below.join(', ')}.`);
  process.exitCode = below.length > 0 ? 1 : 0;
} finally {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** The local chain with the contracts, and its exchange. */
async function startWorld() {
  const local = await startLocalChain();
  const chain = connect(local.url);
  const wallet = await walletOf(chain, keeper);
  await chain.setBalance({ address: wallet, value: parseEther('10') });
  await deployContracts(local.url, deployments, new AbortController().signal, { operator: wallet });
  // Its feeds answered when the replica was made.
  for (const symbol of ['BTCB', 'USDT'] as const) await setPrice(chain, treasurer, symbol, priceUsd8[symbol]);
  const market = await serveMarket({ play: async () => [], stop: async () => {} }, createPath(1, clock()), clock, 0);
  const stopMining = mineEvery(local.url, 0.45);
  let stopped: Promise<unknown> | undefined;
  const settings = {
    ...{ CHAIN: 'local', RPC_URL: local.url, MARKET_DATA_URL: market.url, PYTH_URL: market.url },
    ...{ DEPLOYMENTS_DIR: resolve(deployments), DATA_DIR: join(folder, 'data'), STOP_FILE: join(folder, 'stop') },
  };
  const stop = () => (stopped ??= stopMining().then(() => Promise.all([market.stop(), local.stop()])));
  return { settings, stop };
}

/** Its program. */
function packaged(settings: Readonly<Record<string, string>>): string {
  const env = { ...process.env, ...settings, WEB_RPC_URL: settings.RPC_URL };
  execFileSync(process.execPath, ['lab/tools/package.mjs', '--out', folder], { env, stdio: 'ignore' });
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz')) ?? '';
  return join(folder, name.replace('.tgz', ''), 'bowline.js');
}

/** Milliseconds until a process with these words answers a GET of this path with 200. */
async function measure([words, path]: readonly [words: readonly string[], path: string]): Promise<number> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, ...world.settings, PORT: String(port) };
  const from = performance.now();
  const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    while (!(await answers(port, path))) {
      if (performance.now() - from > patienceMs) throw new Error('A start has not answered within a minute.');
      await sleep(1);
    }
    return performance.now() - from;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((done) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume().once('end', () => done(response.statusCode === 200));
    }).once('error', () => done(false));
  });
}
