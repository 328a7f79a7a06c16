import type { Address } from '@bowline/core/domain/units';
import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { feeds, tokens } from '../../../../lab/world/addresses.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { poolAddress } from '../../../../lab/world/pancake.ts';
import { priceUsd8 } from '../../../../lab/world/prices.ts';
import { createPool, remember } from '../../../../packages/chain/test/pools.ts';
import { balance, bob } from '../../../../test/local/accounts.ts';
import { executorTick } from '../../../src/loops/executor/tick.ts';
import { withWorld, world } from '../with-world.ts';
import { createPlan, executorDeps, keepLog, owner } from '../world.ts';

// AG-1: what was judged is what runs.

withWorld('1000');

const going = new AbortController().signal;
const round = async (changes = {}) => (await executorTick(executorDeps(world, changes))(going)).counts;

/** Pools cheaper than the direct one; they remember, and the feeds are of now. */
async function cheapPools(...pools: readonly (readonly ['BTCB' | 'WBNB', 'WBNB' | 'USDC' | 'USDT', number])[]) {
  for (const [base, quote, price] of pools) {
    await createPool(world.chain, { base, quote, fee: 100, price, depth: base === 'BTCB' ? '200' : '20000' });
  }
  await remember(world.chain);
  for (const symbol of Object.keys(feeds) as (keyof typeof feeds)[]) {
    await setPrice(world.chain, bob, symbol, priceUsd8[symbol]);
  }
}

const held = (tokenA: Address, tokenB: Address, fee: number, token: Address) =>
  balance(world.chain, poolAddress(tokenA, tokenB, fee), token);

test('a plan runs over two pools where they pay more than one', async () => {
  await cheapPools(['WBNB', 'USDT', 800], ['BTCB', 'WBNB', 125]);
  const id = await createPlan(world);
  const [direct, first, before] = await Promise.all([
    held(tokens.BTCB, tokens.USDT, 500, tokens.USDT),
    held(tokens.WBNB, tokens.USDT, 100, tokens.USDT),
    balance(world.chain, owner, tokens.BTCB),
  ]);
  expect(await round()).toEqual({ plans: 1, due: 1, executed: 1 });
  expect(await held(tokens.BTCB, tokens.USDT, 500, tokens.USDT)).toBe(direct);
  expect((await held(tokens.WBNB, tokens.USDT, 100, tokens.USDT)) - first).toBe(parseEther('100'));
  const received = (await balance(world.chain, owner, tokens.BTCB)) - before;
  // 100 USDT less two fees of 0.01 %, and next to no impact; the direct pool keeps 0.05 %.
  expect(received).toBeGreaterThan(parseEther('0.0009997'));
  const runs = await executorDeps(world).reader.runs(id, 0, 1);
  expect(runs).toMatchObject([{ outcome: 'executed', amountOut: received }]);
  expect(await balance(world.chain, world.book.own.swapExecutor, tokens.WBNB)).toBe(0n);
});

test.each([1, 2])('plans run over three pools, %d at once, within the gas of a run', async (plans) => {
  await cheapPools(['WBNB', 'USDC', 800], ['BTCB', 'WBNB', 125]);
  const priceSource = world.book.own.venusPriceSource;
  for (let made = 0; made < plans; made++) await createPlan(world, { priceSource });
  const before = await held(tokens.WBNB, tokens.USDC, 100, tokens.USDC);
  expect(await round()).toMatchObject({ due: plans, executed: plans });
  expect(await held(tokens.WBNB, tokens.USDC, 100, tokens.USDC)).toBeGreaterThan(
    before + parseEther('99') * BigInt(plans),
  );
});

test('a route that would revert is not sent', async () => {
  await createPlan(world);
  const { sources } = executorDeps(world);
  const facts: typeof sources.chain.facts = async (...question) => {
    const read = await sources.chain.facts(...question);
    // There is no such pool.
    const route = (read.route ?? []).map((hop) => ({ ...hop, feeMillionths: 10_000 }));
    return { ...read, route };
  };
  const log = keepLog();
  const counts = await round({ sources: { ...sources, chain: { facts } }, log });
  expect(counts).not.toHaveProperty('executed');
  expect(log.lines.map(({ error }) => error)).toContain('pool_missing');

  expect(await balance(world.chain, owner, tokens.USDT)).toBe(parseEther('1000'));
  expect(await executorDeps(world).reader.runs(1n, 0, 1)).toEqual([]);
});
