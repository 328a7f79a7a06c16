import { HOUR } from '../../prices/prices.ts';
import { drawBase } from '../curve.ts';
import { assetOf } from '../moment.ts';
import { hourOf } from '../path.ts';
import type { Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { pushChainlink } from './moves.ts';

/** Something that is there or not: whatever its magnitude, it must not be GO. */
export interface Danger {
  readonly name: string;
  readonly draw: (draw: Random) => Scene;
}

/** An honest moment of a coin, changed. */
const ofCoin = (name: string, change: (scene: Scene, draw: Random) => Scene): Danger => ({
  name,
  draw: (draw) => change(drawBase(draw), draw),
});

export const dangers: readonly Danger[] = [
  ofCoin('Chainlink says zero, Pyth silent', ({ pyth, chainlink, venusUsd, ...scene }) => {
    return { ...scene, chainlink: { usd: 0, age: 10, before: chainlink?.before ?? 0 }, venusUsd: 0 };
  }),
  ofCoin('Chainlink in another number of decimals', (scene, draw) => {
    return pushChainlink(scene, 10 ** draw.between(1, 8) - 1);
  }),
  ofCoin('a ratio taken for a price', ({ ...scene }, draw) => {
    const { chainlink } = scene;
    const usd = draw.between(0.9, 1.2);
    return { ...scene, ...(chainlink && { chainlink: { ...chainlink, usd, before: usd } }), venusUsd: usd };
  }),
  ofCoin('blocks stopped', (scene, draw) => ({ ...scene, readAt: scene.readAt + draw.log(120, 7_200) })),
  ofCoin('blocks come and none becomes final', (scene, draw) => {
    return { ...scene, finalLag: Math.floor(draw.between(500, 900)) };
  }),
  ofCoin('clock of the exchange an hour off, Pyth silent', ({ pyth, ...scene }, draw) => {
    const { exchange } = scene;
    return { ...scene, ...(exchange && { exchange: { ...exchange, offset: draw.chance(0.5) ? 3_600 : -3_600 } }) };
  }),
  ofCoin('book of the exchange emptied, Pyth silent', ({ pyth, ...scene }, draw) => {
    const { exchange } = scene;
    return { ...scene, ...(exchange && { exchange: { ...exchange, halfSpread: draw.log(0.02, 0.5) } }) };
  }),
  ofCoin('orders of the exchange fewer than the size', (scene, draw) => {
    const { exchange } = scene;
    return { ...scene, ...(exchange && { exchange: { ...exchange, bookUsd: scene.sizeUsd * draw.between(0, 0.8) } }) };
  }),
  ofCoin('most liquidity gone within minutes', (scene, draw) => {
    return { ...scene, pool: { ...scene.pool, liquidityLeft: draw.between(0, 0.15) } };
  }),
  ofCoin('token can be bought and not sold', (scene) => {
    return { ...scene, side: 'buy', pool: { ...scene.pool, taxBack: 1 } };
  }),
  ofCoin('token is paused', (scene) => ({ ...scene, pool: { ...scene.pool, taxThere: 1 } })),
  ofCoin('every source at a multiple of the price of an hour ago', (scene, draw) => {
    const by = draw.log(2, 10);
    const closes = scene.closes.map(({ at, close }) => ({ at, close: close / by }));
    return { ...scene, closes };
  }),
  ofCoin('hours that jump about', (scene, draw) => {
    const closes = scene.closes.map(({ at, close }) => ({ at, close: close * Math.exp(0.2 * draw.normal()) }));
    return { ...scene, closes };
  }),
  {
    name: 'stablecoin received far below a dollar',
    draw: (draw) => honestStable(draw, 1 - draw.log(0.02, 0.5)),
  },
  {
    name: 'stablecoin received, one source far off',
    draw: (draw) => {
      const scene = honestStable(draw, 1);
      return pushChainlink(scene, draw.log(0.05, 1));
    },
  },
];

/** USDC bought with USDT at so many dollars, which every source says. */
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
    venusUsd: near(),
    exchange: { mid: mid * (1 + 0.000_05 * draw.normal()), halfSpread: 0.000_05, bookUsd: 50e6, offset: 0 },
    pyth: { usd: near(), confidence: usd * draw.log(0.000_1, 0.000_4), age: 1 },
    pool: { ...scene.pool, spot: mid, mean: mid, depthUsd: 1e9 },
    closes: Array.from({ length: 167 }, (_, index) => ({
      at: now - (167 - index) * HOUR,
      close: mid * (1 + 0.000_05 * draw.normal()),
    })),
  };
}
