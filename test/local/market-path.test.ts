import { describe, expect, it } from 'vitest';
import { type Asset, assets, createPath } from '../../lab/world/market/path.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';

const start = 1_800_000_000;
const hour = 3_600;
const day = 24 * hour;

const bps = (price: number, of: number) => Math.abs(price / of - 1) * 10_000;

describe('a path', () => {
  it('begins at the replica’s prices', () => {
    const path = createPath(1, start);
    for (const asset of assets) expect(path.usd(asset, start)).toBeCloseTo(Number(priceUsd8[asset]) / 1e8, 9);
  });

  it('is the same for the same seed and start, in whatever order it is asked, and another for another seed', () => {
    const [one, same, other] = [createPath(7, start), createPath(7, start), createPath(8, start)];
    const times = [0, 1, 60.5, hour, -day, 40 * day].map((seconds) => start + seconds);
    const ask = (path: typeof one, at: number[]) => new Map(at.map((time) => [time, path.usd('ETH', time)]));
    expect(ask(one, times)).toEqual(new Map([...ask(same, times.toReversed())].toReversed()));
    for (const time of times.slice(1)) expect(other.usd('ETH', time)).not.toBe(one.usd('ETH', time));
  });

  it('gives every asset a way of its own', () => {
    const path = createPath(1, start);
    const moved = assets.map((asset) => path.usd(asset, start + hour) / path.usd(asset, start));
    expect(new Set(moved).size).toBe(assets.length);
  });

  const bounds: Record<Asset, { second: number; mean: number; month: number }> = {
    BTCB: { second: 2, mean: 40, month: 2_500 },
    ETH: { second: 2, mean: 40, month: 2_500 },
    WBNB: { second: 2, mean: 40, month: 2_500 },
    USDC: { second: 0.2, mean: 4, month: 10 },
    USDT: { second: 0.2, mean: 4, month: 10 },
  };

  it.each(assets)(
    'moves %s by a little in a second, stays near its mean of ten minutes, and sane for a month',
    (asset) => {
      for (const seed of [1, 2, 3]) {
        const path = createPath(seed, start);
        const prices = Array.from({ length: 6 * hour }, (_, second) => path.usd(asset, start + second));
        let sum = 0;
        let [step, fromMean] = [0, 0];
        for (const [second, price] of prices.entries()) {
          sum += price - (prices[second - 600] ?? 0);
          if (second > 0) step = Math.max(step, bps(price, prices[second - 1] ?? 0));
          if (second >= 600) fromMean = Math.max(fromMean, bps(price, sum / 600));
        }
        expect(step).toBeLessThan(bounds[asset].second);
        expect(step).toBeGreaterThan(bounds[asset].second / 20);
        expect(fromMean).toBeLessThan(bounds[asset].mean);
        for (let hours = -30 * 24; hours <= 30 * 24; hours += 1) {
          expect(bps(path.usd(asset, start + hours * hour), path.usd(asset, start))).toBeLessThan(bounds[asset].month);
        }
      }
    },
  );
});

describe('a fall', () => {
  const fall = { asset: 'ETH', share: 0.15, from: start + 100, overSeconds: 20 } as const;
  const path = createPath(1, start);
  const unfallen = createPath(1, start);
  path.add(fall);
  const left = (seconds: number) => path.usd('ETH', start + seconds) / unfallen.usd('ETH', start + seconds);

  it('changes nothing before it begins, and no other asset', () => {
    expect(left(100)).toBe(1);
    expect(left(-day)).toBe(1);
    expect(path.usd('BTCB', start + 200)).toBe(unfallen.usd('BTCB', start + 200));
  });

  it('takes its time, and its share for good', () => {
    expect(left(110)).toBeGreaterThan(0.86);
    expect(left(110)).toBeLessThan(0.99);
    expect(left(120)).toBeCloseTo(0.85, 12);
    expect(left(30 * day)).toBeCloseTo(0.85, 12);
  });

  it('comes on top of another', () => {
    path.add({ ...fall, from: start + 200 });
    expect(left(220)).toBeCloseTo(0.85 ** 2, 12);
  });
});
