// Cost of a run by the plain key, by the wallet through a bundler, and by the wallet without it: milliseconds from the
// call to its known outcome, blocks, and gas paid. On a chain with a block every 0.45 s, one after the other, in turns.
//
//   node_modules/.bin/node bench/wallet.ts [runs of each]

import type { Heads, Log, Sender } from '@bowline/core/domain/ports';
import { pathOf } from '@bowline/core/domain/route';
import { parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { createCalls, keeperCalls } from '../agent/src/sending/calls.ts';
import { createSender } from '../agent/src/sending/eoa/sender.ts';
import { openKeeper, patience } from '../agent/src/sending/keeper.ts';
import { createPlan, startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { headsOf, sendingOn } from '../agent/test/sending/sending.ts';
import { unsignedGo } from '../agent/test/unsigned.ts';
import { walletOf } from '../script/local/account-abstraction.ts';
import { startBundler } from '../script/local/bundler.ts';
import { connect } from '../script/local/chain.ts';
import { localChainId, startLocalChain } from '../script/local/fork.ts';
import { mineEvery } from '../script/local/miner.ts';
import { alice, approve, carol, give } from '../test/local/accounts.ts';
import { freePort } from '../test/local/free-port.ts';

const runs = Number(process.argv[2] ?? 10);
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const log: Log = { debug() {}, info() {}, warn: console.error, error: console.error };
const gasBounds = {
  maxGasPriceWei: parseGwei('50'),
  rescueMaxGasPriceWei: parseGwei('50'),
  maxDayWei: parseEther('100'),
};

const before = await startLocalChain();
const wallet = await walletOf(connect(before.url), alice);
await before.stop();

const byKey = await startDeployedChain({ forgets: true });
const byWallet = await startDeployedChain({ forgets: true, operator: wallet });
await byWallet.chain.setBalance({ address: wallet, value: parseEther('10') });
const bundler = await startBundler(byWallet.url, await freePort());
const stops: (() => unknown)[] = [];
function headsAt(url: string): Heads {
  const heads = headsOf(connectChain(url), log);
  stops.push(heads.stop);
  return heads;
}

const lanes = [
  {
    name: 'plain key',
    world: byKey,
    sender: createSender({
      ...sendingOn(connectChain(byKey.url), log),
      account,
      policy: { chainId: localChainId, calls: keeperCalls(byKey.book.own, gasBounds) },
      ...patience,
      heads: headsAt(byKey.url),
    }),
  },
  { name: 'wallet, bundler', world: byWallet, sender: await keeperOf(bundler.url) },
  { name: 'wallet, own key', world: byWallet, sender: await keeperOf(undefined) },
];

async function keeperOf(bundlerUrl: string | undefined): Promise<Sender> {
  const { url, book } = byWallet;
  const client = connectChain(url);
  const keys = { account, rescuers: [] };
  const heads = headsAt(url);
  const options = {
    ...sendingOn(client, log),
    heads,
    book,
    ...keys,
    chainId: localChainId,
    gasBounds,
    bundlerUrls: bundlerUrl === undefined ? [] : [bundlerUrl],
  };
  return (await openKeeper(options)).sender;
}

for (const world of [byKey, byWallet]) {
  await give(world.chain, carol, 'USDT', '100000');
  await approve(world.chain, carol, 'USDT', world.book.own.planRegistry, parseEther('100000'));
  for (let each = 0; each < 2 * runs; each++) await createPlan(world);
  await world.chain.setAutomine(false);
  stops.push(mineEvery(world.url, 0.45));
}

try {
  const next = new Map([
    [byKey, 0],
    [byWallet, 0],
  ]);
  const measured = lanes.map(({ name }) => ({ name, ms: [] as number[], blocks: [] as number[], gas: [] as bigint[] }));
  for (let round = 0; round < runs; round++) {
    for (const [at, { world, sender }] of lanes.entries()) {
      const { book, chain } = world;
      const { plans } = await createPlanReader(connectChain(world.url), book.own, book.assets).plans();
      const plan = plans[next.get(world) ?? 0];
      if (plan === undefined) throw new Error('no plan left');
      next.set(world, (next.get(world) ?? 0) + 1);
      const path = pathOf(plan.tokenIn, [{ feeMillionths: 500, tokenOut: plan.tokenOut }]);
      const first = await chain.getBlockNumber();
      const began = performance.now();
      const sent = await sender.send(
        createCalls(book.own).execute({ plan, path, ticket: unsignedGo(`0x${'5e'.repeat(32)}`), signature: '0x' }),
      );
      if (sent.outcome !== 'confirmed') throw new Error(JSON.stringify(sent));
      const { gasUsed } = await chain.getTransactionReceipt({ hash: sent.hash });
      measured[at]?.ms.push(performance.now() - began);
      measured[at]?.blocks.push(Number(sent.block - first));
      measured[at]?.gas.push(at === 0 ? gasUsed : sent.gasUsed);
    }
  }
  console.log(`${runs} runs of each; median`);
  for (const { name, ms, blocks, gas } of measured) {
    console.log(
      `${name.padEnd(16)} ${Math.round(median(ms))} ms   ${median(blocks)} blocks   ${median(gas.map(Number))} gas paid for`,
    );
  }
} finally {
  for (const stop of stops) await stop();
  await bundler.stop();
  await byKey.stop();
  await byWallet.stop();
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
