import { isAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { isTraded, tradedAsset } from '../../domain/assets.ts';
import registry from '../../registry/assets.json' with { type: 'json' };
import { readAssetRegistry } from '../../registry/assets.ts';

// AG-10

type Line = { symbol: string; chains: { 56?: object; 97?: object } } & Record<string, unknown>;
const lines = registry as Line[];

/** Reads a registry of these lines for a chain. */
const read = (assets: unknown, chainId = 56) => readAssetRegistry(chainId, isAddress, assets);

/** The registry with one line changed; `there` changes its entry for BNB Chain. */
const changed = (symbol: string, same: object, there: object = {}) =>
  lines.map((line) =>
    line.symbol === symbol
      ? { ...line, ...same, chains: { ...line.chains, 56: { ...line.chains[56], ...there } } }
      : line,
  );

const place = {
  address: '0x7083609fCE4d1d8Dc0C979AAb8c869Ea2C873402',
  decimals: 18,
  feed: '0xC333eb0086309a16aa7c8308DfD32c8BBA0a2592',
  feedDecimals: 8,
};
const pool = { address: '0x0000000000000000000000000000000000000001', quote: 'USDT', feeMillionths: 500 };
const dot = {
  ...{ symbol: 'DOT', name: 'Polkadot', class: 'crypto', aliases: ['polkadot'] },
  pythId: `0x${'ab'.repeat(32)}`,
  chains: { 56: place },
};
const traded = { ...dot, chains: { 56: { ...place, pool } } };
const without = (line: Record<string, unknown>, field: string) =>
  Object.fromEntries(Object.entries(line).filter(([name]) => name !== field));

describe('an asset that a line is added for', () => {
  it('is one of the assets, with what is said of the chain', () => {
    expect(read([...lines, traded]).at(-1)).toEqual({ ...without(traded, 'chains'), ...traded.chains[56] });
  });

  it('may have no pool: then it is not traded', () => {
    const added = read([...lines, dot]).at(-1);
    if (added === undefined) throw new Error('nothing was added');
    expect(added).toEqual({ ...without(dot, 'chains'), ...place });
    expect(isTraded(added)).toBe(false);
    expect(() => tradedAsset(added)).toThrow(
      expect.objectContaining({
        code: 'no_pool',
        message: 'DOT has no pool here to trade it in. Ask for its price instead (get_price).',
      }),
    );
  });

  it('is on the local chain what it is on BNB Chain', () => {
    expect(read([...lines, dot], 31_337)).toEqual(read([...lines, dot]));
  });

  it('is not on a chain that nothing is said of', () => {
    const test = { ...dot, chains: { 97: place } };
    expect(read([...lines, test], 97).map(({ symbol }) => symbol)).toContain('DOT');
    expect(read([...lines, test]).map(({ symbol }) => symbol)).not.toContain('DOT');
    expect(read(lines, 56).length).toBeGreaterThanOrEqual(5);
    expect(read(lines, 97).map(({ symbol }) => symbol)).toEqual(['BTCB', 'ETH', 'WBNB', 'USDC', 'USDT']);
    expect(read(lines, 98)).toEqual([]);
  });
});

describe('a registry whose assets do not fit together', () => {
  it.each([
    [
      'a quote that is no stablecoin',
      changed('USDC', { class: 'crypto' }),
      'the pool of USDT is quoted in USDC, which is no stablecoin',
    ],
    [
      'a quote that is not listed',
      changed('ETH', {}, { pool: { ...pool, quote: 'DAI' } }),
      'the pool of ETH is quoted in "DAI", which is no other asset of the list',
    ],
    [
      'a quote that is the asset itself',
      changed('USDT', {}, { pool: { ...pool, quote: 'USDT' } }),
      'the pool of USDT is quoted in "USDT", which is no other asset of the list',
    ],
    [
      'an exchange price that another feed would be needed for',
      changed('BTCB', { exchangePair: 'BTCEUR' }),
      'the exchange pair of BTCB, BTCEUR, is not priced in USDT, as its pool is',
    ],
    [
      'an exchange pair whose currency no pool tells',
      [...lines, { ...dot, exchangePair: 'DOTUSDT' }],
      'DOT has an exchange pair and no pool: nothing says what its price is in',
    ],
    [
      'an asset of Chainlink alone',
      [...lines, without(dot, 'pythId')],
      'DOT has neither an exchange pair nor a Pyth id: Chainlink alone would prove its price',
    ],
    ['a name used twice', changed('ETH', { aliases: ['btc'] }), '"btc" names two assets'],
    [
      'an address used twice',
      [...lines, dot, { ...dot, symbol: 'KSM', aliases: [] }],
      'two assets have the same address',
    ],
  ])('is not taken: %s', (_, assets, complaint) => {
    expect(() => read(assets)).toThrow(`packages/core/registry/assets.json: ${complaint}.`);
  });

  it('is not taken with an address that a digit was typed wrong in', () => {
    const mistyped = changed('ETH', {}, { feed: '0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2f' });
    expect(() => read(mistyped)).toThrow(
      'packages/core/registry/assets.json: 1.chains.56.feed: is not a checksummed address.',
    );
  });

  it('is taken as it is', () => {
    const onBsc = ['BTCB', 'ETH', 'WBNB', 'USDC', 'USDT'];
    expect(read(lines).map(({ symbol }) => symbol)).toEqual(onBsc);
  });
});
