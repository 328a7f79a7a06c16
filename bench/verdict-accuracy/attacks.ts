import type { Market, Share } from './market.ts';
import type { Random } from './random.ts';

/** An event that makes a trade unfair or impossible. */
export interface Attack {
  readonly name: string;
  /** `share`: only for a token that represents a share. */
  readonly of?: 'share';
  /** Applies the attack to an ordinary moment. */
  readonly strike: (market: Market, draw: Random) => Market;
}

/** Moves a price against the trader: up for a buyer, down for a seller. */
const against = (market: Market, by: number): number => (market.side === 'buy' ? 1 + by : 1 / (1 + by));
/** 2 % to 100 %, with small values as likely as large ones. */
const much = (draw: Random): number => 0.02 * 50 ** draw.next();

export const attacks: readonly Attack[] = [
  {
    name: 'pool moved within the block',
    strike: (market, draw) => ({ ...market, spot: market.spot * against(market, much(draw)) }),
  },
  {
    name: 'pool ground away over ten minutes',
    strike: (market, draw) => {
      const by = against(market, much(draw));
      const lag = draw.between(0.5, 1);
      return { ...market, spot: market.spot * by, twap: market.twap * (1 + (by - 1) * lag) };
    },
  },
  {
    name: 'feed stopped, the market went on',
    strike: (market, draw) => {
      const by = against(market, much(draw));
      const gone = { spot: market.spot * by, twap: market.twap * by, hasExchange: false, hasPyth: false };
      return { ...market, ...gone, feedAge: draw.between(310, 86_400) };
    },
  },
  {
    name: 'feed says zero',
    strike: (market) => ({ ...market, chainlink: 0, venus: market.venusHasItsOwn ? market.venus : 0 }),
  },
  {
    name: 'feed says less than zero, which is no answer',
    strike: (market) => ({ ...market, chainlink: -market.chainlink, venus: 0 }),
  },
  {
    name: 'feed in another number of decimals',
    strike: (market, draw) =>
      oneSource(market, draw.chance(0.5) ? 10 ** -draw.between(1, 8) : 10 ** draw.between(1, 8)),
  },
  {
    name: 'a ratio taken for a price',
    strike: (market, draw) => {
      const by = draw.between(0.9, 1.2) / market.price;
      // If the price is close to that ratio, nothing is wrong.
      return oneSource(market, Math.abs(by - 1) > 0.02 ? by : 0.5);
    },
  },
  {
    name: 'one source lies',
    strike: (market, draw) => {
      const by = 1 / against(market, much(draw));
      const lies = draw.next();
      if (lies < 0.25 && market.hasExchange) return { ...market, bid: market.bid / by, ask: market.ask / by };
      if (lies < 0.5 && market.hasPyth) return { ...market, pyth: market.pyth / by };
      return lies < 0.75 ? oneSource(market, 1 / by) : { ...market, venus: market.venus / by };
    },
  },
  {
    name: 'all references lie, the pool does not',
    strike: (market, draw) => {
      const by = against(market, much(draw));
      const lied = { chainlink: market.chainlink * by, venus: market.venus * by, pyth: market.pyth * by };
      return { ...market, ...lied, bid: market.bid * by, ask: market.ask * by };
    },
  },
  {
    name: 'blocks stopped',
    strike: (market, draw) => ({ ...market, blockAge: draw.between(61, 7_200) }),
  },
  {
    name: 'stablecoin off its peg',
    strike: (market, draw) => {
      const quotePrice = market.side === 'buy' ? 1 + much(draw) : 1 / (1 + much(draw));
      // The pool is quoted in this token and follows it; so does the feed.
      const spot = market.price / quotePrice;
      return { ...market, quotePrice, spot, twap: spot, quoteFeed: quotePrice, bid: spot * 0.9999, ask: spot * 1.0001 };
    },
  },
  {
    name: 'stablecoin off its peg, its feed stopped',
    strike: (market, draw) => {
      const quotePrice = market.side === 'buy' ? 1 + much(draw) : 1 / (1 + much(draw));
      const spot = market.price / quotePrice;
      return { ...market, quotePrice, spot, twap: spot, bid: spot * 0.9999, ask: spot * 1.0001 };
    },
  },
  {
    name: 'liquidity withdrawn',
    strike: (market, draw) => ({ ...market, depthUsd: market.sizeUsd / draw.between(0.02, 10) }),
  },
  {
    name: 'exchange’s book emptied',
    strike: (market, draw) => {
      const half = draw.between(0.003, 0.5);
      return { ...market, hasExchange: true, bid: market.bid * (1 - half), ask: market.ask * (1 + half) };
    },
  },
  {
    name: 'exchange’s clock an hour off',
    strike: (market, draw) => ({ ...market, hasExchange: true, exchangeLag: draw.chance(0.5) ? 3_600 : -3_600 }),
  },
  {
    name: 'blocks come and none becomes final',
    strike: (market, draw) => ({ ...market, finalLag: Math.floor(draw.between(401, 1_000)) }),
  },
  {
    name: 'Pyth is not sure',
    strike: (market, draw) => ({
      ...market,
      hasPyth: true,
      pythConfidence: market.pyth * draw.between(0.0101, 2),
    }),
  },
  {
    name: 'exchange’s book is thin',
    strike: (market, draw) => ({ ...market, hasExchange: true, bookUsd: market.sizeUsd * draw.between(0, 0.9) }),
  },
  {
    name: 'most liquidity gone within minutes',
    strike: (market, draw) => ({ ...market, liquidityLeft: draw.between(0, 0.19) }),
  },
  {
    name: 'token takes a tax',
    strike: (market, draw) => ({ ...market, taxThere: draw.between(0.001, 0.99) }),
  },
  {
    name: 'token can be bought and not sold',
    strike: (market, draw) => ({ ...market, taxBack: draw.chance(0.5) ? 1 : draw.between(0.006, 0.99) }),
  },
  { name: 'token is paused', strike: (market) => ({ ...market, taxThere: 1 }) },
  {
    name: 'market in a storm',
    strike: (market, draw) => {
      const wild = draw.between(3, 20);
      const now = market.closes.at(-1) ?? 1;
      return { ...market, hasExchange: true, closes: market.closes.map((close) => now * (close / now) ** (wild * 4)) };
    },
  },
  {
    name: 'stock halted',
    of: 'share',
    strike: (market) => withShare(market, { isHalted: true }),
  },
  {
    name: 'stock while its exchange is closed',
    of: 'share',
    strike: (market) => withShare(market, { openFor: -1 }),
  },
  {
    name: 'stock whose exchange is about to close',
    of: 'share',
    strike: (market, draw) => withShare(market, { closesIn: draw.between(0, 119) }),
  },
  {
    name: 'stock split, multiplier not told',
    of: 'share',
    strike: (market, draw) => {
      const by = 2 + Math.floor(draw.between(0, 9));
      return { ...market, chainlink: market.chainlink / by, pyth: market.pyth / by, price: market.price };
    },
  },
  {
    name: 'stock split, told, feeds and pool not there yet',
    of: 'share',
    strike: (market, draw) => {
      const by = 2 + Math.floor(draw.between(0, 9));
      const { held = 1 } = market.share ?? {};
      const told = { multiplier: held * by, multiplierBefore: held, changedAgo: draw.between(0, 80_000) };
      return withShare(market, told);
    },
  },
];

function withShare(market: Market, changes: Partial<Share>): Market {
  return market.share === undefined ? market : { ...market, share: { ...market.share, ...changes } };
}

/** Changes the asset's own feed, and Venus if it reads that feed. */
function oneSource(market: Market, by: number): Market {
  return {
    ...market,
    chainlink: market.chainlink * by,
    venus: market.venusHasItsOwn ? market.venus : market.venus * by,
  };
}
