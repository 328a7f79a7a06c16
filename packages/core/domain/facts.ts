import type { Asset, TradedAsset } from './assets.ts';
import type { Address, Hex } from './units.ts';

/** A block, with its own time in unix seconds. */
export interface Block {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** A USD price of one whole unit. */
export interface Reference {
  readonly source: 'chainlink' | 'venus' | 'exchange' | 'pyth';
  /** The Chainlink feed whose answer it is; absent where there is none, or it is not known. */
  readonly feed?: Address;
  readonly usdWad: bigint;
  /** When its source last said so, unix seconds; absent where that is not known. */
  readonly updatedAt?: bigint;
  /** How far off the source itself holds it possible, in USD; absent where it does not say. */
  readonly confidenceWad?: bigint;
}

export type Side = 'buy' | 'sell';

/** How much is traded, in one of three ways. */
export type Size =
  /** US dollars with 18 decimals, turned into what is paid by that token's own feed, and its multiplier where it has one. */
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
  /** `parentHash` tells it from one of the same number that another fork has; the first rules did not ask for it. */
  readonly block: Block & { readonly parentHash?: Hex };
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
  /** What the asset's Chainlink feed said one round before, in USD of one whole unit; absent where it has no such round. */
  readonly chainlinkBeforeWad?: bigint;
  /**
   * The pool's liquidity in range: now, and as the harmonic mean of the `twapSeconds` that ended `twapSeconds` ago. What
   * has just been withdrawn must not lower what it is held against.
   */
  readonly liquidity?: { readonly now: bigint; readonly mean: bigint };
  /** Number of the newest block that is final; not above the block's own. */
  readonly finalBlock?: bigint;
  /** Of an asset that stands for another. */
  readonly multiplier?: Multiplier;
  /** The simulation of the swap and of the swap back, at this block, with a payer that holds what is paid. */
  readonly play?: Simulation;
}

/** How many of what an asset stands for one token is. */
export interface Multiplier {
  readonly wad: bigint;
  /** What it was before it last changed, and when that was, unix seconds; 0 for never. */
  readonly beforeWad: bigint;
  readonly changedAt: bigint;
  readonly isHalted: boolean;
}

/** The outcome of the simulated swap and swap back; base units, by the differences of balances. */
export type Simulation =
  /** `returned`: of what was paid, for all that was received. Absent where the swap back was refused. */
  { readonly received: bigint; readonly returned?: bigint } | 'refused';

interface SwapQuote {
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

/** What the exchange's order book holds within 1 % of its middle price, in USDT with 18 decimals. */
export interface BookDepth {
  readonly bidsWad: bigint;
  readonly asksWad: bigint;
}

/**
 * What the exchange says of an asset's past: closing prices in USDT, oldest first, the last being that of the hour under way. One
 * may be left out, more than two days ago.
 */
export interface History {
  readonly intervalSeconds: bigint;
  readonly closesWad: readonly bigint[];
}

/** Trading hours of what an asset stands for, at the block's time. Unix seconds. */
export type Session =
  | { readonly state: 'open'; readonly openedAt: bigint; readonly closesAt: bigint }
  /** `opensAt` is absent where the calendar ends before. */
  | { readonly state: 'closed'; readonly opensAt?: bigint };

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
  readonly asset: TradedAsset;
  readonly quoteAsset: Asset;
  readonly side: Side;
  /** What was asked; what it came to is in the quote. */
  readonly size: Size;
  readonly chain: ChainFacts;
  /** Wall time at which the facts had been read, unix seconds. */
  readonly readAt: bigint;
  /** `off` where no exchange is configured or the asset is not traded there; absent when it did not answer. */
  readonly exchange?: BookTicker | 'off';
  /** As `exchange`. */
  readonly depth?: BookDepth | 'off';
  readonly history?: History | 'off';
  /** What Pyth says; `off` where it is not configured or has no price of the asset, absent when it did not answer. */
  readonly pyth?: Reference | 'off';
  /** Of an asset with a calendar; absent where the calendar does not reach. */
  readonly session?: Session;
  readonly limits: Limits;
}

/** What the price of an asset follows from, traded or not. */
export interface Priced extends Pick<Proposal, 'readAt' | 'exchange' | 'pyth' | 'limits'> {
  readonly asset: Asset;
  readonly chain: Pick<ChainFacts, 'block' | 'chainlink' | 'venus' | 'quoteToken' | 'spotWad' | 'multiplier'>;
}

export interface Band {
  readonly caution: bigint;
  readonly noGo: bigint;
}

/** Limits of one asset class; in 1/10,000, seconds and what the names say. */
export interface Limits {
  readonly referenceAgeSeconds: bigint;
  /** Of the feed of what the pool is quoted in. */
  readonly quoteAgeSeconds: bigint;
  /** How far the block's time may lie from the wall clock's, either way. */
  readonly blockAgeSeconds: bigint;
  /** How far the exchange's time may lie from the wall clock's, either way. */
  readonly exchangeAgeSeconds: bigint;
  /** Of Pyth's price, from the wall clock's, either way. */
  readonly pythAgeSeconds: bigint;
  /** How many blocks the newest final one may lie behind. */
  readonly finalityBlocks: Band;
  /** How far off a source holds its own price possible. */
  readonly confidenceBps: Band;
  /** Between the exchange's bid and its ask. */
  readonly spreadBps: Band;
  /** The size, of what the exchange's book holds within 1 %. */
  readonly bookShareBps: Band;
  readonly referencesBps: Band;
  /** How much larger the larger of a price and what it is held against may be. */
  readonly jumpBps: Band;
  readonly poolBps: Band;
  readonly twapBps: Band;
  /** By which the pool's liquidity has fallen below its mean. */
  readonly withdrawnBps: Band;
  readonly impactBps: Band;
  /** By which what balances show is less than the pool's quote. */
  readonly taxBps: Band;
  /** By which less comes back from buying and selling than is paid, the pool's fees apart. */
  readonly roundTripBps: Band;
  readonly pegBps: Band;
  /** Mean deviation of the price's change in an hour. */
  readonly volatilityBps: Band;
  /** The moves of the last two hours, in 1/1,000 of the deviation of those before. */
  readonly unusualMillisigma: Band;
  /** Of a token from what it stands for. */
  readonly premiumBps: Band;
  /** By which a multiplier has changed within `multiplierSeconds`. */
  readonly multiplierBps: Band;
  readonly multiplierSeconds: bigint;
  /** After the opening of a trading session. */
  readonly openingSeconds: bigint;
}
