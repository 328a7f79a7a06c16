import type { Asset } from './assets.ts';
import type { Address } from './units.ts';

/** A block, with its own time in unix seconds. */
export interface Block {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** A USD price of one whole unit. */
export interface Reference {
  readonly source: 'chainlink' | 'venus' | 'exchange';
  /** The Chainlink feed whose answer it is; absent where there is none, or it is not known. */
  readonly feed?: Address;
  readonly usdWad: bigint;
  /** When its source last said so, unix seconds; absent where that is not known. */
  readonly updatedAt?: bigint;
}

export type Side = 'buy' | 'sell';

/** How much is traded, in one of three ways. */
export type Size =
  /** US dollars with 18 decimals, turned into what is paid by that token's own feed. */
  | { readonly usdWad: bigint }
  /** Base units of what is paid: the very trade. */
  | { readonly paid: bigint }
  /** Base units of the asset. When they are bought, as much is paid as they are worth by the two feeds, rounded up. */
  | { readonly asset: bigint };

/**
 * What the chain says of one asset, read in one call at one block. A fact that could not be read is absent; no fact has a
 * default.
 */
export interface ChainFacts {
  readonly block: Block;
  readonly chainlink?: Reference;
  readonly venus?: Reference;
  /** USD price of the token that the pool is quoted in, by its Chainlink feed. */
  readonly quoteToken?: Reference;
  /** Pool price of one whole asset in whole quote tokens, with 18 decimals; now, and as the mean of `twapSeconds`. */
  readonly spotWad?: bigint;
  readonly twapWad?: bigint;
  readonly twapSeconds: bigint;
  /** The swap of this size, quoted by the pool itself; base units. */
  readonly quote?: SwapQuote;
}

export interface SwapQuote {
  readonly side: Side;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** What the exchange says of one asset: best bid and ask in USDT per whole unit, with 18 decimals. */
export interface BookTicker {
  readonly bidWad: bigint;
  readonly askWad: bigint;
  /** When it answered, by its own clock, unix seconds. Of which moment the prices are it does not say. */
  readonly answeredAt: bigint;
}

/** One candle of the exchange, prices in USDT per whole unit with 18 decimals. */
export interface Candle {
  readonly openedAt: bigint;
  readonly openWad: bigint;
  readonly highWad: bigint;
  readonly lowWad: bigint;
  readonly closeWad: bigint;
  /** Traded, in whole units with 18 decimals. */
  readonly volumeWad: bigint;
}

/** Everything that a check may look at. Whoever has it can replay the verdict. */
export interface Proposal {
  readonly asset: Asset;
  readonly quoteAsset: Asset;
  readonly side: Side;
  /** What was asked; what it came to is in the quote. */
  readonly size: Size;
  readonly chain: ChainFacts;
  /** Wall time at which the facts had been read, unix seconds. */
  readonly readAt: bigint;
  /** `off` where no exchange is configured or the asset is not traded there; absent when it did not answer. */
  readonly exchange?: BookTicker | 'off';
  readonly limits: Limits;
}

/** Limits of one asset class; in 1/10,000 and seconds. */
export interface Limits {
  readonly referenceAgeSeconds: bigint;
  /** Of the feed of what the pool is quoted in. */
  readonly quoteAgeSeconds: bigint;
  /** How far the block's time may lie from the wall clock's, either way. */
  readonly blockAgeSeconds: bigint;
  /** How far the exchange's time may lie from the wall clock's, either way. */
  readonly exchangeAgeSeconds: bigint;
  /** Between the exchange's bid and its ask. */
  readonly spreadBps: { readonly caution: bigint; readonly noGo: bigint };
  readonly referencesBps: { readonly caution: bigint; readonly noGo: bigint };
  readonly poolBps: { readonly caution: bigint; readonly noGo: bigint };
  readonly twapBps: { readonly caution: bigint; readonly noGo: bigint };
  readonly impactBps: { readonly caution: bigint; readonly noGo: bigint };
  readonly pegBps: { readonly caution: bigint; readonly noGo: bigint };
}
