import { type Address, maxUint256, parseEther } from 'viem';
import { factoryAbi, poolAbi, positionManagerAbi } from '../../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens } from '../../../lab/world/addresses.ts';
import type { Chain } from '../../../lab/world/chain.ts';
import { poolAddress, sorted, sqrtPriceX96 } from '../../../lab/world/pancake.ts';
import { treasurer } from '../../../lab/world/replica.ts';
import { approve } from '../../../test/local/accounts.ts';

interface Pool {
  readonly base: TokenSymbol;
  readonly quote: TokenSymbol;
  readonly fee: 100 | 500 | 2500 | 10000;
}

/**
 * Creates a pool, which anyone may do.
 * @param price whole quote tokens per whole base.
 * @param depth whole tokens of `base` over the full range; without it the pool stays empty.
 */
export async function createPool(
  chain: Chain,
  { price, depth, ...pool }: Pool & { readonly price: number; readonly depth?: string },
): Promise<Address> {
  const { base, quote, fee } = pool;
  const [token0, token1] = sorted(tokens[base], tokens[quote]);
  const [of, per] = [BigInt(Math.round(price * 1e9)), 10n ** 9n];
  await chain.send(treasurer, pancake.positionManager, {
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, token0 === tokens[base] ? sqrtPriceX96(of, per) : sqrtPriceX96(per, of)],
  });
  // Otherwise the pool loses its price history with each swap.
  const address = poolAddress(token0, token1, fee);
  const grow = { abi: poolAbi, functionName: 'increaseObservationCardinalityNext', args: [30] } as const;
  await chain.send(treasurer, address, grow);
  if (depth !== undefined) {
    const amount = parseEther(depth);
    await addLiquidity(chain, pool, { base: amount, quote: (amount * of) / per });
  }
  return address;
}

/** Adds liquidity of at most these amounts, over the full range or between two ticks. */
export async function addLiquidity(
  chain: Chain,
  { base, quote, fee }: Pool,
  amounts: { readonly base: bigint; readonly quote: bigint },
  between?: readonly [number, number],
): Promise<void> {
  const [token0, token1] = sorted(tokens[base], tokens[quote]);
  const isBase0 = token0 === tokens[base];
  for (const token of [base, quote]) await approve(chain, treasurer, token, pancake.positionManager, maxUint256);
  const spacing = await chain.readContract({
    address: pancake.factory,
    abi: factoryAbi,
    functionName: 'feeAmountTickSpacing',
    args: [fee],
  });
  const widest = Math.floor(887_272 / spacing) * spacing;
  const [tickLower, tickUpper] = between ?? [-widest, widest];
  const position = {
    ...{ token0, token1, fee, tickLower, tickUpper },
    ...{
      amount0Desired: isBase0 ? amounts.base : amounts.quote,
      amount1Desired: isBase0 ? amounts.quote : amounts.base,
    },
    ...{ amount0Min: 0n, amount1Min: 0n, recipient: treasurer, deadline: maxUint256 },
  };
  await chain.send(treasurer, pancake.positionManager, {
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [position],
  });
}

/** Lets the pools' price history grow: after 20 minutes it has every fact that a verdict needs. */
export async function remember(chain: Chain, seconds = 1_300): Promise<void> {
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
}
