import { isAddress } from 'viem';
import { expect, it } from 'vitest';
import { venusFeeds } from '../../../../script/local/addresses.ts';
import { bscChainId } from '../../domain/chains.ts';
import { readAssetRegistry } from '../../registry/assets.ts';
import { sameSourceFeed } from '../../registry/same-source.ts';

// AG-26

const assets = readAssetRegistry(bscChainId, isAddress);

it('lists, for every asset on BNB Chain, the Chainlink feed that Venus reads, which is not the asset’s own', () => {
  for (const asset of assets) {
    const other = sameSourceFeed(asset);
    expect(other && isAddress(other)).toBe(true);
    expect(other).not.toBe(asset.feed);
    expect(other).toBe(venusFeeds.chainlink[asset.symbol as keyof typeof venusFeeds.chainlink]);
  }
});

it('knows none of an asset that it does not list', () => {
  expect(sameSourceFeed({ symbol: 'ACMEX' })).toBeUndefined();
});
