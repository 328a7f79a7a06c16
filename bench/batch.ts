// Gas of a run, alone and in batches, by the plain key and by the wallet (the operation's share, and its penalty for
// unused gas). Real PancakeSwap v3; every plan is new, and each owner buys the same.
//
//   node_modules/.bin/node bench/batch.ts

import type { Log, Order, Sender } from '@bowline/core/domain/ports';
import { pathOf } from '@bowline/core/domain/route';
import { parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { createCalls } from '../agent/src/sending/calls.ts';
import { openKeeper } from '../agent/src/sending/keeper.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { unlockedSender } from '../agent/test/loops/world.ts';
import { sendingOn } from '../agent/test/sending/sending.ts';
import { unsignedGo } from '../agent/test/unsigned.ts';
import { walletOf } from '../script/local/account-abstraction.ts';
import { connect } from '../script/local/chain.ts';
import { localChainId, startLocalChain } from '../script/local/fork.ts';
import { alice, approve, carol, give } from '../test/local/accounts.ts';

const log: Log = { debug() {}, info() {}, warn: console.error, error: console.error };

async function orders(world: DeployedChain, count: number): Promise<Order[]> {
  const { book, url } = world;
  for (let each = 0; each < count; each++) await createPlan(world);
  const { plans } = await createPlanReader(connectChain(url), book.own, book.assets).plans();
  return plans.slice(-count).map((plan) => ({
    plan,
    path: pathOf(plan.tokenIn, [{ feeMillionths: 500, tokenOut: plan.tokenOut }]),
    ticket: unsignedGo(`0x${'5e'.repeat(32)}`),
    signature: '0x',
  }));
}

async function measure(name: string, world: DeployedChain, sender: Sender, counts: readonly number[]): Promise<void> {
  const calls = createCalls(world.book.own);
  let alone = 0n;
  for (const count of counts) {
    const some = await orders(world, count);
    const [first] = some as [Order];
    const call = count === 1 ? calls.execute(first) : calls.executeBatch(some);
    const sent = await sender.send(call);
    if (sent.outcome !== 'confirmed' || calls.failedRuns(sent.events).size > 0) throw new Error(sent.outcome);
    const each = sent.gasUsed / BigInt(count);
    if (count === 1) alone = each;
    console.log(
      `${name}, ${count === 1 ? 'alone' : `batch of ${count}`}: ${each} a run (${(each * 100n) / alone} %), limit ${call.gas}`,
    );
  }
}

const before = await startLocalChain();
const wallet = await walletOf(connect(before.url), alice);
await before.stop();
const byKey = await startDeployedChain();
const byWallet = await startDeployedChain({ operator: wallet });
try {
  for (const { chain, book } of [byKey, byWallet]) {
    await give(chain, carol, 'USDT', '100000');
    await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('100000'));
  }
  await byWallet.chain.setBalance({ address: wallet, value: parseEther('10') });
  const key = unlockedSender(byKey.chain);
  const warm = await orders(byKey, 1);
  await key.send(createCalls(byKey.book.own).execute(warm[0] as Order));
  // 20 is one more than the agent sends.
  await measure('plain key', byKey, key, [1, 2, 10, 19, 20]);

  const { sender } = await openKeeper({
    ...sendingOn(connectChain(byWallet.url), log),
    book: byWallet.book,
    rescuers: [],
    account: privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
    chainId: localChainId,
    gasBounds: {
      maxGasPriceWei: parseGwei('50'),
      rescueMaxGasPriceWei: parseGwei('50'),
      maxDayWei: parseEther('100'),
    },
  });
  const first = await orders(byWallet, 1);
  await sender.send(createCalls(byWallet.book.own).execute(first[0] as Order));
  await measure('wallet', byWallet, sender, [1, 2, 10, 19]);
} finally {
  await byKey.stop();
  await byWallet.stop();
}
