import { isAddress } from 'viem';
import { expect, it } from 'vitest';
import { venusFeeds } from '../../../../lab/world/addresses.ts';
import { bscChainId } from '../../domain/chains.ts';
import { readAssetRegistry } from '../../registry/assets.ts';
import bsc from '../../registry/bsc.json' with { type: 'json' };

// GD-14

it('lists, for every asset on BNB Chain, the Chainlink feed that Venus reads, which is not the asset’s own', () => {
  const assets = readAssetRegistry(bscChainId, isAddress);
  expect(Object.keys(bsc.secondFeeds).toSorted()).toEqual(assets.map(({ symbol }) => symbol).toSorted());
  for (const asset of assets) {
    const other = bsc.secondFeeds[asset.symbol as keyof typeof bsc.secondFeeds];
    expect(other).not.toBe(asset.feed);
    expect(other).toBe(venusFeeds.chainlink[asset.symbol as keyof typeof venusFeeds.chainlink]);
  }
});
