import { SUDDEN_BPS } from '@bowline/core/verdict/limits';
import { changesOf, deviationOf } from '@bowline/core/verdict/statistics';
import { HOUR } from '../prices/prices.ts';
import { type CoinSymbol, coins, past } from './history.ts';

// Limits of an asset's moves and volatility from its own history, and how often they would have stopped a trade.
//
// A move is forgotten after two hours, volatility after a day: moves may stop trades in the fastest hours, but volatility
// would stop them for a day after each. So moves cause caution beyond 99.9 % of all hours and no trade beyond 99.99 %, and
// caution at the latest just below a rise of 10 %. Volatility causes caution beyond the largest ever seen, where history
// says nothing, and no trade beyond one and a half times that.

const MOVE = { caution: 0.999, noGo: 0.9999 };
const VOLATILITY_NO_GO = 1.5;
/** The number of changes that the volatility check reads. */
const CHANGES = 24;
/** Limits are rounded up to a tenth of a percent. */
const STEP = 10;

export interface BandBps {
  readonly caution: number;
  readonly noGo: number;
}

export interface Fitted {
  readonly volatilityBps: BandBps;
  readonly moveBps: BandBps;
}

/** In 1/10,000 per hour, as the checks measure them at its end. */
export interface Measures {
  readonly moves: readonly number[];
  readonly volatilities: readonly number[];
  readonly hours: number;
  /** First and last hour. */
  readonly first: number;
  readonly last: number;
}

/** Leaves out hours with a gap in their own past. */
export function measuresOf(symbol: CoinSymbol, from: number, to: number): Measures {
  const { hours } = past(coins[symbol]);
  const known = [...hours.keys()].filter((at) => at >= from && at < to);
  const moves: number[] = [];
  const volatilities: number[] = [];
  for (const at of known) {
    const closes = Array.from({ length: CHANGES + 1 }, (_, ago) => hours.get(at - (CHANGES - ago) * HOUR)?.close);
    if (!isWhole(closes)) continue;
    const changes = changesOf(closes);
    const [before = 0, last = 0] = changes.slice(-2);
    moves.push(inBps(Math.max(Math.abs(last), Math.abs(before), Math.abs(before + last))));
    volatilities.push(inBps(deviationOf(changes)));
  }
  return { moves, volatilities, hours: moves.length, first: known[0] ?? 0, last: known.at(-1) ?? 0 };
}

const isWhole = (closes: readonly (number | undefined)[]): closes is number[] => !closes.includes(undefined);
const inBps = (share: number): number => Math.ceil(share * 10_000);

export const fittedTo = ({ moves, volatilities }: Measures): Fitted => ({
  volatilityBps: {
    caution: roundedUp(quantile(volatilities, 1)),
    noGo: roundedUp(quantile(volatilities, 1) * VOLATILITY_NO_GO),
  },
  moveBps: {
    caution: Math.min(roundedUp(quantile(moves, MOVE.caution)), Number(SUDDEN_BPS)),
    noGo: roundedUp(quantile(moves, MOVE.noGo)),
  },
});

const roundedUp = (bps: number): number => Math.ceil(bps / STEP) * STEP;

/** The smallest value that this share of all does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Share of hours beyond each limit. */
export const beyond = (values: readonly number[], { caution, noGo }: BandBps): BandBps => ({
  caution: values.filter((value) => value > caution).length / values.length,
  noGo: values.filter((value) => value > noGo).length / values.length,
});
