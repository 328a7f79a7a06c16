import { HOUR } from '../../prices/prices.ts';
import { drawBase } from '../curve.ts';
import { assetOf } from '../moment.ts';
import { hourOf } from '../path.ts';
import type { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { pushChainlink, pushExchange, pushPool, shiftQuoteCoin, silence, tax, thinPool } from './moves.ts';

/**
 * A danger that is present or not, at any magnitude. Its cost is measured like every other loss. A danger that no price
 * shows (`isUnpriced`: the trade may be undone, or cannot be made) must never be GO.
 */
export interface Danger {
  readonly name: string;
  readonly isUnpriced?: true;
  readonly draw: (draw: Random) => Scene;
}

/** Changes an honest moment of a coin. */
const ofCoin = (name: string, change: (scene: Scene, draw: Random) => Scene): Danger => ({
  name,
  draw: (draw) => change(drawBase(draw), draw),
});

/** How far somebody exploits a broken source: the pool and, where possible, the remaining sources move along. */
const drawnPush = (draw: Random): number => draw.log(0.001, 5);

/** Makes everything that sources say this many seconds old, while the true price goes on. */
function late(scene: Scene, perHour: number, seconds: number): Scene {
  const by = Math.exp(perHour * Math.sqrt(seconds / HOUR));
  return { ...scene, usd: scene.side === 'buy' ? scene.usd / by : scene.usd * by };
}

export const dangers: readonly Danger[] = [
  ofCoin('Chainlink says zero, Pyth silent', (scene, draw) => {
    const by = drawnPush(draw);
    const { pyth, chainlink, venusUsd, ...pushed } = pushExchange(pushPool(scene, by, 1), by);
    return { ...pushed, chainlink: { usd: 0, age: 10, before: chainlink?.before ?? 0 }, venusUsd: 0 };
  }),
  ofCoin('Chainlink in another number of decimals', (scene, draw) => {
    const by = drawnPush(draw);
    return pushChainlink(pushExchange(pushPool(scene, by, 1), by), 10 ** draw.between(1, 8) - 1);
  }),
  ofCoin('a ratio taken for a price, the pool along', (scene, draw) => {
    const { chainlink } = scene;
    const usd = draw.between(0.9, 1.2);
    const { pool } = pushPool(scene, drawnPush(draw), 1);
    return { ...scene, pool, ...(chainlink && { chainlink: { ...chainlink, usd, before: usd } }), venusUsd: usd };
  }),
  {
    name: 'blocks stopped',
    isUnpriced: true,
    draw: (draw) => {
      const scene = drawBase(draw);
      return { ...scene, readAt: scene.readAt + draw.log(120, 7_200) };
    },
  },
  {
    name: 'blocks come and none becomes final',
    isUnpriced: true,
    draw: (draw) => ({ ...drawBase(draw), finalLag: Math.floor(draw.log(200, 900)) }),
  },
  ofCoin('quote coin’s feed stopped hours ago, the coin elsewhere, exchange silent', (scene, draw) => {
    const moved = shiftQuoteCoin(silence(scene, 'exchange'), drawnPush(draw));
    return { ...moved, quoteFeed: { ...moved.quoteFeed, age: draw.log(3_600, 86_400) } };
  }),
  ofCoin('clock of the exchange off, Pyth silent', (scene, draw) => {
    const by = drawnPush(draw);
    const { pyth, exchange, ...pushed } = pushExchange(pushPool(scene, by, 1), by);
    const offset = draw.log(10, 7_200) * (draw.chance(0.5) ? 1 : -1);
    return { ...pushed, ...(exchange && { exchange: { ...exchange, offset } }) };
  }),
  ofCoin('book of the exchange emptied, Pyth silent', (scene, draw) => {
    const by = drawnPush(draw);
    const { pyth, exchange, ...pushed } = pushExchange(pushPool(scene, by, 1), by);
    return { ...pushed, ...(exchange && { exchange: { ...exchange, halfSpread: draw.log(0.001, 0.5) } }) };
  }),
  ofCoin('most liquidity gone within minutes', (scene, draw) => thinPool(scene, draw.log(0.000_5, 0.5))),
  ofCoin('token can be bought and not sold', (scene) => {
    return { ...scene, side: 'buy', pool: { ...scene.pool, taxBack: 1 } };
  }),
  ofCoin('token keeps a share, and gives it back when it is sold at once', (scene, draw) => {
    const kept = draw.log(0.001, 0.5);
    return tax({ ...scene, side: 'buy' }, kept, 1 - 1 / (1 - kept) ** 2);
  }),
  {
    name: 'token is paused',
    isUnpriced: true,
    draw: (draw) => {
      const scene = drawBase(draw);
      return { ...scene, pool: { ...scene.pool, taxThere: 1 } };
    },
  },
  ofCoin('hours that jump about, and everybody late', (scene, draw) => {
    const perHour = draw.log(0.01, 0.5);
    const closes = scene.closes.map(({ at, close }) => ({ at, close: close * Math.exp(perHour * draw.normal()) }));
    // As long as a swap takes to get into a block.
    return late({ ...scene, closes }, perHour, draw.between(1, 6));
  }),
  {
    name: 'stablecoin received far below a dollar, and falling on',
    draw: (draw) => {
      const scene = honestStable(draw, 1 - draw.log(0.02, 0.5));
      return late(scene, draw.log(0.01, 0.5), HOUR);
    },
  },
  {
    name: 'stablecoin received, one source far off, the pool along',
    draw: (draw) => {
      const by = drawnPush(draw);
      return pushChainlink(pushPool(honestStable(draw, 1), by, 1), by);
    },
  },
];

/** USDC bought with USDT at a dollar price on which every source agrees. */
export function honestStable(draw: Random, usd = 1): Scene {
  const scene = drawBase(draw);
  const { asset, quoteAsset } = assetOf('USDC');
  const near = () => usd * (1 + 0.0001 * draw.normal());
  const mid = usd / scene.quoteUsd;
  const now = hourOf(scene.blockAt);
  return {
    ...scene,
    asset,
    quoteAsset,
    side: 'buy',
    usd,
    chainlink: { usd: near(), age: draw.between(0, 900), before: near() },
    feedPast: [near(), near()],
    venusUsd: near(),
    exchange: { mid: mid * (1 + 0.000_05 * draw.normal()), halfSpread: 0.000_05, offset: 0 },
    pyth: { usd: near(), confidence: usd * draw.log(0.000_1, 0.000_4), age: 1 },
    pool: { ...scene.pool, spot: mid, mean: mid, depthUsd: 1e9 },
    closes: Array.from({ length: 167 }, (_, index) => ({
      at: now - (167 - index) * HOUR,
      close: mid * (1 + 0.000_05 * draw.normal()),
    })),
  };
}
