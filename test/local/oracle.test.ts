import type { Address } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oracleAbi } from '../../lab/world/abis.ts';
import { feeds, tokens, venus, venusFeeds } from '../../lab/world/addresses.ts';
import { loadPackage } from '../../lab/world/artifacts.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { setAnswer, setPrice, sources } from '../../lab/world/oracle.ts';
import { venusOracle } from '../../lab/world/packages.ts';
import { alice } from './accounts.ts';

// Venus's price of an asset comes from three sources: it takes the main one if the pivot is within 1 % of it, else the
// fallback if that is within 1 % of the pivot, else the main one if the fallback is within 1 % of it, else none.

let local: LocalChain;
let chain: Chain;
let clean: `0x${string}`;
let packages: ReturnType<typeof loadPackage<typeof venusOracle>>;
beforeAll(async () => {
  packages = loadPackage(venusOracle);
  local = await startLocalChain();
  chain = connect(local.url);
});
afterAll(() => local?.stop());
beforeEach(async () => {
  clean = await chain.snapshot();
});
afterEach(() => chain.revert({ id: clean }));

const assets = ['USDT', 'USDC', 'BTCB', 'ETH', 'WBNB'] as const;
const resilient = '0x6592b5DE802159F3E74B2486b091D11a8256ab8A';

const priceOf = async (asset: Address): Promise<number> => {
  const call = { address: resilient, abi: oracleAbi, functionName: 'getPrice', args: [asset] } as const;
  return Number((await chain.readContract(call)) / 10n ** 15n) / 1e3;
};
const btc = () => priceOf(tokens.BTCB);
const usd = (whole: number) => BigInt(whole) * 10n ** 8n;
const answer = (source: (typeof sources)[number], whole: number) =>
  setAnswer(chain, alice, venusFeeds[source].BTCB, usd(whole));
const breakFeed = (source: (typeof sources)[number]) =>
  chain.setCode({ address: venusFeeds[source].BTCB, bytecode: '0x5f5ffd' });
const noPrice = /invalid resilient oracle price/;

describe('the sources', () => {
  it('are Chainlink, RedStone and Atlas in this order, at BNB Chain’s addresses, bounded to 1 %', async () => {
    expect(Object.values(venus.oracles)).toEqual([
      packages.ChainlinkOracleProxy.address,
      packages.RedStoneOracleProxy.address,
      packages.AtlasOracleProxy.address,
    ]);
    const { abi } = packages.ResilientOracle;
    for (const asset of [...assets.map((symbol) => tokens[symbol]), venus.nativeAsset]) {
      const config = await chain.readContract({
        address: resilient,
        abi,
        functionName: 'getTokenConfig',
        args: [asset],
      });
      expect(config).toMatchObject({
        oracles: sources.map((source) => venus.oracles[source]),
        enableFlagsForOracles: [true, true, true],
        cachingEnabled: false,
      });
      const validate = { address: packages.BoundValidatorProxy.address, abi: packages.BoundValidator.abi } as const;
      const bounds = await chain.readContract({ ...validate, functionName: 'validateConfigs', args: [asset] });
      expect(bounds).toEqual([asset, 1_010_000_000_000_000_000n, 990_000_000_000_000_000n]);
    }
  });

  it('read the feeds of their operators: none of them is the standard feed', async () => {
    const { abi } = packages.ChainlinkOracle;
    for (const source of sources) {
      const feedOf = async (asset: Address) => {
        const call = { address: venus.oracles[source], abi, functionName: 'tokenConfigs', args: [asset] };
        return ((await chain.readContract(call)) as [Address, Address])[1];
      };
      for (const symbol of assets) {
        expect(await feedOf(tokens[symbol])).toBe(venusFeeds[source][symbol]);
        expect(venusFeeds[source][symbol]).not.toBe(feeds[symbol]);
      }
      expect(await feedOf(venus.nativeAsset)).toBe(venusFeeds[source].WBNB);
    }
  });

  it('move together where the market moves, with the standard feed', async () => {
    await setPrice(chain, alice, 'BTCB', usd(90_000));
    for (const source of sources) {
      const call = { address: venus.oracles[source], abi: oracleAbi, functionName: 'getPrice' } as const;
      expect(await chain.readContract({ ...call, args: [tokens.BTCB] })).toBe(90_000n * 10n ** 18n);
    }
    expect(await btc()).toBe(90_000);
  });
});

describe('a price', () => {
  it('is the main source’s while the pivot is within 1 %', async () => {
    await answer('chainlink', 100_900);
    expect(await btc()).toBe(100_900);
    await answer('atlas', 50_000);
    expect(await btc()).toBe(100_900);
  });

  it('does not move with the standard feed', async () => {
    await setAnswer(chain, alice, feeds.BTCB, usd(90_000));
    expect(await btc()).toBe(100_000);
  });

  it('is the fallback’s where main source and pivot are apart, and the fallback is near the pivot', async () => {
    await answer('chainlink', 90_000);
    await answer('atlas', 100_500);
    expect(await btc()).toBe(100_500);
  });

  it('is the main source’s where the pivot alone is apart, or does not answer', async () => {
    await answer('redStone', 90_000);
    expect(await btc()).toBe(100_000);
    await breakFeed('redStone');
    expect(await btc()).toBe(100_000);
  });

  it('is none where each is more than 1 % from the others: no account with that asset can be read', async () => {
    await answer('chainlink', 90_000);
    await answer('redStone', 95_000);
    await expect(btc()).rejects.toThrow(noPrice);
    expect(await priceOf(tokens.ETH)).toBe(4_000);
  });

  it('outlives one source that breaks, and not two', async () => {
    await breakFeed('chainlink');
    expect(await btc()).toBe(100_000);
    await breakFeed('atlas');
    await expect(btc()).rejects.toThrow(noPrice);
  });

  it('of VAI has one source', async () => {
    await setPrice(chain, alice, 'VAI', 99_000_000n);
    expect(await priceOf(tokens.VAI)).toBe(0.99);
  });
});
