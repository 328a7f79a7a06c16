import { connectChain } from '@bowline/chain/chain-client';
import { createMarketReader } from '@bowline/chain/market-reader';
import { isTraded, type TradedAsset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { timers } from '@bowline/http/clock';
import { type Address, type Hex, isAddress, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { erc20Abi, routerAbi } from '../../lab/world/abis.ts';
import { pancake, type TokenSymbol, tokens } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { compile } from '../../lab/world/compile.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { poolAddress } from '../../lab/world/pancake.ts';
import { treasurer } from '../../lab/world/replica.ts';
import book from '../../packages/core/registry/bsc.json' with { type: 'json' };
import { alice, approve, balance } from './accounts.ts';

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

const trap = await compile(new URL('../mocks/TrapERC20.sol', import.meta.url));
// Numbered as in the contract.
const traps = [
  'none',
  'tax',
  'sender_fee',
  'not_sold',
  'not_bought',
  'paused',
  'gas_burner',
  'balance_refused',
] as const;

const assets = readAssetRegistry(localChainId, isAddress).filter(isTraded);
const assetOf = (symbol: string) => assets.find((asset) => asset.symbol === symbol) as TradedAsset;
const readerOf = () =>
  createMarketReader(
    connectChain(local.url, true),
    book as unknown as Pick<AddressBook, 'venus' | 'secondFeeds' | 'pancake'>,
    timers,
  );
const simulated = (side: Side, usd: string, symbol = 'BTCB', reader = readerOf()) =>
  reader.facts(assetOf(symbol), assetOf('USDT'), side, { usdWad: parseEther(usd) });

/** Traps are in the USDT pool. Without the WBNB pool there is no other route. */
async function setTrap(name: (typeof traps)[number]) {
  await chain.setCode({ address: poolAddress(tokens.BTCB, tokens.WBNB, 2_500), bytecode: '0x' });
  await chain.place(tokens.BTCB, trap, [traps.indexOf(name), assetOf('BTCB').pool.address], alice);
}

/** Alice, who holds nothing, swaps; returns her balance of `to`. */
async function swap(from: TokenSymbol, to: TokenSymbol, fee: number, amountIn: bigint): Promise<bigint> {
  await approve(chain, alice, from, pancake.router, amountIn);
  const rest = { recipient: alice, deadline: 2n ** 64n, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n };
  const args = [{ tokenIn: tokens[from], tokenOut: tokens[to], fee, amountIn, ...rest }] as const;
  await chain.send(alice, pancake.router, { abi: routerAbi, functionName: 'exactInputSingle', args });
  return balance(chain, alice, tokens[to]);
}

// GD-9
describe('the simulated swap', () => {
  it.each([
    ['BTCB', 'buy', '1000'],
    ['BTCB', 'sell', '1000'],
    // A tenth of the pool.
    ['BTCB', 'buy', '10000000'],
    ['WBNB', 'sell', '50000'],
    ['USDC', 'buy', '0.000001'],
  ] as const)(
    'of %s, to %s for %s USD, is what it would be, and what the swap back would be',
    async (symbol, side, usd) => {
      const { play, quote } = await simulated(side, usd, symbol);
      const [from, to] = side === 'buy' ? (['USDT', symbol] as const) : ([symbol, 'USDT'] as const);
      const { feeMillionths = 0 } = assetOf(symbol).pool;
      const amountIn = quote?.amountIn ?? 0n;
      const args = [alice, amountIn] as const;
      await chain.send(treasurer, tokens[from], { abi: erc20Abi, functionName: 'transfer', args });
      const received = await swap(from, to, feeMillionths, amountIn);
      expect(received).toBe(quote?.amountOut);
      expect(play).toEqual({ received, returned: await swap(to, from, feeMillionths, received) });
    },
  );

  it.each([
    // Tokens that return nothing work like others.
    ['none', 'buy', ({ amountOut }) => ({ received: amountOut, returned: expect.any(BigInt) })],
    ['none', 'sell', ({ amountOut }) => ({ received: amountOut, returned: expect.any(BigInt) })],
    // Less arrives, and then the pool receives less than it requires.
    ['tax', 'buy', ({ amountOut }) => ({ received: amountOut - amountOut / 100n })],
    ['tax', 'sell', () => 'refused'],
    // The pool itself cannot pay more than it sends, nor can a seller of the whole balance.
    ['sender_fee', 'buy', ({ amountOut }) => ({ received: amountOut })],
    ['not_sold', 'buy', ({ amountOut }) => ({ received: amountOut })],
    ['not_sold', 'sell', () => 'refused'],
    ['not_bought', 'buy', () => 'refused'],
    ['not_bought', 'sell', ({ amountOut }) => ({ received: amountOut })],
    ['paused', 'buy', () => 'refused'],
    ['paused', 'sell', () => 'refused'],
    ['gas_burner', 'buy', () => 'refused'],
    ['gas_burner', 'sell', () => 'refused'],
  ] as [(typeof traps)[number], Side, (quote: { amountOut: bigint }) => unknown][])(
    'of a token that does this: %s, to %s',
    async (name, side, expected) => {
      const honest = await simulated(side, '1000');
      await setTrap(name);
      const { play, ...facts } = await simulated(side, '1000');
      expect(play).toEqual(expected(honest.quote as { amountOut: bigint }));
      // Only a token that the pool cannot send shows it, by its missing quotes: of the route and of one pool.
      const { play: _, quote, directOut, ...honestly } = honest;
      expect(directOut).toBe(quote?.amountOut);
      const isSent = side === 'sell' || !['not_bought', 'paused', 'gas_burner'].includes(name);
      expect(facts).toEqual({
        ...honestly,
        ...(isSent && { quote, directOut }),
        ...{ block: expect.any(Object), finalBlock: expect.any(BigInt) },
      });
    },
  );

  it('counts as not returned what a token takes from its sender on top', async () => {
    const honest = (await simulated('sell', '1000')).play;
    await setTrap('sender_fee');
    const { play, quote } = await simulated('sell', '1000');
    if (typeof honest !== 'object' || typeof play !== 'object' || quote === undefined) throw new Error('not simulated');
    expect(play.received).toBe(quote.amountOut);
    // On the way there, a hundredth of the payment; on the way back, what the pool sends, with the hundredth paid by
    // the pool.
    expect(play.returned).toBe((honest.returned ?? 0n) - quote.amountIn / 100n);
  });

  it('is missing, and not refused, where a token does not say who holds what, or nothing says how much is paid', async () => {
    await setTrap('balance_refused');
    for (const side of ['buy', 'sell'] as const) expect('play' in (await simulated(side, '1000'))).toBe(false);
    const { play, quote, route, chainlink } = await simulated('buy', `${2n ** 190n}`);
    expect([play, quote, route]).toEqual([undefined, undefined, undefined]);
    expect(chainlink).toBeDefined();
  });

  it('is missing once where a token has come to keep balances elsewhere', async () => {
    const reader = readerOf();
    const sell = async () => (await simulated('sell', '1000', 'BTCB', reader)).play;
    expect(await sell()).toHaveProperty('returned');
    // It reports balances but moves none.
    const kept = await compile(new URL('../mocks/KeptBalances.sol', import.meta.url));
    await chain.place(tokens.BTCB as Address, kept, [9n, false, 1n], alice);
    expect(await sell()).toBeUndefined();
    expect(await sell()).toBe('refused');
  });

  it('leaves the chain as it was', async () => {
    const pool = poolAddress(tokens.BTCB, tokens.USDT, 500);
    const before = [await balance(chain, pool, tokens.USDT), await balance(chain, pool, tokens.BTCB)];
    const first = await simulated('buy', '1000000');
    expect(await simulated('buy', '1000000')).toEqual(first);
    expect([await balance(chain, pool, tokens.USDT), await balance(chain, pool, tokens.BTCB)]).toEqual(before);
  });
});
