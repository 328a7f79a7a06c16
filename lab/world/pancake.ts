import { squareRootDown } from '@bowline/chain/market-facts';
import { type Address, encodeAbiParameters, getCreate2Address, type Hex, keccak256, maxUint256 } from 'viem';
import { erc20Abi, factoryAbi, poolAbi, positionManagerAbi } from './abis.ts';
import { pancake, tokens, unitScaleOf, wholeTokens } from './addresses.ts';
import { type Artifact, loadPackage } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { compile } from './compile.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { pancakeCore, pancakePeriphery } from './packages.ts';
import { priceUsd8 } from './prices.ts';

/** keccak256 of the pool's creation code on BNB Chain. It gives pools the same addresses as there. */
const poolInitCodeHash: Hex = '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2';

/** An address that is unused on BNB Chain. Its code is the pool's creation code. */
const creationCodeAt: Address = '0x00000000000000000000000000000000c0dE0003';

interface PoolPlan {
  readonly base: keyof typeof priceUsd8;
  readonly quote: keyof typeof priceUsd8;
  /** Hundredths of a basis point. */
  readonly fee: 100 | 500 | 2500;
  /** Whole tokens of `base` to deposit; the quote side follows from the price. */
  readonly depth: string;
}

/** The pools for routes between the replica's tokens. BTCB can be reached directly and through WBNB. */
export const pools: readonly PoolPlan[] = [
  { base: 'WBNB', quote: 'USDT', fee: 500, depth: '20000' },
  { base: 'BTCB', quote: 'USDT', fee: 500, depth: '1000' },
  { base: 'ETH', quote: 'USDT', fee: 500, depth: '10000' },
  { base: 'USDC', quote: 'USDT', fee: 100, depth: '50000000' },
  { base: 'BTCB', quote: 'WBNB', fee: 2500, depth: '200' },
];

/**
 * Number of observations that a pool keeps. A pool writes at most one per second of trading, so these always span 20
 * minutes, and `observe([1200, 600])` always succeeds.
 */
const observations = 1440;

/** The address of the pool of two tokens, in any order. */
export function poolAddress(tokenA: Address, tokenB: Address, fee: number): Address {
  const key = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }],
    [...sorted(tokenA, tokenB), fee],
  );
  return getCreate2Address({ from: pancake.poolDeployer, salt: keccak256(key), bytecodeHash: poolInitCodeHash });
}

export const poolDeployer: Compilation<Artifact> = {
  name: 'pool-deployer',
  sources: ['lab/world/ReplicaPoolDeployer.sol', 'lab/tools/compile.mjs'],
  build: () => compile(new URL('ReplicaPoolDeployer.sol', import.meta.url)),
};

/** Pool deployer (CREATE2) ← factory ← router, quoter and position manager, which compute pool addresses. */
export async function deployPancake(chain: Chain, deployer: Address): Promise<void> {
  const { Factory, Pool } = loadPackage(pancakeCore);
  const { SwapRouter, QuoterV2, PositionManager } = loadPackage(pancakePeriphery);
  const PoolDeployer = await compiledOf(poolDeployer);
  await chain.setCode({ address: creationCodeAt, bytecode: Pool.bytecode });
  await chain.place(pancake.poolDeployer, PoolDeployer, [creationCodeAt], deployer);
  await chain.place(pancake.factory, Factory, [pancake.poolDeployer], deployer);
  await chain.send(deployer, pancake.poolDeployer, {
    abi: PoolDeployer.abi,
    functionName: 'setFactoryAddress',
    args: [pancake.factory],
  });
  const periphery = [pancake.poolDeployer, pancake.factory, tokens.WBNB] as const;
  await chain.place(pancake.router, SwapRouter, periphery, deployer);
  await chain.place(pancake.quoter, QuoterV2, periphery, deployer);
  const noPositionImages = '0x0000000000000000000000000000000000000000';
  await chain.place(pancake.positionManager, PositionManager, [...periphery, noPositionImages], deployer);
}

/** Creates the empty pools at the feeds' prices, each with room for its observations. */
export async function createPools(chain: Chain, provider: Address): Promise<void> {
  for (const { base, quote, fee } of pools) {
    const [token0, token1] = sorted(tokens[base], tokens[quote]);
    const [first, second] = token0 === tokens[base] ? [base, quote] : [quote, base];
    await chain.send(provider, pancake.positionManager, {
      abi: positionManagerAbi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, fee, sqrtPriceX96(unitUsd8(first), unitUsd8(second))],
    });
    // In two steps: reserving all observations at once takes more gas than one transaction may use.
    for (const room of [observations / 2, observations]) {
      await chain.send(provider, poolAddress(token0, token1, fee), {
        abi: poolAbi,
        functionName: 'increaseObservationCardinalityNext',
        args: [room],
      });
    }
  }
}

/**
 * Adds liquidity to every pool over its full range. As a change of liquidity, this also writes the pool's second
 * observation.
 */
export async function addLiquidity(chain: Chain, provider: Address): Promise<void> {
  for (const token of new Set(pools.flatMap(({ base, quote }) => [tokens[base], tokens[quote]]))) {
    const approval = [pancake.positionManager, maxUint256] as const;
    await chain.send(provider, token, { abi: erc20Abi, functionName: 'approve', args: approval });
  }
  for (const { base, quote, fee, depth } of pools) {
    const amount = wholeTokens(base, depth);
    const amountOf = { [tokens[base]]: amount, [tokens[quote]]: (amount * unitUsd8(base)) / unitUsd8(quote) };
    const [token0, token1] = sorted(tokens[base], tokens[quote]);
    const spacing = await chain.readContract({
      address: pancake.factory,
      abi: factoryAbi,
      functionName: 'feeAmountTickSpacing',
      args: [fee],
    });
    const widest = Math.floor(maxTick / spacing) * spacing;
    const position = {
      token0,
      token1,
      fee,
      tickLower: -widest,
      tickUpper: widest,
      amount0Desired: amountOf[token0] ?? 0n,
      amount1Desired: amountOf[token1] ?? 0n,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: provider,
      deadline: maxUint256,
    };
    await chain.send(provider, pancake.positionManager, {
      abi: positionManagerAbi,
      functionName: 'mint',
      args: [position],
    });
  }
}

/** The largest tick of a v3 pool. */
const maxTick = 887_272;

/** The feeds' price of one base unit, on one scale for all tokens. */
const unitUsd8 = (symbol: keyof typeof priceUsd8): bigint => priceUsd8[symbol] * unitScaleOf(symbol);

/** The v3 price: the square root of token1 per token0, with 96 fractional bits, rounded down. */
export function sqrtPriceX96(numerator: bigint, denominator: bigint): bigint {
  return squareRootDown((numerator << 192n) / denominator);
}

export function sorted(tokenA: Address, tokenB: Address): [Address, Address] {
  return tokenA.toLowerCase() < tokenB.toLowerCase() ? [tokenA, tokenB] : [tokenB, tokenA];
}
