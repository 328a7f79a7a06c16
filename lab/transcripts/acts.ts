import { type Address, parseEther } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { guardTerms } from '../../agent/test/loans.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { venus } from '../world/addresses.ts';
import { call, type EncodedCall } from '../world/chain.ts';
import { answering, feedsOf } from '../world/oracle.ts';
import { priceUsd8 } from '../world/prices.ts';
import { treasurer } from '../world/replica.ts';
import { approve, borrow, take } from '../world/start/demo.ts';
import type { World } from './world.ts';

// What people and the market do on chain. Each act is one block, so that all later numbers and times are known.

/** Sends all calls in one block of their own. @throws if one of them reverts. */
const inOneBlock = ({ chain, pass }: World, from: Address, calls: readonly EncodedCall[]) =>
  chain.sendInOneBlock(from, calls, () => pass(10));

/** Creates a plan that pays this much USDT for BTCB every hour, due at once, with funds for ten runs. */
export async function createPlan(world: World, owner: Address, amount: string): Promise<void> {
  const { planRegistry } = world.contracts;
  const now = world.clock.now();
  const terms = {
    ...planTerms(world.contracts, owner, now),
    ...{ amountPerRun: parseEther(amount), windowSeconds: 3_600, expiresAt: now + 30 * 86_400 },
  };
  const funds = String(Number(amount) * 10);
  await inOneBlock(world, owner, [
    take(owner, 'USDT', funds),
    approve('USDT', planRegistry, funds),
    call(planRegistry, planRegistryAbi, 'create', [terms]),
  ]);
}

/** A loan of USDT on one ETH, at a health of 1.15, with a guard at 1.1 that restores 1.25. */
export async function guardLoan(world: World, borrower: Address): Promise<void> {
  const { loanGuard } = world.contracts;
  const terms = guardTerms(
    { chain: world.chain, book: { own: world.contracts } },
    borrower,
    BigInt(world.clock.now()),
    {
      ...{ capPerRescue: parseEther('5000'), capPerDay: parseEther('5000') },
      expiresAt: world.clock.now() + 30 * 86_400,
    },
  );
  await inOneBlock(world, borrower, [
    ...borrow({
      ...{ borrower, collateral: 'ETH', market: venus.markets.vETH },
      ...{ deposit: '1', threshold: 80n, healthMilli: 1_150n },
    }),
    take(borrower, 'USDT', '5000'),
    approve('USDT', loanGuard, '5000'),
    call(loanGuard, loanGuardAbi, 'register', [terms]),
  ]);
}

/** Updates every feed with the replica's prices, except this one, in whole US dollars. Pools keep their prices. */
export async function setPrice(world: World, changed?: keyof typeof priceUsd8, usd = 0n): Promise<void> {
  const symbols = Object.keys(priceUsd8) as (keyof typeof priceUsd8)[];
  const calls = symbols.flatMap((symbol) => {
    const answer = symbol === changed ? usd * 10n ** 8n : priceUsd8[symbol];
    return feedsOf(symbol).map((feed) => answering(feed, answer));
  });
  await inOneBlock(world, treasurer, calls);
}
