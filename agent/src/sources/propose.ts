import { type Asset, quoteAssetOf, tradedAsset } from '@bowline/core/domain/assets';
import type { Limits, Proposal, Side, Size } from '@bowline/core/domain/facts';
import type { Clock, MarketReader, TradingCalendars } from '@bowline/core/domain/ports';
import { askOffChain, type OffChainSources, offChainFacts } from './off-chain.ts';

export interface Sources extends OffChainSources {
  readonly assets: readonly Asset[];
  readonly limitsOf: (asset: Asset) => Limits;
  readonly chain: MarketReader;
  readonly calendars: TradingCalendars;
  readonly clock: Clock;
}

/**
 * Gathers what the checks need to know of a trade, from the chain, the exchange and Pyth at the same time. Throws
 * `chain_unavailable` when the chain does not answer, since without a block there is nothing to judge; who else does not
 * answer is a missing fact, which the checks find. Throws `no_pool` for an asset that is not traded.
 */
export async function propose(sources: Sources, listed: Asset, side: Side, size: Size): Promise<Proposal> {
  const { assets, limitsOf, chain, calendars, clock } = sources;
  const asset = tradedAsset(listed);
  const quoteAsset = quoteAssetOf(assets, asset);
  const [facts, answers] = await Promise.all([chain.facts(asset, quoteAsset, side, size), askOffChain(sources, asset)]);
  const [readAt, limits] = [clock(), limitsOf(asset)];
  const session = asset.calendar === undefined ? undefined : calendars.session(asset.calendar, facts.block.timestamp);
  return {
    ...{ asset, quoteAsset, side, size, readAt, chain: facts, ...offChainFacts(answers, readAt, limits), limits },
    ...(session && { session }),
  };
}
