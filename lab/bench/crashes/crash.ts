import { HOUR, type Hour } from '../prices/prices.ts';
import { type CoinSymbol, coins, past, symbols } from '../verdict-quality/history.ts';

/** A crash falls by this share, from an hour's close to a low within a day. */
const FALL = 0.15;
const WITHIN_HOURS = 24;
/** How long a loan is followed. The next crash of the coin begins no earlier. */
const FOLLOWED_HOURS = 72;

export interface Crash {
  readonly symbol: CoinSymbol;
  /** The hours from its beginning on, each with the close before it. */
  readonly hours: readonly { readonly hour: Hour; readonly opened: number }[];
}

export const allCrashes = (): readonly Crash[] =>
  symbols.flatMap((symbol) => crashesIn(past(coins[symbol]).hours).map((crash) => ({ symbol, ...crash })));

/** @param hours by their beginning, oldest first. */
export function crashesIn(hours: ReadonlyMap<number, Hour>): Omit<Crash, 'symbol'>[] {
  const found: Omit<Crash, 'symbol'>[] = [];
  let from = 0;
  for (const { at, close } of hours.values()) {
    if (at < from || !fallsAfter(hours, at, close * (1 - FALL))) continue;
    from = at + FOLLOWED_HOURS * HOUR;
    found.push(crashAt(hours, at, close));
  }
  return found;
}

function fallsAfter(hours: ReadonlyMap<number, Hour>, at: number, price: number): boolean {
  return Array.from({ length: WITHIN_HOURS }, (_, hour) => hours.get(at + (hour + 1) * HOUR)).some(
    (hour) => hour !== undefined && hour.low <= price,
  );
}

/** In a missing hour the price stands still; its move comes with the next hour. */
function crashAt(candles: ReadonlyMap<number, Hour>, at: number, close: number): Omit<Crash, 'symbol'> {
  let opened = close;
  const hours = Array.from({ length: FOLLOWED_HOURS }, (_, index) => {
    const time = at + (index + 1) * HOUR;
    const candle = candles.get(time);
    const each = { hour: candle ?? { at: time, high: opened, low: opened, close: opened }, opened };
    opened = each.hour.close;
    return each;
  });
  return { hours };
}
