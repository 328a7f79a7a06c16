import { quoteAssetOf, tradedAsset } from '@bowline/core/domain/assets';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import { showRoute } from '@bowline/core/texts/verdict-answer';
import { z } from 'zod';
import {
  assetInput,
  blockIn,
  blockOutput,
  decimal,
  defineTool,
  findAsset,
  routeOutput,
  sideInput,
  sized,
  sizeInputs,
  sizeOf,
} from './schemas.ts';

export const quoteSwap = defineTool({
  name: 'quote_swap',
  title: 'Swap quote',
  description: 'What the best route on PancakeSwap v3 would pay now. Whether that is fair: check_asset.',
  effect: 'read',
  input: sized(z.strictObject({ asset: assetInput, side: sideInput.default('buy'), ...sizeInputs })),
  output: z.object({
    asset: z.string(),
    side: z.enum(['buy', 'sell']),
    pay: z.object({ symbol: z.string(), amount: decimal }),
    receive: z.object({ symbol: z.string(), amount: decimal }),
    route: routeOutput,
    ...blockOutput,
  }),
  async run({ asset: name, side, ...given }, context) {
    const asset = tradedAsset(findAsset(context, name));
    const quoteAsset = quoteAssetOf(context.assets, asset);
    const { block, quote, route } = await context.chain.facts(asset, quoteAsset, side, sizeOf(asset, given));
    if (quote === undefined) {
      // Not retryable: the chain has answered, and this size would fail again. A payment for it would be owed for ever.
      throw new BowlineError('market_unavailable', `No pool of ${asset.symbol} can quote a swap of this size.`);
    }
    const [from, to] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
    return {
      asset: asset.symbol,
      side,
      pay: { symbol: from.symbol, amount: formatUnits(quote.amountIn, from.decimals) },
      receive: { symbol: to.symbol, amount: formatUnits(quote.amountOut, to.decimals) },
      route: showRoute(route),
      ...blockIn(block),
    };
  },
});
