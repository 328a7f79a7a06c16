import { type Asset, quoteAssetOf, tradedAsset } from '../domain/assets.ts';
import type { BookTicker, Limits, Proposal, Side, Size } from '../domain/facts.ts';
import type { Clock, MarketData, MarketReader } from '../domain/ports.ts';
import { BowlineError } from '../domain/result.ts';

export interface Sources {
  readonly assets: readonly Asset[];
  readonly limitsOf: (asset: Asset) => Limits;
  readonly chain: MarketReader;
  readonly clock: Clock;
  /** Absent where no exchange is configured. */
  readonly exchange?: MarketData;
}

/**
 * Gathers what the checks need to know of a trade, from the chain and the exchange at the same time. Throws
 * `chain_unavailable` when the chain does not answer, since without a block there is nothing to judge; an exchange that
 * does not answer is a missing fact, which the checks find. Throws `no_pool` for an asset that is not traded.
 */
export async function propose(
  { assets, limitsOf, chain, clock, exchange }: Sources,
  listed: Asset,
  side: Side,
  size: Size,
): Promise<Proposal> {
  const asset = tradedAsset(listed);
  const quoteAsset = quoteAssetOf(assets, asset);
  const [facts, ticker] = await Promise.all([
    chain.facts(asset, quoteAsset, side, size),
    askExchange(exchange, asset.exchangePair),
  ]);
  const proposal = { asset, quoteAsset, side, size, readAt: clock(), chain: facts, limits: limitsOf(asset) };
  return ticker === undefined ? proposal : { ...proposal, exchange: ticker };
}

async function askExchange(
  exchange: MarketData | undefined,
  pair: string | undefined,
): Promise<BookTicker | 'off' | undefined> {
  if (exchange === undefined || pair === undefined) return 'off';
  try {
    return await exchange.bookTicker(pair);
  } catch (error) {
    if (error instanceof BowlineError && error.code === 'market_unavailable') return undefined;
    throw error;
  }
}
