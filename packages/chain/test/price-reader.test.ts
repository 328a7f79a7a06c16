import { type Asset, isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import { WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { timers } from '@bowline/http/clock';
import { type Hex, isAddress } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { feeds, tokens } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { setPrice } from '../../../lab/world/oracle.ts';
import { alice } from '../../../test/local/accounts.ts';
import bsc from '../../core/registry/bsc.json' with { type: 'json' };
import { connectChain } from '../chain-client.ts';
import { createMarketReader } from '../market-reader.ts';
import { createPriceReader } from '../price-reader.ts';
import type { PriceReader } from '../readers.ts';

let local: LocalChain;
let chain: Chain;
let reader: PriceReader;
let clean: Hex;
const book = bsc as unknown as Pick<AddressBook, 'venus' | 'secondFeeds'>;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  reader = createPriceReader(connectChain(local.url), book);
});
afterAll(() => local?.stop());
beforeEach(async () => {
  clean = await chain.snapshot();
});
afterEach(() => chain.revert({ id: clean }));

/** An asset that no pool of the registry trades. */
const VAI: Asset = {
  symbol: 'VAI',
  name: 'VAI',
  class: 'stable',
  address: tokens.VAI,
  decimals: 18,
  feed: feeds.VAI,
  feedDecimals: 8,
  aliases: [],
};

it('an asset without a pool has the price of its feed, and of Venus, at the newest block', async () => {
  await setPrice(chain, alice, 'VAI', 99_000_000n);
  const { number, timestamp } = await chain.getBlock();
  const said = { feed: feeds.VAI, usdWad: (99n * WAD) / 100n, updatedAt: timestamp };
  expect(await reader.price(VAI)).toEqual({
    block: { number, timestamp },
    chainlink: { source: 'chainlink', ...said },
    venus: { source: 'venus', ...said },
    // Venus has neither for this asset.
    ...{ redStone: 'off', binanceOracle: 'off' },
  });
});

it('one with a pool has, in what that is quoted in, its pool’s price too, as verdicts have it', async () => {
  const assets = readAssetRegistry(localChainId, isAddress);
  const market = createMarketReader(
    connectChain(local.url),
    bsc as unknown as Pick<AddressBook, 'venus' | 'secondFeeds' | 'pancake'>,
    timers,
  );
  for (const asset of assets.filter(isTraded)) {
    const quoteAsset = quoteAssetOf(assets, asset);
    const facts = await market.facts(...([asset, quoteAsset, 'buy', { usdWad: WAD }] as const));
    const priced = await reader.price(asset, quoteAsset);
    const names = Object.keys(priced) as (keyof typeof priced)[];
    expect(names).toEqual(expect.arrayContaining(['redStone', 'binanceOracle', 'quoteRedStone', 'quoteBinanceOracle']));
    expect(facts).toMatchObject(priced);
    expect(priced.spotWad).toBeGreaterThan(0n);
    expect(Object.keys(await reader.price(asset))).not.toContain('spotWad');
  }
});

it('a source that does not answer is no fact, and a node that does not is an error', async () => {
  await chain.setCode({ address: feeds.VAI, bytecode: '0xfe' });
  const facts = await reader.price(VAI);
  expect(facts).not.toHaveProperty('chainlink');
  const nobody = createPriceReader(connectChain('http://127.0.0.1:9'), book);
  await expect(nobody.price(VAI)).rejects.toMatchObject({ code: 'chain_unavailable', retryable: true });
});
