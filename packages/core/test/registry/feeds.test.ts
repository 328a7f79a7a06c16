import { isAddress } from 'viem';
import { expect, it } from 'vitest';
import { bscChainId } from '../../domain/chains.ts';
import { readAssetRegistry } from '../../registry/assets.ts';
import feedLimits from '../../registry/feeds.json' with { type: 'json' };

// PS-5: what script/Deploy.s.sol passes to ChainlinkPriceSource, for good.

const assets = readAssetRegistry(bscChainId, isAddress);
const limitsOf = (symbol: string) => feedLimits[symbol as keyof typeof feedLimits];

it('has a maximum age and a band for the feed of every asset on BNB Chain, and for no other', () => {
  expect(Object.keys(feedLimits).toSorted()).toEqual(assets.map(({ symbol }) => symbol).toSorted());
});

it('has the ages that the heartbeats of the feeds allow', () => {
  expect(Object.fromEntries(assets.map(({ symbol }) => [symbol, limitsOf(symbol).maxAgeSeconds]))).toEqual({
    ...{ BTCB: 180, ETH: 180, WBNB: 120 },
    ...{ USDC: 1800, USDT: 1800 },
  });
});

it.each(assets.map(({ symbol, class: kind }) => [symbol, kind]))(
  'has a band for %s as its class needs it',
  (symbol, kind) => {
    const { bandDecimals, bandMin, bandMax } = limitsOf(symbol);
    // uint24
    expect(bandMax).toBeLessThan(2 ** 24);
    const [min, max] = [bandMin / 10 ** bandDecimals, bandMax / 10 ** bandDecimals];
    if (kind === 'stable') expect([min, max]).toEqual([0.95, 1.05]);
    // A factor of twenty either way of the price at deployment.
    else expect(max / min).toBe(400);
  },
);
