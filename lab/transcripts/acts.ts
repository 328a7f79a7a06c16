import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, encodeFunctionData, pad, parseEther, zeroAddress } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { comptrollerAbi, erc20Abi, faucetAbi, mockFeedAbi, vTokenAbi } from '../world/abis.ts';
import { tokens, venus } from '../world/addresses.ts';
import type { EncodedCall } from '../world/chain.ts';
import { feedsOf } from '../world/oracle.ts';
import { priceUsd8 } from '../world/prices.ts';
import { treasurer } from '../world/replica.ts';
import type { World } from './world.ts';

// What people and the market do on the chain. Each act is one block, so that all later numbers and times are known.

/** All calls in one block of their own. @throws if one of them reverts. */
async function inOneBlock({ chain, pass }: World, from: Address, calls: readonly EncodedCall[]): Promise<void> {
  await chain.setAutomine(false);
  const sending = chain.sendTogether(from, calls);
  while ((await chain.getTxpoolStatus()).pending < calls.length) await sleep(5);
  await pass(10);
  await chain.setAutomine(true);
  const failed = (await sending).findIndex(({ status }) => status !== 'success');
  if (failed !== -1) throw new Error(`transaction ${failed + 1} of ${from} reverted`);
}

const take = (to: Address, symbol: 'USDT' | 'ETH', amount: string): EncodedCall => ({
  to: tokens[symbol],
  data: encodeFunctionData({ abi: faucetAbi, functionName: 'allocateTo', args: [to, parseEther(amount)] }),
});
const approve = (symbol: 'USDT' | 'ETH', spender: Address, amount: string): EncodedCall => ({
  to: tokens[symbol],
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, parseEther(amount)] }),
});

/** A plan that pays this much USDT for BTCB every hour, due at once, with funds for ten runs. */
export async function createPlan(world: World, owner: Address, amount: string): Promise<void> {
  const { planRegistry, swapExecutor, chainlinkPriceSource } = world.contracts;
  const now = world.clock.now();
  const terms = {
    owner,
    recipient: owner,
    executor: swapExecutor,
    verdictSigner: zeroAddress,
    tokenIn: tokens.USDT,
    tokenOut: tokens.BTCB,
    amountPerRun: parseEther(amount),
    startAt: now,
    periodSeconds: 3_600,
    windowSeconds: 3_600,
    maxRuns: 10,
    expiresAt: now + 30 * 86_400,
    priceSource: chainlinkPriceSource,
    limitPriceWad: 0n,
    maxSlippageBps: 100,
    farLimit: false,
    triggerPriceWad: 0n,
  };
  const funds = String(Number(amount) * 10);
  await inOneBlock(world, owner, [
    take(owner, 'USDT', funds),
    approve('USDT', planRegistry, funds),
    { to: planRegistry, data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] }) },
  ]);
}

/** A loan of USDT on one ETH, at a health of 1.15, with a guard at 1.1 that restores 1.25. */
export async function guardLoan(world: World, borrower: Address): Promise<void> {
  const { loanGuard, venusMarket } = world.contracts;
  const { vETH, vUSDT } = venus.markets;
  const now = world.clock.now();
  const call = (to: Address, functionName: 'mint' | 'borrow', amount: bigint): EncodedCall => ({
    to,
    data: encodeFunctionData({ abi: vTokenAbi, functionName, args: [amount] }),
  });
  const terms = {
    borrower,
    funder: borrower,
    adapter: venusMarket,
    market: pad(vUSDT),
    keeper: zeroAddress,
    priceSource: zeroAddress,
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: parseEther('5000'),
    capPerDay: parseEther('5000'),
    minRepay: parseEther('10'),
    cooldownSeconds: 600,
    expiresAt: now + 30 * 86_400,
  };
  // A deposit of 4,000 USD counts for 80 %.
  const debt = (parseEther('3200') * 100n) / 115n;
  await inOneBlock(world, borrower, [
    take(borrower, 'ETH', '1'),
    approve('ETH', vETH, '1'),
    call(vETH, 'mint', parseEther('1')),
    {
      to: venus.comptroller,
      data: encodeFunctionData({ abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vETH]] }),
    },
    call(vUSDT, 'borrow', debt),
    take(borrower, 'USDT', '5000'),
    approve('USDT', loanGuard, '5000'),
    { to: loanGuard, data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] }) },
  ]);
}

/** Has every feed answer anew, with the replica's prices but for this one, in whole US dollars: pools keep theirs. */
export async function setPrice(world: World, changed?: keyof typeof priceUsd8, usd = 0n): Promise<void> {
  const symbols = Object.keys(priceUsd8) as (keyof typeof priceUsd8)[];
  const calls = symbols.flatMap((symbol) => {
    const answer = symbol === changed ? usd * 10n ** 8n : priceUsd8[symbol];
    const data = encodeFunctionData({ abi: mockFeedAbi, functionName: 'updateAnswer', args: [answer] });
    return feedsOf(symbol).map((to) => ({ to, data }));
  });
  await inOneBlock(world, treasurer, calls);
}
