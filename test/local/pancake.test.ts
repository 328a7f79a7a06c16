import { type Address, concat, type Hex, maxUint256, numberToHex, parseAbi, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { factoryAbi, poolAbi, quoterAbi, routerAbi } from '../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { poolAddress, pools } from '../../lab/world/pancake.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';
import { alice, approve, balance, give } from './accounts.ts';

let local: LocalChain;
let chain: Chain;
let clean: Hex;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
});
afterAll(() => local?.stop());
beforeEach(async () => {
  clean = await chain.snapshot();
});
afterEach(() => chain.revert({ id: clean }));

const bnbUsdt = { tokenIn: tokens.WBNB, tokenOut: tokens.USDT, fee: 500 } as const;

async function swapSingle(order: { tokenIn: Address; tokenOut: Address; fee: number }, amountIn: bigint) {
  const rest = { recipient: alice, deadline: maxUint256, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n };
  const args = [{ ...order, ...rest, amountIn }] as const;
  await chain.send(alice, pancake.router, { abi: routerAbi, functionName: 'exactInputSingle', args });
}

/** v3's path: token, fee in three bytes, token, … */
const path = (...steps: (TokenSymbol | number)[]): Hex =>
  concat(steps.map((step) => (typeof step === 'number' ? numberToHex(step, { size: 3 }) : tokens[step])));

describe('pools', () => {
  // Read from BNB Chain: with other pool code or another salt rule, these would differ.
  it.each([
    ['WBNB', 'USDT', 500, '0x36696169C63e42cd08ce11f5deeBbCeBae652050'],
    ['BTCB', 'USDT', 500, '0x46Cf1cF8c69595804ba91dFdd8d6b960c9B0a7C4'],
    ['USDC', 'USDT', 100, '0x92b7807bF19b7DDdf89b706143896d05228f3121'],
  ] as const)('%s/%s %i has its mainnet address', async (base, quote, fee, mainnet) => {
    const args = [tokens[base], tokens[quote], fee] as const;
    const created = { address: pancake.factory, abi: factoryAbi, functionName: 'getPool', args } as const;
    expect(await chain.readContract(created)).toBe(mainnet);
    expect(poolAddress(...args)).toBe(mainnet);
    expect(await chain.getCode({ address: mainnet })).not.toBeUndefined();
  });

  it.each(pools)('$base/$quote $fee stands where the factory says, at the price of the feeds', async (pool) => {
    const address = poolAddress(tokens[pool.base], tokens[pool.quote], pool.fee);
    const args = [tokens[pool.base], tokens[pool.quote], pool.fee] as const;
    const created = { address: pancake.factory, abi: factoryAbi, functionName: 'getPool', args } as const;
    expect(await chain.readContract(created)).toBe(address);
    const [, tick] = await chain.readContract({ address, abi: poolAbi, functionName: 'slot0' });
    const inOrder = tokens[pool.base].toLowerCase() < tokens[pool.quote].toLowerCase();
    const ratio = Number(priceUsd8[pool.base]) / Number(priceUsd8[pool.quote]);
    const price = inOrder ? 1.0001 ** tick : 1.0001 ** -tick;
    expect(price / ratio).toBeCloseTo(1, 3);
    expect(await chain.readContract({ address, abi: poolAbi, functionName: 'liquidity' })).toBeGreaterThan(0n);
  });

  const observe = (address: Address, secondsAgo: number) =>
    chain.readContract({ address, abi: poolAbi, functionName: 'observe', args: [[secondsAgo, 0]] });

  it.each(pools)('$base/$quote $fee has a TWAP on a fresh fork', async (pool) => {
    const address = poolAddress(tokens[pool.base], tokens[pool.quote], pool.fee);
    const [, tick, , cardinality] = await chain.readContract({ address, abi: poolAbi, functionName: 'slot0' });
    expect(cardinality).toBe(1_440);
    const [[then = 0n, now = 0n]] = await observe(address, 600);
    expect((now - then) / 600n).toBe(BigInt(tick));
  });

  it('keeps its TWAP while it trades in every second', async () => {
    const address = poolAddress(tokens.WBNB, tokens.USDT, 500);
    await approve(chain, alice, 'WBNB', pancake.router, await give(chain, alice, 'WBNB', '100'));
    for (let second = 0; second < 20; second++) {
      await chain.increaseTime({ seconds: 1 });
      await swapSingle(bnbUsdt, parseEther('1'));
    }
    const [, , index] = await chain.readContract({ address, abi: poolAbi, functionName: 'slot0' });
    expect(index).toBeGreaterThanOrEqual(20);
    await observe(address, 600);
    const [created] = await chain.readContract({
      address,
      abi: parseAbi([
        'function observations(uint256 index) view returns (uint32 blockTimestamp, int56, uint160, bool)',
      ]),
      functionName: 'observations',
      args: [0n],
    });
    const age = Number((await chain.getBlock()).timestamp) - created;
    expect(age).toBeGreaterThan(3600);
    await observe(address, age);
    await expect(observe(address, age + 60)).rejects.toThrow(/OLD/);
  });

  it('has a TWAP that a swap in the same block does not move', async () => {
    const address = poolAddress(tokens.WBNB, tokens.USDT, 500);
    await approve(chain, alice, 'WBNB', pancake.router, await give(chain, alice, 'WBNB', '10000'));
    const slot0 = { address, abi: poolAbi, functionName: 'slot0' } as const;
    const [, tickBefore] = await chain.readContract(slot0);
    await swapSingle(bnbUsdt, parseEther('10000'));
    const [, tickAfter] = await chain.readContract(slot0);
    expect(tickAfter).not.toBe(tickBefore);
    const { timestamp } = await chain.getBlock();
    const [[then = 0n, now = 0n]] = await observe(address, 600);
    expect((now - then) / 600n).toBe(BigInt(tickBefore));
    expect(timestamp).toBe((await chain.getBlock()).timestamp);
  });
});

describe('swaps', () => {
  it('pay to the unit what the quoter said, near the feeds’ price', async () => {
    const amountIn = await give(chain, alice, 'WBNB', '10');
    await approve(chain, alice, 'WBNB', pancake.router, amountIn);
    const quote = await chain.simulateContract({
      address: pancake.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [{ ...bnbUsdt, amountIn, sqrtPriceLimitX96: 0n }],
    });
    const [quoted] = quote.result;
    await swapSingle(bnbUsdt, amountIn);
    expect(await balance(chain, alice, tokens.USDT)).toBe(quoted);
    expect(await balance(chain, alice, tokens.WBNB)).toBe(0n);
    // 8,000 less the 0.05 % fee, less twice 10/20,000 of price impact at most.
    expect(quoted).toBeLessThan(parseEther('7996'));
    expect(quoted).toBeGreaterThan(parseEther('7988'));
  });

  it.each([
    { route: ['ETH', 500, 'USDT', 500, 'WBNB'] as const },
    { route: ['BTCB', 2500, 'WBNB', 500, 'USDT'] as const },
  ])('go two hops: $route', async ({ route }) => {
    const [tokenIn, , , , tokenOut] = route;
    const amountIn = await give(chain, alice, tokenIn, '1');
    await approve(chain, alice, tokenIn, pancake.router, amountIn);
    const quoteArgs = [path(...route), amountIn] as const;
    const call = { address: pancake.quoter, abi: quoterAbi, functionName: 'quoteExactInput', args: quoteArgs } as const;
    const [quoted] = (await chain.simulateContract(call)).result;
    const order = { path: path(...route), recipient: alice, deadline: maxUint256, amountIn, amountOutMinimum: quoted };
    await chain.send(alice, pancake.router, { abi: routerAbi, functionName: 'exactInput', args: [order] });
    expect(await balance(chain, alice, tokens[tokenOut])).toBe(quoted);
    const fair = (amountIn * priceUsd8[tokenIn]) / priceUsd8[tokenOut];
    expect(quoted).toBeGreaterThan((fair * 98n) / 100n);
    expect(quoted).toBeLessThan(fair);
  });

  it('say why they revert', async () => {
    const args = [
      { ...bnbUsdt, recipient: alice, deadline: 0n, amountIn: 1n, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
    ];
    const late = chain.send(alice, pancake.router, {
      abi: routerAbi,
      functionName: 'exactInputSingle',
      args: args as never,
    });
    await expect(late).rejects.toThrow('Transaction too old');
  });
});
