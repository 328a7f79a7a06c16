import type { Market } from './market.ts';
import type { Random } from './random.ts';

/** Something that makes a trade unfair, or that nobody may trade on. */
export interface Attack {
  readonly name: string;
  /** What becomes of an ordinary moment. */
  readonly strike: (market: Market, draw: Random) => Market;
}

/** Against whoever trades: dearer for a buyer, cheaper for a seller. */
const against = (market: Market, by: number): number => (market.side === 'buy' ? 1 + by : 1 / (1 + by));
/** 2 % to 100 %, small ones as likely as large ones. */
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
      const gone = { spot: market.spot * by, twap: market.twap * by, hasExchange: false };
      return { ...market, ...gone, feedAge: draw.between(310, 86_400) };
    },
  },
  {
    name: 'feed says zero',
    strike: (market) => ({ ...market, chainlink: 0, venus: market.venusHasItsOwn ? market.venus : 0 }),
  },
  {
    name: 'feed in another number of decimals',
    strike: (market, draw) =>
      oneSource(market, draw.chance(0.5) ? 10 ** -draw.between(1, 8) : 10 ** draw.between(1, 8)),
  },
  {
    name: 'a ratio taken for a price',
    strike: (market, draw) => oneSource(market, draw.between(0.9, 1.2) / market.price),
  },
  {
    name: 'one source lies',
    strike: (market, draw) => {
      const by = 1 / against(market, much(draw));
      const lies = draw.next();
      if (lies < 0.34 && market.hasExchange) return { ...market, bid: market.bid / by, ask: market.ask / by };
      return lies < 0.67 ? oneSource(market, 1 / by) : { ...market, venus: market.venus / by };
    },
  },
  {
    name: 'all references lie, the pool does not',
    strike: (market, draw) => {
      const by = against(market, much(draw));
      const lied = { chainlink: market.chainlink * by, venus: market.venus * by };
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
      // The pool is quoted in it, and follows; so does the feed.
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
];

/** Of the asset's own feed, and of Venus where it reads that one. */
function oneSource(market: Market, by: number): Market {
  return {
    ...market,
    chainlink: market.chainlink * by,
    venus: market.venusHasItsOwn ? market.venus : market.venus * by,
  };
}
