import { isTraded, type TradedAsset } from '@bowline/core/domain/assets';
import type { ChainFacts, Side, Size } from '@bowline/core/domain/facts';
import { pathOf } from '@bowline/core/domain/route';
import { WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { timers } from '@bowline/http/clock';
import { type Address, type Hex, isAddress, parseAbi, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poolAbi, quoterAbi, routerAbi } from '../../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { poolAddress } from '../../../lab/world/pancake.ts';
import { treasurer } from '../../../lab/world/replica.ts';
import { alice, approve, balance, give } from '../../../test/local/accounts.ts';
import book from '../../core/registry/bsc.json' with { type: 'json' };
import { connectChain, lensGas } from '../chain-client.ts';
import { createMarketReader } from '../market-reader.ts';
import type { MarketReader } from '../readers.ts';
import { addLiquidity, createPool, remember } from './pools.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

// The search of contracts/lens/RouteSearch.sol, on PancakeSwap's own code.

let local: LocalChain;
let proxy: RpcProxy;
let chain: Chain;
let reader: MarketReader;
let clean: Hex;
beforeAll(async () => {
  local = await startLocalChain();
  proxy = await startRpcProxy(local.url);
  chain = connect(local.url);
  reader = createMarketReader(
    connectChain(proxy.url, true),
    book as unknown as Pick<AddressBook, 'venus' | 'secondFeeds' | 'pancake'>,
    timers,
  );
});
afterAll(async () => {
  await proxy?.stop();
  await local?.stop();
});
beforeEach(async () => {
  clean = await chain.snapshot();
});
afterEach(() => chain.revert({ id: clean }));

const assets = readAssetRegistry(localChainId, isAddress).filter(isTraded);
const assetOf = (symbol: string) => assets.find((asset) => asset.symbol === symbol) as TradedAsset;
const [BTCB, USDT] = [assetOf('BTCB'), assetOf('USDT')];

const ask = (size: Size, side: Side = 'buy', asset: TradedAsset = BTCB) => reader.facts(asset, USDT, side, size);
const paying = (amount: string) => ({ paid: parseEther(amount) });

/** The route as symbols and fees: "500 BTCB". */
const shown = ({ route }: ChainFacts): string =>
  (route ?? []).map(({ feeMillionths, tokenOut }) => `${feeMillionths} ${symbolOf(tokenOut)}`).join(', ');
const symbolOf = (token: Address) => Object.entries(tokens).find(([, address]) => address === token)?.[0] ?? token;

const direct = '500 BTCB';

/** What alice gets for the swap along the route, and for swapping that back. */
async function swapped({ route = [], quote }: ChainFacts): Promise<{ received: bigint; returned: bigint }> {
  const { tokenIn, tokenOut, amountIn } = quote ?? { tokenIn: '0x', tokenOut: '0x', amountIn: 0n };
  const order = { recipient: alice, deadline: 2n ** 64n, amountOutMinimum: 0n };
  const exactInput = async (path: Hex, from: Address, to: Address, amount: bigint) => {
    await approve(chain, alice, symbolOf(from) as TokenSymbol, pancake.router, amount);
    const before = await balance(chain, alice, to);
    const args = [{ ...order, path, amountIn: amount }] as const;
    await chain.send(alice, pancake.router, { abi: routerAbi, functionName: 'exactInput', args });
    return (await balance(chain, alice, to)) - before;
  };
  await give(chain, alice, symbolOf(tokenIn) as TokenSymbol, String(Number(amountIn) / 1e18));
  const back = route.toReversed().map(({ feeMillionths }, at) => ({
    feeMillionths,
    tokenOut: route.at(-2 - at)?.tokenOut ?? tokenIn,
  }));
  const received = await exactInput(pathOf(tokenIn, route), tokenIn, tokenOut, amountIn);
  return { received, returned: await exactInput(pathOf(tokenOut, back), tokenOut, tokenIn, received) };
}

// GD-20
describe('the best route', () => {
  it('is the direct pool of the lower fee, once it remembers', async () => {
    expect(shown(await ask(paying('1000')))).toBe(direct);
    await createPool(chain, { base: 'BTCB', quote: 'USDT', fee: 100, price: 100_000, depth: '1000' });
    expect(shown(await ask(paying('1000')))).toBe(direct);
    await remember(chain);
    expect(shown(await ask(paying('1000')))).toBe('100 BTCB');
  });

  it('changes with the size', async () => {
    await createPool(chain, { base: 'BTCB', quote: 'USDT', fee: 100, price: 100_000, depth: '1' });
    await remember(chain);
    expect(shown(await ask(paying('10')))).toBe('100 BTCB');
    expect(shown(await ask(paying('10000')))).toBe(direct);
  });

  it('is two pools where they cost less than one, either way', async () => {
    await createPool(chain, { base: 'WBNB', quote: 'USDT', fee: 100, price: 800, depth: '20000' });
    await createPool(chain, { base: 'BTCB', quote: 'WBNB', fee: 100, price: 125, depth: '200' });
    await remember(chain);
    const facts = await ask(paying('1000'));
    expect(shown(facts)).toBe('100 WBNB, 100 BTCB');
    expect(shown(await ask(paying('0.01'), 'sell'))).toBe('100 WBNB, 100 USDT');
    expect(facts.play).toEqual(await swapped(facts));
    expect((facts.play as { received: bigint }).received).toBe(facts.quote?.amountOut);
  });

  it('is three pools where they cost less than two', async () => {
    await createPool(chain, { base: 'WBNB', quote: 'USDC', fee: 100, price: 800, depth: '20000' });
    await createPool(chain, { base: 'BTCB', quote: 'WBNB', fee: 100, price: 125, depth: '200' });
    await remember(chain);
    const facts = await ask(paying('1000'));
    expect(shown(facts)).toBe('100 USDC, 100 WBNB, 100 BTCB');
    const sold = await ask(paying('0.01'), 'sell');
    expect(shown(sold)).toBe('100 WBNB, 100 USDC, 100 USDT');
    expect(facts.play).toEqual(await swapped(facts));
  });

  // GD-20
  it('of an asset with a pool against WBNB alone leads over WBNB', async () => {
    const asset: TradedAsset = { ...BTCB, symbol: 'XVS', address: tokens.XVS, pool: { quote: 'USDT' } };
    const address = await createPool(chain, { base: 'XVS', quote: 'WBNB', fee: 2500, price: 0.0125, depth: '100000' });
    await remember(chain);
    const facts = await ask(paying('1000'), 'buy', asset);
    expect(facts.route).toEqual([
      { pool: poolAddress(tokens.WBNB, tokens.USDT, 500), feeMillionths: 500, tokenOut: tokens.WBNB },
      { pool: address, feeMillionths: 2500, tokenOut: tokens.XVS },
    ]);
    // 0.0125 WBNB at 800 USDT.
    expect(relative(facts.spotWad, 10n * WAD)).toBeLessThan(1e-9);
    expect(relative(facts.twapWad, 10n * WAD)).toBeLessThan(2.01e-4);
    const sold = await ask(paying('100'), 'sell', asset);
    expect(shown(sold)).toBe('2500 WBNB, 500 USDT');
    expect(sold.spotWad).toBe(facts.spotWad);
    expect(facts.play).toEqual(await swapped(facts));
  });

  it('comes with quotes of smaller sizes, each two thirds of the one before', async () => {
    const { quote, smallerQuotes = [], route = [] } = await ask(paying('500000'));
    expect(smallerQuotes).toHaveLength(16);
    let amount = quote?.amountIn ?? 0n;
    for (const { amountIn, amountOut } of smallerQuotes) {
      amount = (amount * 2n) / 3n;
      expect(amountIn).toBe(amount);
      const { result } = await chain.simulateContract({
        address: pancake.quoter,
        abi: quoterAbi,
        functionName: 'quoteExactInput',
        args: [pathOf(tokens.USDT, route), amount],
      });
      expect(amountOut).toBe(result[0]);
    }
  });

  it('comes without them where the size hardly matters', async () => {
    expect(await ask(paying('1000'))).not.toHaveProperty('smallerQuotes');
  });

  it('is none where no pool has liquidity', async () => {
    const asset: TradedAsset = { ...BTCB, address: tokens.XVS, pool: { quote: 'USDT' } };
    await createPool(chain, { base: 'XVS', quote: 'WBNB', fee: 2500, price: 0.0125 });
    const facts = await ask(paying('1000'), 'buy', asset);
    for (const fact of ['route', 'quote', 'spotWad', 'play', 'smallerQuotes']) expect(facts).not.toHaveProperty(fact);
  });
});

// GD-20
describe('a stranger’s pool that quotes best', () => {
  const better = { base: 'BTCB', quote: 'USDT', fee: 100, price: 99_900, depth: '10' } as const;

  it('is not taken before it remembers 20 minutes, unless no other does', async () => {
    await createPool(chain, better);
    for (const seconds of [0, 700, 400]) {
      await remember(chain, seconds);
      expect(shown(await ask(paying('1000')))).toBe(direct);
    }
    await remember(chain, 200);
    expect(shown(await ask(paying('1000')))).toBe('100 BTCB');
  });

  it('is not taken while its price is pushed away from its mean', async () => {
    await createPool(chain, { ...better, price: 100_000 });
    await remember(chain);
    // 0.1 BTCB adds 1 % to the pool's 10 BTCB: the price falls by about 2 %.
    await sell('0.1', 100);
    const facts = await ask(paying('1000'));
    expect(shown(facts)).toBe(direct);
    expect(relative(facts.spotWad, facts.twapWad ?? 0n)).toBeLessThan(1e-4);
  });

  it('is not taken where dust sets its price and the rest is beyond', async () => {
    await createPool(chain, { base: 'BTCB', quote: 'USDT', fee: 100, price: 99_000 });
    // The pool sells all its BTCB from 99,980 USDT up; below that it sells next to nothing.
    const wall = tickOf(99_980);
    await addLiquidity(chain, better, { base: parseEther('10'), quote: 0n }, [wall - 2_000, wall]);
    await addLiquidity(chain, better, { base: 10n ** 12n, quote: 10n ** 17n });
    await remember(chain);
    expect(shown(await ask(paying('1000')))).toBe(direct);
  });

  it('is not taken where it has just lost its liquidity', async () => {
    const pool = await createPool(chain, better);
    await remember(chain);
    expect(shown(await ask(paying('10')))).toBe('100 BTCB');
    await withdraw(6n, ((await liquidityIn(pool)) * 6n) / 10n);
    expect(shown(await ask(paying('10')))).toBe(direct);
  });

  it('is not taken where the swap would need more gas than a run has', async () => {
    await createPool(chain, { ...better, price: 100_000, depth: '1000' });
    await remember(chain);
    expect(shown(await ask(paying('400000')))).toBe('100 BTCB');
    // Adds a little liquidity at every second tick that the swap crosses.
    const top = tickOf(100_000) - 2;
    for (let each = 0; each < 16; each++) {
      const below = top - 2 * each;
      await addLiquidity(chain, better, { base: 10n ** 9n, quote: 10n ** 9n }, [below - 1, below]);
    }
    await remember(chain);
    expect(shown(await ask(paying('400000')))).toBe(direct);
    expect(shown(await ask(paying('10')))).toBe('100 BTCB');
  });

  it('is no obstacle at any price, at both ends of what a pool can be', async () => {
    const { block, finalBlock, ...before } = await ask(paying('1000'));
    await strangersPools([
      ['BTCB', 'USDT'],
      ['BTCB', 'WBNB'],
      ['BTCB', 'USDC'],
      ['WBNB', 'USDC'],
      ['WBNB', 'USDT'],
    ]);
    const { block: later, finalBlock: newer, ...after } = await ask(paying('1000'));
    expect({ ...after, liquidity: 0 }).toEqual({ ...before, liquidity: 0 });
  });

  it('is taken with its mean missing where every pool’s is, and a pool that remembers rather than that', async () => {
    // A size too large for every pool.
    await createPool(chain, { ...better, depth: '5000' });
    expect(shown(await ask(paying('20000000')))).toBe(direct);
    const asset: TradedAsset = { ...BTCB, address: tokens.XVS, pool: { quote: 'USDT' } };
    await createPool(chain, { base: 'XVS', quote: 'USDT', fee: 500, price: 10, depth: '1000' });
    const facts = await ask(paying('1000'), 'buy', asset);
    expect(shown(facts)).toBe('500 XVS');
    expect('twapWad' in facts).toBe(false);
  });
});

// GD-9
it('is found and simulated within the gas of the call, whatever each source and each quote takes', async () => {
  const all = ['BTCB', 'ETH', ...hubs] as const;
  for (const [at, base] of all.entries()) {
    for (const quote of all.slice(at + 1)) {
      for (const fee of [100, 500, 2500, 10_000] as const) {
        await createPool(chain, { base, quote, fee, price: usd[base] / usd[quote], depth: String(1e7 / usd[base]) });
      }
    }
  }
  await remember(chain);
  const usual = await gasOf(() => ask(paying('1000')));
  const large = await gasOf(() => ask(paying('500000')));
  // Feeds and oracles burn all their gas; the quoter burns all but what it needs to answer one unit.
  const { resilientOracle, chainlinkOracle, redStoneOracle, binanceOracle } = book.venus;
  const oracles = [resilientOracle, chainlinkOracle, redStoneOracle, binanceOracle];
  const greedy = [BTCB.feed, USDT.feed, ...oracles] as Address[];
  for (const address of greedy) await chain.setCode({ address, bytecode: '0xfe' });
  await chain.setCode({ address: pancake.quoter, bytecode: '0x5b6120005a115f5760015f5260805ff3' });
  // Two tokens that are not hubs have 40 pools between them, and three hubs.
  const worst = await gasOf(() => reader.facts(BTCB, assetOf('ETH'), 'buy', paying('1')));
  expect(worst.facts.route).toHaveLength(1);
  expect(worst.facts.play).toHaveProperty('returned');
  expect(worst.gas).toBeLessThan(Number(lensGas));
  console.log(`gas: ${usual.gas} for a small size, ${large.gas} for a large one, ${worst.gas} at worst`);
});

const hubs = ['WBNB', 'USDT', 'USDC'] as const;
const usd = { BTCB: 100_000, ETH: 4_000, WBNB: 800, USDT: 1, USDC: 1 } as const;

/** The facts, and the gas of the call that reads them. */
async function gasOf(asked: () => Promise<ChainFacts>): Promise<{ facts: ChainFacts; gas: number }> {
  await asked();
  let params: unknown[] = [];
  proxy.fate = (_, body) => {
    const calls = [JSON.parse(body)].flat() as { method: string; params: unknown[] }[];
    params = calls.find((call) => call.method === 'eth_call')?.params ?? params;
    return 'answered';
  };
  const facts = await asked();
  const [call, , stateOverrides] = params;
  const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true }, stateOverrides };
  const trace = await chain.request({ method: 'debug_traceCall', params: [call, 'latest', options] } as never);
  return { facts, gas: Number((trace as { gasUsed: Hex }).gasUsed) };
}

/** For each pair, one pool of the lowest and one of the highest fee, at impossible prices. */
async function strangersPools(pairs: readonly (readonly ['BTCB' | 'WBNB', 'WBNB' | 'USDC' | 'USDT'])[]) {
  for (const [base, quote] of pairs) {
    for (const [fee, price] of [
      [100, 1e-9],
      [10_000, 1e9],
    ] as const) {
      await createPool(chain, { base, quote, fee, price });
      await addLiquidity(chain, { base, quote, fee }, { base: 10n ** 12n, quote: 10n ** 12n });
    }
  }
}

/** Tick of a BTCB price in USDT; USDT is the pool's first token. */
const tickOf = (price: number): number => Math.round(Math.log(price) / Math.log(1.0001)) * -1;

const liquidityIn = (address: Address) => chain.readContract({ address, abi: poolAbi, functionName: 'liquidity' });

/** The replica has five positions: the first that a test adds is the sixth. */
async function withdraw(tokenId: bigint, liquidity: bigint) {
  const args = [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 64n }] as const;
  await chain.send(treasurer, pancake.positionManager, { abi: decreaseAbi, functionName: 'decreaseLiquidity', args });
}

const decreaseAbi = parseAbi([
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) cut) payable returns (uint256 amount0, uint256 amount1)',
]);

/** Sells BTCB for USDT in one pool. */
async function sell(amount: string, fee: number) {
  const amountIn = await give(chain, alice, 'BTCB', amount);
  await approve(chain, alice, 'BTCB', pancake.router, amountIn);
  const order = { recipient: alice, deadline: 2n ** 64n, amountIn, amountOutMinimum: 0n };
  const path = pathOf(tokens.BTCB, [{ feeMillionths: fee, tokenOut: tokens.USDT }]);
  await chain.send(alice, pancake.router, { abi: routerAbi, functionName: 'exactInput', args: [{ ...order, path }] });
}

const relative = (value: bigint | undefined, expected: bigint): number =>
  Math.abs(Number((value ?? 0n) - expected)) / Number(expected);
