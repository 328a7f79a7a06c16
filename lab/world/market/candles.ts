import { wave } from './noise.ts';
import { type Asset, assets, type Path } from './path.ts';

export const intervalSeconds = { '1m': 60, '5m': 300, '1h': 3_600, '1d': 86_400 } as const;
export type Interval = keyof typeof intervalSeconds;

/** An asset's price on the exchange, which prices everything in USDT. */
export const usdtPrice = (path: Path, asset: Asset, time: number): number =>
  path.usd(asset, time) / path.usd('USDT', time);

/** Number of points within a candle that are sampled for its high and low. */
const looks = 30;

/** The exchange's traded volume per asset and day, in USDT. */
const usdtPerDay = 1_500_000_000;

/** The candle that opens at `openedAt`, unix seconds, a whole number of intervals; volume in whole units. It excludes everything after `now`, unix seconds. */
export function candle(path: Path, asset: Asset, interval: Interval, openedAt: number, now: number) {
  const seconds = intervalSeconds[interval];
  const end = Math.min(openedAt + seconds, now);
  const price = (time: number) => usdtPrice(path, asset, time);
  const [open, close] = [price(openedAt), price(end)];
  let [high, low] = [Math.max(open, close), Math.min(open, close)];
  for (let look = 1; look < looks; look += 1) {
    const time = openedAt + (look * seconds) / looks;
    if (time >= end) break;
    high = Math.max(high, price(time));
    low = Math.min(low, price(time));
  }
  const busy = 1 + 0.6 * wave(path.seed, 2_000 + assets.indexOf(asset), openedAt / seconds);
  const volume = ((usdtPerDay / 86_400) * Math.max(0, end - openedAt) * busy) / open;
  return { openedAt, open, high, low, close, volume };
}
