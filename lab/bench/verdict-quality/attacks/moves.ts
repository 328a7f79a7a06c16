import type { Scene } from '../scene.ts';

// What an attacker, or bad luck, can do to a scene. `by` is always against the trader's side: 0.01 makes a purchase 1 %
// dearer, or a sale bring 1 % less.

/** Factor on a price. */
export const against = ({ side }: Scene, by: number): number => (side === 'buy' ? 1 + by : 1 / (1 + by));

/** Pushes the pool's price, and its mean by a share of that. */
export function pushPool(scene: Scene, by: number, ofMean = 0): Scene {
  const { spot, mean } = scene.pool;
  const factor = against(scene, by);
  return { ...scene, pool: { ...scene.pool, spot: spot * factor, mean: mean * factor ** ofMean } };
}

export function pushExchange(scene: Scene, by: number): Scene {
  const { exchange } = scene;
  return exchange === undefined
    ? scene
    : { ...scene, exchange: { ...exchange, mid: exchange.mid * against(scene, by) } };
}

/** @param confidence as a share of the price; its own if not given. */
export function pushPyth(scene: Scene, by: number, confidence?: number): Scene {
  const { pyth } = scene;
  if (pyth === undefined) return scene;
  const usd = pyth.usd * against(scene, by);
  return {
    ...scene,
    pyth: { ...pyth, usd, confidence: confidence === undefined ? pyth.confidence : usd * confidence },
  };
}

/** Pushes Chainlink's operator, which Venus reads, too. @param age of the answer; its own if not given. */
export function pushChainlink(scene: Scene, by: number, age?: number): Scene {
  const { chainlink, venusUsd } = scene;
  if (chainlink === undefined) return scene;
  const factor = against(scene, by);
  return {
    ...scene,
    chainlink: { ...chainlink, usd: chainlink.usd * factor, age: age ?? chainlink.age },
    ...(venusUsd !== undefined && { venusUsd: venusUsd * factor }),
  };
}

/** The received coin is worth less, or the paid one more, than its feed says. */
export const shiftQuoteCoin = (scene: Scene, by: number): Scene => ({
  ...scene,
  quoteUsd: scene.quoteUsd * against(scene, by),
});

export const pushQuoteFeed = (scene: Scene, by: number): Scene => ({
  ...scene,
  quoteFeed: { ...scene.quoteFeed, usd: scene.quoteFeed.usd * against(scene, by) },
});

/** Leaves so little depth that this size has about that impact. */
export function thinPool(scene: Scene, impact: number): Scene {
  const { depthUsd } = scene.pool;
  const left = Math.min(1, (scene.sizeUsd * (1 - impact)) / Math.max(impact, 1e-9) / depthUsd);
  return { ...scene, pool: { ...scene.pool, depthUsd: depthUsd * left } };
}

/** Grows the size until it has about that impact. */
export const largeSize = (scene: Scene, impact: number): Scene => ({
  ...scene,
  sizeUsd: Math.max(scene.sizeUsd, (scene.pool.depthUsd * impact) / (1 - impact)),
});

export const detour = (scene: Scene, by: number): Scene => ({ ...scene, pool: { ...scene.pool, detour: by } });
export const tax = (scene: Scene, there: number, back = 0): Scene => ({
  ...scene,
  pool: { ...scene.pool, taxThere: there, taxBack: back },
});

/** Silences sources. The exchange takes its history with it, and Chainlink its earlier answers. */
export function silence(scene: Scene, ...names: readonly ('chainlink' | 'exchange' | 'pyth')[]): Scene {
  const { chainlink, venusUsd, exchange, pyth, feedPast, ...rest } = scene;
  const has = (name: (typeof names)[number]) => !names.includes(name);
  return {
    ...rest,
    ...(chainlink && has('chainlink') && { chainlink }),
    ...(feedPast && has('chainlink') && { feedPast }),
    ...(venusUsd !== undefined && has('chainlink') && { venusUsd }),
    ...(exchange && has('exchange') && { exchange }),
    ...(pyth && has('pyth') && { pyth }),
    closes: has('exchange') ? scene.closes : [],
  };
}

/** Makes the last hours' closes, and what the feed said meanwhile, rise or fall to the current prices. */
export function rampPast(scene: Scene, by: number, hours: number): Scene {
  const factor = (hoursAgo: number) => against(scene, by) ** Math.max(0, (hours + 1 - hoursAgo) / (hours + 1));
  const { closes, feedPast } = scene;
  return {
    ...scene,
    closes: closes.map(({ at, close }, index) => ({ at, close: close * factor(closes.length - index) })),
    ...(feedPast && { feedPast: [feedPast[0] * factor(1), feedPast[1] * factor(2)] }),
  };
}

/** Pool, exchange, Pyth and Chainlink together. */
export const pushAll = (scene: Scene, by: number, ofMean: number): Scene =>
  pushChainlink(pushPyth(pushExchange(pushPool(scene, by, ofMean), by), by), by);
