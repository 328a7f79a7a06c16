// Ports to off-chain price sources.

import type { BookTicker, Candle, Reference } from './facts.ts';
import type { Hex } from './units.ts';

/** Exchange market data. Throws BowlineError `market_unavailable` (retryable). */
export interface MarketData {
  bookTicker(pair: string): Promise<BookTicker>;
  candles(pair: string, interval: CandleInterval, count: number): Promise<PastPrices>;
}

export interface PastPrices {
  /** Newest last. */
  readonly candles: readonly Candle[];
  /** Number of malformed rows left out of the answer; absent if there were none. */
  readonly broken?: number;
  /** The exchange's clock when it answered, unix seconds. */
  readonly answeredAt: bigint;
}

/** Aggregate prices of Pyth's publishers. Throws BowlineError `market_unavailable` (retryable). */
export interface PythPrices {
  price(id: Hex): Promise<Reference>;
}

export const candleIntervals = ['1m', '5m', '1h', '1d'] as const;
export type CandleInterval = (typeof candleIntervals)[number];
