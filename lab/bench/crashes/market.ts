import { HOUR } from '../prices/prices.ts';
import { drawPath } from '../verdict-quality/path.ts';
import type { Random } from '../verdict-quality/random.ts';
import type { Crash } from './crash.ts';

// What a loan meets, second by second: the protocol's price, which lags the market, and a pool's.

/** A feed answers when the price is this far from its last answer, or that is this old. */
const DEVIATION = 0.001;
const HEARTBEAT_SECONDS = 60;
/** Arbitrage keeps the pool within a fee and its own costs of the market one second earlier. */
const BAND = 0.0006;
/** Dollars on each side of the pool: the local chain's, where a sale of 11,400 costs 2.8 bps beyond the fee. */
const DEPTH_USD = 40e6;
/** Fast moves leave liquidity ranges behind, as in moment.ts: one per cent a minute leaves a quarter of the depth. */
const THINNING = 300;
const PACE_MINUTES = 10;

/** One entry a second. */
export interface Market {
  /** USD, by which the protocol values collateral and liquidates; the guard's second source says the same. */
  readonly protocol: Float64Array;
  /** USD, before the pool's fee. */
  readonly pool: Float64Array;
  readonly depthUsd: Float64Array;
}

/** Log price at a second after the crash begins. */
export type Path = (second: number) => number;

export const secondsOf = ({ hours }: Pick<Crash, 'hours'>): number => hours.length * HOUR;

/** Through each hour's high, low and close, as path.ts draws it. */
export function drawnPath(crash: Pick<Crash, 'hours'>, draw: Random): Path {
  const first = crash.hours[0]?.hour.at ?? 0;
  const path = drawPath(crash.hours, first, first + secondsOf(crash) - 1, draw);
  return (second) => path.at(first + second);
}

/** The hardest path that hours allow: at its middle, each falls from its opening to its low in one step. */
export function steppedPath({ hours }: Pick<Crash, 'hours'>): Path {
  const steps = hours.map(({ hour, opened }) => [opened, hour.low, hour.close].map(Math.log));
  return (second) => {
    const [opened = 0, low = 0, close = 0] = steps[Math.floor(second / HOUR)] ?? [];
    const within = second % HOUR;
    return within < HOUR / 2 ? opened : within < HOUR - 1 ? low : close;
  };
}

/** @param late seconds from a feed's reading to its answer on chain. */
export function marketOf(path: Path, seconds: number, late: readonly [number, number], draw: Random): Market {
  const [protocol, pool, depthUsd] = [0, 1, 2].map(() => new Float64Array(seconds)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let answer = { log: path(0), at: 0 };
  let coming: { readonly log: number; readonly at: number } | undefined;
  let traded = path(0);
  for (let second = 0; second < seconds; second += 1) {
    const market = path(second);
    if (coming !== undefined && second >= coming.at) {
      answer = coming;
      coming = undefined;
    }
    const isDue = Math.abs(market - answer.log) > DEVIATION || second - answer.at >= HEARTBEAT_SECONDS;
    if (coming === undefined && isDue) coming = { log: market, at: second + Math.round(draw.between(...late)) };
    const before = path(Math.max(second - 1, 0));
    traded = Math.min(Math.max(traded, before - BAND), before + BAND);
    protocol[second] = Math.exp(answer.log);
    pool[second] = Math.exp(traded);
    depthUsd[second] = second % 60 === 0 ? depthAt(path, second) : (depthUsd[second - 1] ?? DEPTH_USD);
  }
  return { protocol, pool, depthUsd };
}

function depthAt(path: Path, second: number): number {
  let sum = 0;
  for (let minute = 0; minute < PACE_MINUTES; minute += 1) {
    const at = second - minute * 60;
    if (at >= 60) sum += (path(at) - path(at - 60)) ** 2;
  }
  return DEPTH_USD / (1 + THINNING * Math.sqrt(sum / PACE_MINUTES));
}
