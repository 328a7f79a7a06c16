import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

// Hourly candles of an exchange in the compact form of this folder (README.md): integers, delta-coded, as varints.

export const HOUR = 3_600;

export type Coin = 'btc' | 'eth' | 'bnb' | 'luna' | 'ust' | 'usdc';

/** One hour, in USDT per whole coin; the close is the price at its end. */
export interface Hour {
  /** Unix seconds of its beginning. */
  readonly at: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const folder = new URL('./', import.meta.url);

/** Oldest first. Hours without a candle are missing. */
export function readHours(coin: Coin): readonly Hour[] {
  return unpack(readFileSync(new URL(`${coin}.gz`, folder)));
}

/** The hours that exist, by their beginning. */
export const byTime = (hours: readonly Hour[]): ReadonlyMap<number, Hour> =>
  new Map(hours.map((hour) => [hour.at, hour]));

/** @param decimals of every price. */
export function pack(hours: readonly Hour[], decimals: number): Buffer {
  const bytes: number[] = [];
  const put = (value: number) => putVarint(bytes, value < 0 ? -2 * value - 1 : 2 * value);
  const whole = (price: number) => Math.round(price * 10 ** decimals);
  put(decimals);
  put(hours.length);
  // Column by column, which compresses better.
  let last = 0;
  for (const { at } of hours) {
    put(at / HOUR - last);
    last = at / HOUR;
  }
  last = 0;
  for (const { close } of hours) {
    put(whole(close) - last);
    last = whole(close);
  }
  for (const { high, close } of hours) put(whole(high) - whole(close));
  for (const { low, close } of hours) put(whole(close) - whole(low));
  return gzipSync(Buffer.from(bytes), { level: 9 });
}

export function unpack(packed: Buffer): Hour[] {
  const bytes = gunzipSync(packed);
  let place = 0;
  const take = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[place++];
      if (byte === undefined) throw new RangeError('the prices end in the middle of a number');
      value += (byte & 127) * factor;
      if (byte < 128) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
  };
  const scale = 10 ** take();
  const count = take();
  const column = () => Array.from({ length: count }, take);
  const sums = (steps: number[]) => {
    let sum = 0;
    return steps.map((step) => (sum += step));
  };
  const [times, closes, above, below] = [sums(column()), sums(column()), column(), column()];
  return times.map((at, index) => {
    const close = closes[index] ?? 0;
    const [high, low] = [close + (above[index] ?? 0), close - (below[index] ?? 0)];
    return { at: at * HOUR, high: high / scale, low: low / scale, close: close / scale };
  });
}

function putVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}
