import { assetClasses } from '@bowline/core/domain/assets';
import { z } from 'zod';
import { address, defineTool } from './schemas.ts';

export const listAssets = defineTool({
  name: 'list_assets',
  title: 'List assets',
  description: 'The assets with prices, verdicts and quotes, and the token each is traded against.',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    assets: z.array(
      z.object({
        symbol: z.string(),
        name: z.string(),
        class: z.enum(assetClasses),
        address,
        decimals: z.number().int(),
        traded_against: z.string().nullable().describe('Null if it has a price but is not traded.'),
        also_called: z.array(z.string()),
      }),
    ),
  }),
  async run(_input, { assets }) {
    return {
      assets: assets.map((asset) => ({
        symbol: asset.symbol,
        name: asset.name,
        class: asset.class,
        address: asset.address,
        decimals: asset.decimals,
        traded_against: asset.pool?.quote ?? null,
        also_called: [...asset.aliases],
      })),
    };
  },
});
