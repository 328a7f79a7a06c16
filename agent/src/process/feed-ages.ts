import type { Asset } from '@bowline/core/domain/assets';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import type { Vitals } from './vitals.ts';

/** What a price is made of, as far as its feed's age goes: `updatedAt` in unix seconds. */
interface PriceReader {
  price(asset: Asset): Promise<{ readonly chainlink?: { readonly updatedAt?: bigint | undefined } | undefined }>;
}

/** Reads when the Chainlink feeds of assets were last updated. They are no dependencies: each verdict judges their age. */
export async function readFeedAges(
  assets: readonly Asset[],
  prices: PriceReader,
  vitals: Pick<Vitals, 'feedSeen'>,
): Promise<string> {
  const read = await Promise.all(assets.map((asset) => prices.price(asset)));
  for (const [at, asset] of assets.entries()) {
    const updatedAt = read[at]?.chainlink?.updatedAt;
    const maxAgeSeconds = limitsOfAsset(asset).referenceAgeSeconds;
    if (updatedAt !== undefined) vitals.feedSeen({ asset: asset.symbol, updatedAt, maxAgeSeconds });
  }
  return '';
}
