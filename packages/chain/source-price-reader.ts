import { WAD } from '@bowline/core/domain/units';
import { asking, type ChainClient, inOneCall } from './chain-client.ts';
import { priceSourceAbi } from './price-source-abi.ts';
import type { SourcePriceReader } from './readers.ts';

/** Reads the price of a plan's source, rounded as the registry does it. */
export function createSourcePriceReader(client: ChainClient): SourcePriceReader {
  return {
    sourcePriceWad: ({ priceSource, tokenIn, tokenOut }) =>
      asking(async () => {
        const prices = { address: priceSource, abi: priceSourceAbi, functionName: 'prices' } as const;
        // As a multicall of one, so that a source that reverts is not an error of the node.
        const contracts = [{ ...prices, args: [tokenIn, tokenOut] as const }];
        const [answer] = await client.multicall({ ...inOneCall, contracts });
        const [priceInWad, priceOutWad] = answer?.result ?? [0n, 0n];
        return priceInWad === 0n || priceOutWad === 0n ? undefined : (priceOutWad * WAD) / priceInWad;
      }),
  };
}
