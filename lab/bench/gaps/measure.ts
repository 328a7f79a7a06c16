// How far prices move in an hour, from hourly candles.

/** All but one in a thousand hours stay below the usual move. */
export const share = 0.999;
const hour = 3_600;

export interface Candle {
  /** Opening time, unix seconds. */
  readonly time: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Lines of unix_seconds,high,low,close below a heading. Throws if a line is no candle. */
export function candlesOf(text: string): Candle[] {
  const [, ...lines] = text.trim().split('\n');
  return lines.map((line) => {
    const [time = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN] = line.split(',').map(Number);
    if (!(time > 0 && low > 0 && high >= low && close >= low && close <= high)) throw new Error(`no candle: ${line}`);
    return { time, high, low, close };
  });
}

/** From an hour's close to the next hour's low and high, in basis points. An hour after a missing one is left out. */
export function movesOf(candles: readonly Candle[]) {
  const falls: number[] = [];
  const rises: number[] = [];
  for (const [at, { time, high, low }] of candles.entries()) {
    const before = candles[at - 1];
    if (before === undefined || time - before.time !== hour) continue;
    falls.push((1 - low / before.close) * 10_000);
    rises.push((high / before.close - 1) * 10_000);
  }
  return { falls, rises };
}

/** Whole basis points, rounded up. */
export function usualBps(moves: readonly number[]): number {
  const sorted = moves.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(share * (sorted.length - 1))];
  if (usual === undefined) throw new Error('no two hours in a row');
  return Math.max(0, Math.ceil(usual));
}
