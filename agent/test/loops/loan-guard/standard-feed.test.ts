import { connectChain } from '@bowline/chain/chain-client';
import { timers } from '@bowline/http/clock';
import { type Address, encodeFunctionData, parseEther } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { comptrollerAbi, feedAbi, liquidatorAbi, mockFeedAbi, oracleAbi } from '../../../../lab/world/abis.ts';
import { feeds, venus, venusFeeds } from '../../../../lab/world/addresses.ts';
import { setAnswer, sources } from '../../../../lab/world/oracle.ts';
import { approve, bob, carol, give } from '../../../../test/local/accounts.ts';
import { createLoanGuard } from '../../../src/loops/loan-guard/tick.ts';
import { startLoop } from '../../../src/loops/runner.ts';
import { headsOf } from '../../sending/sending.ts';
import { keepLog } from '../world.ts';
import { dave, guardedChain } from './guarded.ts';

const { world, deps, borrow, setGuard, rescuesOf } = guardedChain();
const crashed = 85_000n * 10n ** 8n;

/** Runs at the test's pace: blocks come when the test mines them. */
async function startAgent(): Promise<void> {
  const { url, chain } = world();
  const log = keepLog();
  const heads = headsOf(connectChain(url), log);
  const guard = createLoanGuard(deps({ log }));
  const loop = startLoop('loan-guard', guard.tick, 300, timers, log);
  await loop.idle();
  const unwatch = heads.onHead(loop.trigger);
  await chain.setAutomine(false);
  onTestFinished(async () => {
    unwatch();
    heads.stop();
    await loop.stop();
    await chain.setAutomine(true);
    await guard.settled();
  });
}

/** Waits for this many pending transactions, mines them all in the next block and returns its number. */
async function nextBlock(transactions: number): Promise<bigint> {
  const { chain } = world();
  await expect.poll(async () => (await chain.getTxpoolStatus()).pending).toBe(transactions);
  await chain.mine({ blocks: 1 });
  return chain.getBlockNumber();
}

async function venussPrice(): Promise<bigint> {
  const { chain } = world();
  const call = { address: venus.comptroller, abi: comptrollerAbi, functionName: 'oracle' } as const;
  const address = await chain.readContract(call);
  return chain.readContract({
    address,
    abi: oracleAbi,
    functionName: 'getUnderlyingPrice',
    args: [venus.markets.vBTC],
  });
}

/** Venus's own feeds update, and the same searcher liquidates right behind them in the same block. */
async function updateAndLiquidate(searcher: Address, borrowers: readonly Address[]): Promise<readonly string[]> {
  const { chain } = world();
  const usdt = parseEther('1000');
  const update = encodeFunctionData({ abi: mockFeedAbi, functionName: 'updateAnswer', args: [crashed] });
  const calls = sources.map((source) => ({ to: venusFeeds[source].BTCB, data: update }));
  const liquidations = borrowers.map((borrower) => {
    const args = [venus.markets.vUSDT, borrower, usdt, venus.markets.vBTC] as const;
    const data = encodeFunctionData({ abi: liquidatorAbi, functionName: 'liquidateBorrow', args });
    return { to: venus.liquidator, data };
  });
  const sent = chain.sendTogether(searcher, [...calls, ...liquidations]);
  await nextBlock(calls.length + liquidations.length);
  return (await sent).slice(calls.length).map(({ status }) => status);
}

test('AG-86: the rescue is in the next block after the standard feed, before the protocol’s price and its liquidation', async () => {
  const { chain, book } = world();
  for (const borrower of [bob, carol]) await borrow(borrower, '70000');
  await setGuard(bob, { priceSource: book.own.chainlinkPriceSource });
  await setGuard(carol);
  await approve(chain, dave, 'USDT', venus.liquidator, await give(chain, dave, 'USDT', '2000'));
  const before = await venussPrice();
  await startAgent();

  const answered = setAnswer(chain, dave, feeds.BTCB, crashed);
  const fell = await nextBlock(1);
  await answered;
  // The agent's rescue, which it sent once it saw the block.
  expect(await nextBlock(1)).toBe(fell + 1n);
  const [rescue, ...more] = await rescuesOf(1n);
  expect(more).toEqual([]);
  expect(rescue?.healthBeforeWad).toBeGreaterThan(parseEther('1.1'));
  expect(await rescuesOf(2n)).toEqual([]);
  const answer = await chain.readContract({ address: feeds.BTCB, abi: feedAbi, functionName: 'latestRoundData' });
  expect([answer[1], await venussPrice()]).toEqual([crashed, before]);

  expect(await updateAndLiquidate(dave, [bob, carol])).toEqual(['reverted', 'success']);
});
