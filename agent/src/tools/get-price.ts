import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits, formatUsd } from '@bowline/core/domain/units';
import { listReferences } from '@bowline/core/texts/verdict-answer';
import { poolUsdWad, referenceUsdWad } from '@bowline/core/verdict/references';
import { z } from 'zod';
import { priceOf } from '../sources/propose.ts';
import {
  assetInput,
  blockIn,
  blockOutput,
  decimal,
  defineTool,
  findAsset,
  referenceList,
  restsOnStale,
} from './schemas.ts';

export const getPrice = defineTool({
  name: 'get_price',
  title: 'Price',
  description:
    'Price in US dollars: the median of independent references, with their ages, and the pool’s. If stale, say that it is ' +
    'old. Whether it is fair: check_asset.',
  effect: 'read',
  input: z.strictObject({ asset: assetInput }),
  output: z.object({
    asset: z.string(),
    usd: decimal,
    usd_short: decimal.describe('Rounded for people.'),
    stale: z.boolean().describe('Rests on an outdated reference.'),
    references: referenceList,
    pool_usd: decimal.nullable(),
    ...blockOutput,
  }),
  async run({ asset: name }, context) {
    const asset = findAsset(context, name);
    const priced = await priceOf(context, asset);
    const { block } = priced.chain;
    const pool = poolUsdWad(priced);
    const usdWad = referenceUsdWad(priced);
    if (usdWad === undefined) {
      throw new BowlineError('market_unavailable', `No source has a current price of ${asset.symbol}.`, {
        retryable: true,
      });
    }
    return {
      asset: asset.symbol,
      usd: formatUnits(usdWad, 18),
      usd_short: formatUsd(usdWad),
      stale: restsOnStale(priced),
      references: listReferences(priced, (price) => formatUnits(price, 18)),
      // A price of zero means no price.
      pool_usd: pool ? formatUnits(pool, 18) : null,
      ...blockIn(block),
    };
  },
});
