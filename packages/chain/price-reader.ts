import type { Asset } from '@bowline/core/domain/assets';
import { zeroAddress } from 'viem';
import { poolAbi } from './chain-abis.ts';
import { asking, type ChainClient, nobody } from './chain-client.ts';
import { routeFacts } from './market-facts.ts';
import { callLens, decoded } from './market-lens.ts';
import { oraclesOf, type PriceBook, priceFacts, read, readsOf, tokenOf } from './price-facts.ts';
import type { PriceReader } from './readers.ts';

const nothing = { token: zeroAddress, unit: 1n, feed: zeroAddress, feedScale: 1n };
const nowhere = {
  ...{ deployer: zeroAddress, quoter: zeroAddress, hubs: [], steadyTicks: 0n, impactBps: 0n, withdrawnBps: 0n },
};

/**
 * Reads the on-chain price facts of an asset as a verdict reads them, but without a trade. A source that fails or returns
 * nonsense is an absent fact.
 */
export function createPriceReader(client: ChainClient, book: PriceBook): PriceReader {
  /** A trade of nothing: the lens reads prices and searches no route. */
  function questionOf(asset: Asset, quoteAsset: Asset | undefined) {
    const reads = readsOf(asset, book);
    const pool = quoteAsset && asset.pool?.address;
    const trade = {
      ...{ paid: quoteAsset ? tokenOf(quoteAsset) : nothing, received: tokenOf(asset), isBuy: true },
      ...{ sizeIn: 0, size: 0n, market: nowhere, router: zeroAddress, oracles: oraclesOf(book) },
    };
    const ofPool = pool === undefined ? [] : [read(pool, { abi: poolAbi, functionName: 'slot0' })];
    return { args: [trade, [...reads, ...ofPool]] as const, poolAt: reads.length };
  }

  return {
    price: (asset, quoteAsset) =>
      asking(async () => {
        const { args, poolAt } = questionOf(asset, quoteAsset);
        const snapshot = await callLens(client, 'read', args, nobody());
        const { number, timestamp, answers } = snapshot;
        const slot0 = decoded(poolAbi, 'slot0', answers[poolAt]);
        return {
          block: { number, timestamp },
          ...priceFacts(snapshot, asset, quoteAsset, book),
          ...(quoteAsset && routeFacts({ side: 'buy', asset, quoteAsset }, [{ tokenOut: asset.address, slot0 }])),
        };
      }),
  };
}
