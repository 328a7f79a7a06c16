import { priceUsd8 } from '../prices.ts';
import { smooth, wave } from './noise.ts';

/** The assets that the simulated market trades. */
export const assets = ['BTCB', 'ETH', 'WBNB', 'USDC', 'USDT'] as const;
export type Asset = (typeof assets)[number];

export const isAsset = (word: string): word is Asset => (assets as readonly string[]).includes(word);

/** How far a price moves in a second, in 1/10,000, and its longest wave, which keeps it near its start. */
const walks: Record<Asset, { bpsPerRootSecond: number; longestSeconds: number }> = {
  BTCB: { bpsPerRootSecond: 1, longestSeconds: 4 ** 11 },
  ETH: { bpsPerRootSecond: 1.3, longestSeconds: 4 ** 11 },
  WBNB: { bpsPerRootSecond: 1.1, longestSeconds: 4 ** 11 },
  USDC: { bpsPerRootSecond: 0.05, longestSeconds: 4 ** 6 },
  USDT: { bpsPerRootSecond: 0.05, longestSeconds: 4 ** 6 },
};

/** A permanent price fall. */
interface Fall {
  readonly asset: Asset;
  /** Share of the price that is lost: 0.15 for 15 %. */
  readonly share: number;
  /** Unix seconds. */
  readonly from: number;
  readonly overSeconds: number;
}

/**
 * The price of every asset at every time, past and future: a pure function of the seed, the start and the falls. It
 * sums waves of many lengths, each four times as long and twice as high as the one before, so the price looks like a
 * random walk at every scale but stays bounded.
 */
export interface Path {
  readonly seed: number;
  /** Unix seconds at which every asset has the replica's price. */
  readonly start: number;
  /** Price of one whole unit in USD; `time` in unix seconds. */
  usd(asset: Asset, time: number): number;
  readonly falls: readonly Fall[];
  add(fall: Fall): void;
}

export function createPath(seed: number, start: number): Path {
  const falls: Fall[] = [];
  return {
    seed,
    start,
    falls,
    usd(asset, time) {
      let log = walk(seed, asset, time - start) - walk(seed, asset, 0);
      for (const fall of falls) if (fall.asset === asset) log += fallen(fall, time);
      return (Number(priceUsd8[asset]) / 1e8) * Math.exp(log);
    },
    add: (fall) => void falls.push(fall),
  };
}

/** Logarithm of the price relative to its level; `seconds` may be negative. */
function walk(seed: number, asset: Asset, seconds: number): number {
  const { bpsPerRootSecond, longestSeconds } = walks[asset];
  const first = assets.indexOf(asset) * 32;
  let log = 0;
  for (let octave = 0, length = 4; length <= longestSeconds; octave += 1, length *= 4) {
    log += (bpsPerRootSecond / 20_000) * Math.sqrt(length) * wave(seed, first + octave, seconds / length);
  }
  return log;
}

const fallen = ({ share, from, overSeconds }: Fall, time: number): number =>
  Math.log(1 - share) * smooth(Math.min(1, Math.max(0, (time - from) / overSeconds)));
