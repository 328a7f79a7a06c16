import type { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import {
  against,
  detour,
  largeSize,
  pushChainlink,
  pushExchange,
  pushPool,
  pushPyth,
  pushQuoteFeed,
  shiftQuoteCoin,
  silence,
  tax,
  thinPool,
} from './moves.ts';

/** Ways to lose money, each with a magnitude from nothing to several percent. Nothing here knows the rules' limits. */
export interface Family {
  readonly name: string;
  /**
   * How many independent sources stay honest and heard. A source says what the asset is worth in the coin it is traded
   * for: if that coin's own feed lies, only the exchange, which quotes in it, is left.
   */
  readonly honest: 0 | 1 | 2 | 3;
  /** @param by the magnitude: 0.01 is 1 %. */
  readonly strike: (scene: Scene, by: number, draw: Random) => Scene;
}

/** Far above any confidence that sources report for large coins. */
const WIDE = 3;

export const families: readonly Family[] = [
  // The pool alone.
  { name: 'pool pushed in this block', honest: 3, strike: (scene, by) => pushPool(scene, by) },
  {
    name: 'pool pushed for some of its mean',
    honest: 3,
    strike: (scene, by, draw) => pushPool(scene, by, draw.between(0.2, 0.9)),
  },
  { name: 'pool pushed for all of its mean', honest: 3, strike: (scene, by) => pushPool(scene, by, 1) },
  {
    name: 'pool pushed back from the other side',
    honest: 3,
    // The mean was moved in the trader's favour beforehand.
    strike: (scene, by) => pushPool(scene, by, -0.5),
  },
  { name: 'pool thin, its size as always', honest: 3, strike: (scene, by) => thinPool(scene, by) },
  { name: 'size too large for the pool', honest: 3, strike: (scene, by) => largeSize(scene, by) },
  { name: 'bad route: the swap gives less than the price says', honest: 3, strike: (scene, by) => detour(scene, by) },
  { name: 'token takes a tax', honest: 3, strike: (scene, by) => tax(scene, by) },
  {
    name: 'token takes a tax on its sale only',
    honest: 3,
    strike: (scene, by) => tax({ ...scene, side: 'buy' }, 0, by),
  },
  // One source lies, and the pool has its price.
  { name: 'exchange lies', honest: 2, strike: (scene, by) => pushExchange(pushPool(scene, by, 1), by) },
  {
    name: 'exchange lies by an empty side of its book',
    honest: 2,
    strike: (scene, by) => {
      const { exchange, ...pushed } = pushExchange(pushPool(scene, by, 1), by);
      return exchange === undefined ? pushed : { ...pushed, exchange: { ...exchange, halfSpread: by } };
    },
  },
  { name: 'Pyth lies, sure of it', honest: 2, strike: (scene, by) => pushPyth(pushPool(scene, by, 1), by, 0.0002) },
  {
    name: 'Pyth lies, unsure of it',
    honest: 2,
    strike: (scene, by, draw) => pushPyth(pushPool(scene, by, 1), by, by * draw.between(0.3, WIDE)),
  },
  {
    name: 'Pyth true but unsure, pool pushed',
    honest: 3,
    strike: (scene, by) => pushPyth(pushPool(scene, by, 1), 0, by),
  },
  { name: 'Chainlink lies', honest: 2, strike: (scene, by) => pushChainlink(pushPool(scene, by, 1), by) },
  {
    name: 'Chainlink lags within its heartbeat',
    honest: 2,
    strike: (scene, by, draw) => pushChainlink(pushPool(scene, by, draw.between(0.3, 1)), by, draw.between(5, 60)),
  },
  {
    name: 'Chainlink stopped minutes ago',
    honest: 2,
    strike: (scene, by, draw) => pushChainlink(pushPool(scene, by, 1), by, draw.between(60, 1_800)),
  },
  {
    name: 'Pyth lags by up to a minute',
    honest: 2,
    strike: (scene, by, draw) => {
      const { pyth, ...pushed } = pushPyth(pushPool(scene, by, 1), by);
      return pyth === undefined ? pushed : { ...pushed, pyth: { ...pyth, age: draw.between(2, 60) } };
    },
  },
  {
    name: 'exchange answers from a cache, up to a minute old',
    honest: 2,
    strike: (scene, by, draw) => {
      const { exchange, ...pushed } = pushExchange(pushPool(scene, by, 1), by);
      return exchange === undefined ? pushed : { ...pushed, exchange: { ...exchange, offset: -draw.between(2, 60) } };
    },
  },
  {
    name: 'Venus alone lies, pool pushed',
    honest: 3,
    strike: (scene, by) => {
      const pushed = pushPool(scene, by, 1);
      return { ...pushed, venusUsd: (scene.venusUsd ?? scene.usd) * against(scene, by) };
    },
  },
  // One source is silent, and the pool is pushed.
  {
    name: 'exchange silent, pool pushed',
    honest: 2,
    strike: (scene, by) => silence(pushPool(scene, by, 1), 'exchange'),
  },
  { name: 'Pyth silent, pool pushed', honest: 2, strike: (scene, by) => silence(pushPool(scene, by, 1), 'pyth') },
  {
    name: 'Chainlink silent, pool pushed',
    honest: 2,
    strike: (scene, by) => silence(pushPool(scene, by, 1), 'chainlink'),
  },
  // Two of three.
  {
    name: 'exchange and Pyth lie',
    honest: 1,
    strike: (scene, by) => pushPyth(pushExchange(pushPool(scene, by, 1), by), by),
  },
  {
    name: 'Chainlink and the exchange lie',
    honest: 1,
    strike: (scene, by) => pushChainlink(pushExchange(pushPool(scene, by, 1), by), by),
  },
  {
    name: 'Chainlink and Pyth lie',
    honest: 1,
    strike: (scene, by) => pushChainlink(pushPyth(pushPool(scene, by, 1), by), by),
  },
  {
    name: 'two sources lie in opposite directions',
    honest: 1,
    strike: (scene, by) => pushPyth(pushExchange(pushPool(scene, by, 1), 2 * by), -by / (1 + by)),
  },
  {
    name: 'exchange silent, Pyth lies',
    honest: 1,
    strike: (scene, by) => silence(pushPyth(pushPool(scene, by, 1), by), 'exchange'),
  },
  {
    name: 'exchange silent, Chainlink lies',
    honest: 1,
    strike: (scene, by) => silence(pushChainlink(pushPool(scene, by, 1), by), 'exchange'),
  },
  {
    name: 'Pyth silent, exchange lies',
    honest: 1,
    strike: (scene, by) => silence(pushExchange(pushPool(scene, by, 1), by), 'pyth'),
  },
  {
    name: 'Pyth silent, Chainlink lies',
    honest: 1,
    strike: (scene, by) => silence(pushChainlink(pushPool(scene, by, 1), by), 'pyth'),
  },
  {
    name: 'Chainlink silent, exchange lies',
    honest: 1,
    strike: (scene, by) => silence(pushExchange(pushPool(scene, by, 1), by), 'chainlink'),
  },
  {
    name: 'exchange and Pyth silent, feed lags',
    honest: 0,
    strike: (scene, by, draw) => {
      const lagging = pushChainlink(pushPool(scene, by, 1), by, draw.between(5, 600));
      return silence(lagging, 'exchange', 'pyth');
    },
  },
  // The coin of the pool.
  {
    name: 'quote coin off its peg, pool and feed behind',
    honest: 1,
    // The exchange pair has followed, because it is quoted in that coin.
    strike: (scene, by) => pushExchange(shiftQuoteCoin(scene, by), -by / (1 + by)),
  },
  {
    name: 'quote coin off its peg, only the pool behind',
    honest: 3,
    strike: (scene, by) => pushExchange(pushQuoteFeed(shiftQuoteCoin(scene, by), by), -by / (1 + by)),
  },
  {
    name: 'quote coin’s feed lies, pool pushed along',
    honest: 1,
    strike: (scene, by) => pushQuoteFeed(pushPool(scene, by, 1), -by / (1 + by)),
  },
  // Stacked: the attacks share the magnitude.
  {
    name: 'stacked: pool, impact',
    honest: 3,
    strike: (scene, by) => thinPool(pushPool(scene, by / 2, 1), by / 2),
  },
  {
    name: 'stacked: pool, impact, tax',
    honest: 3,
    strike: (scene, by) => tax(thinPool(pushPool(scene, by / 3, 1), by / 3), by / 3),
  },
  {
    name: 'stacked: pool, impact, bad route',
    honest: 3,
    strike: (scene, by) => detour(thinPool(pushPool(scene, by / 3, 1), by / 3), by / 3),
  },
  {
    name: 'stacked: pool and exchange, impact',
    honest: 2,
    strike: (scene, by) => thinPool(pushExchange(pushPool(scene, by / 2, 1), by / 2), by / 2),
  },
  {
    name: 'stacked: pool and Pyth, unsure, impact',
    honest: 2,
    strike: (scene, by) => thinPool(pushPyth(pushPool(scene, by / 2, 1), by / 2, by / 2), by / 2),
  },
  {
    name: 'stacked: pool and Chainlink, impact',
    honest: 2,
    strike: (scene, by) => thinPool(pushChainlink(pushPool(scene, by / 2, 1), by / 2), by / 2),
  },
  {
    name: 'stacked: pool, exchange silent, impact',
    honest: 2,
    strike: (scene, by) => silence(thinPool(pushPool(scene, by / 2, 1), by / 2), 'exchange'),
  },
  {
    name: 'stacked: pool, impact, quote coin behind',
    honest: 1,
    strike: (scene, by) => thinPool(pushExchange(shiftQuoteCoin(pushPool(scene, by / 3, 1), by / 3), -by / 3), by / 3),
  },
  {
    name: 'stacked: drawn shares of everything but two sources',
    honest: 2,
    strike: (scene, by, draw) => {
      const parts = [draw.next(), draw.next(), draw.next()];
      const sum = parts.reduce((all, each) => all + each, 0);
      const [push = 0, impact = 0, way = 0] = parts.map((part) => (by * part) / sum);
      const worse = detour(thinPool(pushPool(scene, push, draw.next()), impact), way);
      const liar = draw.next() * 3;
      const lie = push * draw.between(0.5, 1.5);
      if (liar < 1) return pushExchange(worse, lie);
      return liar < 2 ? pushPyth(worse, lie, lie * draw.next()) : pushChainlink(worse, lie);
    },
  },
];

/** In the trader's favour: must not be stopped, up to the point at which something must be wrong. */
export const bargain: Family = {
  name: 'bargain: the pool in the trader’s favour',
  honest: 3,
  strike: (scene, by) => pushPool(scene, -by / (1 + by), 1),
};
