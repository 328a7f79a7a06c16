// How long plans wait for their runs when many are due in one slot among many more: time and requests of a round that
// finds nothing to do, then the chain time from the slot's start to the first and to the last run. Through the agent's own
// loop and a plain key, on a chain with a block every 0.45 s.
//
//   npm run bench:plans -- [plans] [due]

import { clock, timers } from '@bowline/http/clock';
import { parseEther, zeroAddress } from 'viem';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { executorTick } from '../agent/src/loops/executor/tick.ts';
import { startLoop } from '../agent/src/loops/runner.ts';
import { startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { makePlans, stranger } from '../agent/test/chain/many-plans.ts';
import { startRpcProxy } from '../agent/test/chain/rpc-proxy.ts';
import { executorDeps, fund, keepLog } from '../agent/test/loops/world.ts';
import { mineEvery } from '../script/local/miner.ts';
import { setPrice } from '../script/local/oracle.ts';
import { priceUsd8 } from '../script/local/prices.ts';
import { bob } from '../test/local/accounts.ts';

const plans = Number(process.argv[2] ?? 10_000);
const due = Number(process.argv[3] ?? 1_000);
const owners = 50;
/** Of one run. Together they move the pool by little. */
const amountPerRun = parseEther('10');
const day = 86_400;

const world = await startDeployedChain();
const proxy = await startRpcProxy(world.url);
try {
  const { chain, book } = world;
  const { timestamp } = await chain.getBlock();
  const startAt = Number(timestamp) + 180;
  const terms = { amountPerRun, verdictSigner: zeroAddress, priceSource: book.own.chainlinkPriceSource };
  for (let at = 0; at < owners; at++) {
    // Later, the owner has code that makes plans.
    await chain.impersonateAccount({ address: stranger(at) });
    await chain.setBalance({ address: stranger(at), value: parseEther('1') });
    await fund(world, stranger(at), 'USDT', '10000');
    await makePlans(world, stranger(at), due / owners, { ...terms, startAt, expiresAt: startAt + day });
    const idle = { ...terms, startAt: startAt + day, expiresAt: startAt + 2 * day };
    await makePlans(world, stranger(at), (plans - due) / owners, idle);
  }
  await chain.setAutomine(false);
  const stopMining = mineEvery(world.url, 0.45);

  const log = keepLog();
  const deps = executorDeps({ ...world, url: proxy.url }, { log });
  const rounds: { readonly ms: number; readonly requests: number }[] = [];
  const reader = createPlanReader(connectChain(proxy.url), book.own, book.assets);
  await reader.plans();
  for (let round = 0; round < 3; round++) {
    const from = performance.now();
    proxy.requests = 0;
    await reader.plans();
    rounds.push({ ms: performance.now() - from, requests: proxy.requests });
  }
  const { ms, requests } = rounds.toSorted((a, b) => a.ms - b.ms)[1] ?? { ms: 0, requests: 0 };
  console.log(`reading ${plans} plans   ${ms.toFixed(0)} ms (aim 1,000)   ${requests} requests (aim 10)`);

  // Prices are refused when they are older than three minutes.
  const answerAnew = async () => {
    for (const symbol of ['BTCB', 'USDT'] as const) await setPrice(chain, bob, symbol, priceUsd8[symbol]);
  };
  await answerAnew();
  const answering = setInterval(() => void answerAnew(), 60_000);
  const left = () => startAt - Number(clock());
  if (left() < 5) throw new Error(`Making the plans took too long: the slot began ${-left()} s ago.`);
  const loop = startLoop('executor', executorTick(deps), 900, timers, log);
  const until = performance.now() + (left() + 300) * 1000;
  const executed = () => log.lines.filter(({ event }) => event === 'run.executed').length;
  while (executed() < due && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 500));
  clearInterval(answering);
  await loop.stop();
  await stopMining();

  const after: number[] = [];
  for (const { id, records, startAt: start } of (await reader.plans()).plans) {
    if (records === 0 || start !== BigInt(startAt)) continue;
    const runs = await reader.runs(id, 0, records);
    for (const { outcome, time } of runs) if (outcome === 'executed') after.push(Number(time) - startAt);
  }
  const waited = after.toSorted((a, b) => a - b);
  console.log(`${waited.length} of ${due} due plans ran`);
  console.log(
    `first ${waited.at(0)} s (aim 5), median ${waited[Math.floor(waited.length / 2)]} s, last ${waited.at(-1)} s (aim 60)`,
  );
  for (const { event, ...fields } of log.lines.filter((line) => line.event === 'tick.end')) console.log(event, fields);
} finally {
  await proxy.stop();
  await world.stop();
}
