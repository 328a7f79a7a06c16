import type { Asset, TradedAsset } from './assets.ts';
import type { Address, Hex } from './units.ts';

/** A block with its own time in unix seconds. */
export interface Block {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** `binance_oracle` is Binance's on-chain oracle: it has the same operator as the exchange. */
export const priceSources = ['chainlink', 'venus', 'redstone', 'exchange', 'binance_oracle', 'pyth'] as const;
export type PriceSource = (typeof priceSources)[number];

/** A USD price of one whole unit. */
export interface Reference {
  readonly source: PriceSource;
  /**
   * The Chainlink feed behind the price; absent if there is none or it is unknown. The asset's own feed also stands for
   * other feeds of its operator (`secondFeeds` of the address book).
   */
  readonly feed?: Address;
  readonly usdWad: bigint;
  /** When the source last updated it, unix seconds; absent if unknown. */
  readonly updatedAt?: bigint;
  /** The source's own confidence interval in USD; absent if it reports none. */
  readonly confidenceWad?: bigint;
  /**
   * Pyth's signed update with only this price: anyone who has it can check the price without asking a third party.
   */
  readonly signed?: Hex;
}

export type Side = 'buy' | 'sell';

/** Trade size, in one of three forms. */
export type Size =
  /** US dollars with 18 decimals, converted to the payment token by its feed. */
  | { readonly usdWad: bigint }
  /** Base units of the payment token: the exact trade. */
  | { readonly paid: bigint }
  /** Base units of the asset. For a purchase, the payment is their value by the two feeds, rounded up. */
  | { readonly asset: bigint };

/**
 * On-chain facts of one asset, read in one call at one block. A fact that could not be read is absent; no fact has a
 * default.
 */
export interface ChainFacts {
  /** `parentHash` distinguishes it from a block of the same number on another fork. */
  readonly block: Block & { readonly parentHash?: Hex };
  readonly chainlink?: Reference;
  readonly venus?: Reference;
  /** RedStone's price that Venus uses; `off` if Venus has none for this asset. Has no time if that is unknown. */
  readonly redStone?: Reference | 'off';
  /** Binance Oracle's price that Venus uses, like `redStone`. */
  readonly binanceOracle?: Reference | 'off';
  /** USD price of the pool's quote token, by its Chainlink feed. */
  readonly quoteToken?: Reference;
  /** The quote token's other prices on the chain, like `redStone`. */
  readonly quoteRedStone?: Reference | 'off';
  readonly quoteBinanceOracle?: Reference | 'off';
  /**
   * The pools that a swap of this size takes, from the token paid to the token received: the best route. Absent if there
   * is none.
   */
  readonly route?: readonly Hop[];
  /**
   * Price of one whole asset in whole quote tokens with 18 decimals, over the whole route: spot, and mean over
   * `twapSeconds`.
   */
  readonly spotWad?: bigint;
  readonly twapWad?: bigint;
  readonly twapSeconds: bigint;
  /** The route's own quote for a swap of this size; base units. */
  readonly quote?: SwapQuote;
  /** What the best single pool would pay for the same amount; absent if there is none like those of the route. */
  readonly directOut?: bigint;
  /**
   * The route's quotes for smaller sizes, largest first: each two thirds of the one before, rounded down. Absent where the
   * impact is at most 0.05 %: a smaller size gets a hardly better price, and never a worse one.
   */
  readonly smallerQuotes?: readonly Pick<SwapQuote, 'amountIn' | 'amountOut'>[];
  /** The Chainlink feed's previous round, in USD per whole unit; absent if there is none. */
  readonly chainlinkBeforeWad?: bigint;
  /**
   * The Chainlink feed's prices one hour and two hours before the block: its newest rounds at those times. Absent if
   * its rounds do not reach back that far.
   */
  readonly chainlinkPast?: readonly { readonly usdWad: bigint; readonly updatedAt: bigint }[];
  /** Number of the newest final block; at most the block's own. */
  readonly finalBlock?: bigint;
  /** Simulated swap and swap back at this block, with a payer that holds the payment. */
  readonly play?: Simulation;
}

/** One PancakeSwap v3 pool of a route. */
export interface Hop {
  readonly pool: Address;
  readonly feeMillionths: number;
  /** What the pool pays out. */
  readonly tokenOut: Address;
}

/** Outcome of the simulated swap and swap back; base units, by balance differences. */
export type Simulation =
  /** `returned`: payment tokens received for selling everything received. Absent if the swap back was refused. */
  { readonly received: bigint; readonly returned?: bigint } | 'refused';

interface SwapQuote {
  readonly side: Side;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** Exchange ticker of one asset: best bid and ask in USDT per whole unit, with 18 decimals. */
export interface BookTicker {
  readonly bidWad: bigint;
  readonly askWad: bigint;
  /** The exchange's clock when it answered, unix seconds. The prices carry no time of their own. */
  readonly answeredAt: bigint;
}

/**
 * Hourly closing prices of an asset on the exchange in USDT, oldest first, without a gap. The last is the current one.
 */
export interface History {
  readonly intervalSeconds: bigint;
  readonly closesWad: readonly bigint[];
}

/** One exchange candle; prices in USDT per whole unit with 18 decimals. */
export interface Candle {
  readonly openedAt: bigint;
  readonly openWad: bigint;
  readonly highWad: bigint;
  readonly lowWad: bigint;
  readonly closeWad: bigint;
  /** Traded volume in whole units with 18 decimals. */
  readonly volumeWad: bigint;
}

/** All input of the checks: enough to replay the verdict. */
export interface Proposal {
  readonly asset: TradedAsset;
  readonly quoteAsset: Asset;
  readonly side: Side;
  /** Size as requested; the quote has the resulting amounts. */
  readonly size: Size;
  readonly chain: ChainFacts;
  /** Wall time when the facts had been read, unix seconds. */
  readonly readAt: bigint;
  /** `off` if no exchange is configured or it does not list the asset; absent if it did not answer. */
  readonly exchange?: BookTicker | 'off';
  /** Like `exchange`. */
  readonly history?: History | 'off';
  /** Pyth price; `off` if Pyth is not configured or has no price of the asset, absent if it did not answer. */
  readonly pyth?: Reference | 'off';
  /** Pyth's price of the quote token, like `pyth`. */
  readonly quotePyth?: Reference | 'off';
  readonly limits: Limits;
}

/** Facts behind the price of an asset, traded or not. */
export interface Priced extends Pick<Proposal, 'readAt' | 'exchange' | 'pyth' | 'quotePyth' | 'limits'> {
  readonly asset: Asset;
  readonly chain: Pick<
    ChainFacts,
    | 'block'
    | 'chainlink'
    | 'venus'
    | 'redStone'
    | 'binanceOracle'
    | 'quoteToken'
    | 'quoteRedStone'
    | 'quoteBinanceOracle'
    | 'spotWad'
  >;
}

export interface Band {
  readonly caution: bigint;
  readonly noGo: bigint;
}

/** Limits of one asset class, in 1/10,000, seconds and the units in the names. */
export interface Limits {
  readonly referenceAgeSeconds: bigint;
  /** Maximum age of the quote token's feed. */
  readonly quoteAgeSeconds: bigint;
  /** Maximum distance of the block's time from the wall clock, either way. */
  readonly blockAgeSeconds: bigint;
  /** Maximum distance of the exchange's time from the wall clock, either way. */
  readonly exchangeAgeSeconds: bigint;
  /** Maximum distance of Pyth's time from the wall clock, either way. */
  readonly pythAgeSeconds: bigint;
  /** How many blocks the newest final block may be behind. */
  readonly finalityBlocks: Band;
  /** How much the larger of two compared prices may exceed the smaller. */
  readonly jumpBps: Band;
  /**
   * Maximum all-in cost of a trade: `caution` by the conservative reference, `noGo` by any source. A source whose own
   * range exceeds `caution` in either direction does not count.
   */
  readonly costBps: Band;
  /** Shortfall of received balances against the pool's quote. */
  readonly taxBps: Band;
  /** Loss of buying and selling back, excluding pool fees. */
  readonly roundTripBps: Band;
  readonly pegBps: Band;
  /** Standard deviation of hourly price changes. */
  readonly volatilityBps: Band;
  /** Largest move of the last two hours: each, and both together. */
  readonly moveBps: Band;
  /** Hours of the asset's own history that the two limits above are fitted to; 0 if they are those of its class. */
  readonly fittedHours: bigint;
}
