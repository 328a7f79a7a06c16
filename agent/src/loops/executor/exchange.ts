import type { BookTicker } from '../../domain/facts.ts';
import type { Clock, MarketData } from '../../domain/ports.ts';

/** How long a ticker, or that there was none, is good for other plans of the pair. It says itself when it was asked. */
const tickerSeconds = 5n;

/**
 * Asks the exchange for a pair's ticker once in a while, however many plans want it: else a crowd of plans would use up
 * what the exchange allows us, and when it does not answer each of them would wait for that.
 */
export function sparing(exchange: MarketData, clock: Clock): MarketData {
  const asked = new Map<string, { readonly at: bigint; readonly ticker: Promise<BookTicker> }>();
  return {
    candles: (...question) => exchange.candles(...question),
    bookTicker(pair) {
      const now = clock();
      const last = asked.get(pair);
      if (last !== undefined && last.at <= now && now < last.at + tickerSeconds) return last.ticker;
      const ticker = exchange.bookTicker(pair);
      asked.set(pair, { at: now, ticker });
      return ticker;
    },
  };
}
