import { type Asset, isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import type { PriceReader } from '@bowline/core/domain/ports';
import { WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { limitsOf } from '@bowline/core/verdict/limits';
import { timers } from '@bowline/http/clock';
import { type Hex, isAddress, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import bsc from '../../../packages/core/registry/bsc.json' with { type: 'json' };
import { feeds, tokens } from '../../../script/local/addresses.ts';
import { type Chain, connect } from '../../../script/local/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../script/local/fork.ts';
import { maker } from '../../../script/local/market/maker.ts';
import { setPrice } from '../../../script/local/oracle.ts';
import { setMultiplier } from '../../../script/local/share.ts';
import { alice } from '../../../test/local/accounts.ts';
import { connectChain } from '../../src/chain/chain-client.ts';
import { createMarketReader } from '../../src/chain/market-reader.ts';
import { createPriceReader } from '../../src/chain/price-reader.ts';

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

/** No pool of the registry's is in it. */
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
function share(): Asset {
  const found = readAssetRegistry(localChainId, isAddress).find(({ symbol }) => symbol === 'ACMEX');
  if (found === undefined) throw new Error('no share');
  return found;
}

it('an asset without a pool has the price of its feed, and of Venus, at the newest block', async () => {
  await setPrice(chain, alice, 'VAI', 99_000_000n);
  const { number, timestamp } = await chain.getBlock();
  const said = { feed: feeds.VAI, usdWad: (99n * WAD) / 100n, updatedAt: timestamp };
  expect(await reader.price(VAI)).toEqual({
    block: { number, timestamp },
    chainlink: { source: 'chainlink', ...said },
    venus: { source: 'venus', ...said },
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
    const { block, chainlink, venus, quoteToken, spotWad, multiplier } = await market.facts(
      ...([asset, quoteAsset, 'buy', { usdWad: WAD }, limitsOf[asset.class]] as const),
    );
    const { parentHash: _, ...sameBlock } = block;
    const facts = { block: sameBlock, chainlink, venus, quoteToken, spotWad, multiplier };
    expect({ venus: undefined, multiplier: undefined, ...(await reader.price(asset, quoteAsset)) }).toEqual(facts);
    expect(spotWad).toBeGreaterThan(0n);
    expect(Object.keys(await reader.price(asset))).not.toContain('spotWad');
  }
});

it('one that stands for a share has the price of that, and how many it is; Venus says nothing of it', async () => {
  const { to, data } = setMultiplier(parseEther('2'));
  await chain.sendRaw(maker, to, data);
  const { timestamp } = await chain.getBlock();
  const { block: _, ...facts } = await reader.price(share());
  expect(facts).toEqual({
    chainlink: { source: 'chainlink', feed: feeds.ACMEX, usdWad: 200n * WAD, updatedAt: expect.any(BigInt) },
    multiplier: { wad: parseEther('2'), beforeWad: WAD, changedAt: timestamp, isHalted: false },
  });
});

it('and how many it is may be another contract’s to say', async () => {
  const { multiplier } = await reader.price({ ...VAI, class: 'lst', multiplier: tokens.ACMEX });
  expect(multiplier).toEqual({ wad: WAD, beforeWad: WAD, changedAt: 0n, isHalted: false });
});

it('what a token says that stands for nothing is not looked at', async () => {
  const { multiplier: _, ...plain } = share();
  expect(await reader.price(plain)).not.toHaveProperty('multiplier');
});

it('a source that does not answer is no fact, and a node that does not is an error', async () => {
  await chain.setCode({ address: feeds.VAI, bytecode: '0xfe' });
  const facts = await reader.price(VAI);
  expect(facts).not.toHaveProperty('chainlink');
  const nobody = createPriceReader(connectChain('http://127.0.0.1:9'), book);
  await expect(nobody.price(VAI)).rejects.toMatchObject({ code: 'chain_unavailable', retryable: true });
});
