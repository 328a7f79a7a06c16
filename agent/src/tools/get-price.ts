import { toIsoTime } from '@bowline/core/domain/readable';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits, formatUsd } from '@bowline/core/domain/units';
import { poolUsdWad, referenceUsdWad } from '@bowline/core/verdict/references';
import { z } from 'zod';
import { priceOf } from '../sources/propose.ts';
import { listReferences, referenceList, restsOnStale } from './reference-list.ts';
import { assetInput, decimal, findAsset, integer, isoTime } from './schemas.ts';
import { defineTool } from './tool.ts';

export const getPrice = defineTool({
  name: 'get_price',
  title: 'Price',
  description:
    'The price of one asset in US dollars now: the median of its independent references (Chainlink feed, Venus oracle, ' +
    'exchange, Pyth), each of them with its age, and the pool that it is traded in. When stale is true, say that the price is old. ' +
    'Says what the price is, not whether it is fair: for that use check_asset.',
  effect: 'read',
  input: z.strictObject({ asset: assetInput }),
  output: z.object({
    asset: z.string(),
    usd: decimal,
    /** Cut to what people read. */
    usd_short: decimal,
    /** True where the price rests on a reference that is too old: it is then no price of now. */
    stale: z.boolean(),
    references: referenceList,
    /** Null where its pool has no price, or it has no pool. */
    pool_usd: decimal.nullable(),
    block: integer,
    time: isoTime,
  }),
  async run({ asset: name }, context) {
    const asset = findAsset(context, name);
    const priced = await priceOf(context, asset);
    const { block } = priced.chain;
    const pool = poolUsdWad(priced.chain);
    const usdWad = referenceUsdWad(priced);
    if (usdWad === undefined) {
      throw new BowlineError('market_unavailable', `No source gives a price of ${asset.symbol} now.`, {
        retryable: true,
      });
    }
    return {
      asset: asset.symbol,
      usd: formatUnits(usdWad, 18),
      usd_short: formatUsd(usdWad),
      stale: restsOnStale(priced),
      references: listReferences(priced, (price) => formatUnits(price, 18)),
      // Of zero, no price.
      pool_usd: pool ? formatUnits(pool, 18) : null,
      block: block.number.toString(),
      time: toIsoTime(block.timestamp),
    };
  },
});
