import type { Verdict } from '@bowline/core/domain/verdict';
import { HOUR } from '../prices/prices.ts';
import { silence } from './attacks/moves.ts';
import { type Count, hasTwoHonest, UNFAIR_BPS } from './curve.ts';
import { type CoinSymbol, coins, moveOf, past, secondOf } from './history.ts';
import { type Judge, seedOf } from './judge.ts';
import { drawTime, honestMoment } from './moment.ts';
import { random } from './random.ts';
import { lossOf } from './scene.ts';

// Moments in which nobody attacks, in the real hours of one year.

/** An hour is fast if it moves by more than this. */
const FAST = 0.03;
/** The checks must calm down within this many hours after it; it counts as over after a day. */
const CALM_HOURS = 2;
const DAY_HOURS = 24;

export type When = 'at all' | 'within two hours of one' | 'two to 24 hours after';

export interface Honest {
  readonly symbol: CoinSymbol;
  readonly year: number;
  /** Whole, within two hours of an hour that moved by more than 3 % or in it, and from then to a day after it. */
  readonly when: Readonly<Record<When, Refusals>>;
  /** Moments that lose more than `UNFAIR_BPS` with two honest sources. */
  readonly unfair: Count;
  /** The same with fewer honest sources: the market moves faster than they report. */
  readonly late: Count;
}

interface Refusals {
  readonly moments: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Counts by deciding reason. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** One moment per seed in every `every`th hour. */
export function honestYear(
  symbol: CoinSymbol,
  year: number,
  every: number,
  seeds: readonly number[],
  judge: Judge,
): Honest {
  const { hours, first } = past(coins[symbol]);
  const [from, to] = [Math.max(secondOf(`${year}-01-01`), first + 8 * DAY_HOURS * HOUR), secondOf(`${year + 1}-01-01`)];
  const when = { 'at all': none(), 'within two hours of one': none(), 'two to 24 hours after': none() };
  const [unfair, late] = [
    { all: 0, go: 0 },
    { all: 0, go: 0 },
  ];
  for (const [index, seed] of seeds.entries()) {
    const draw = random(seedOf(seed, `${symbol} ${year}`));
    // Each seed takes different hours.
    const offset = Math.floor((index * every) / seeds.length) * HOUR;
    for (let at = from + offset; at < to; at += HOUR * every) {
      if (!hours.has(at) || !hours.has(at - HOUR)) continue;
      const second = Math.floor(draw.between(0, HOUR - 4));
      const scene = honestMoment(symbol, at, second, draw);
      const { verdict, reason } = judge(scene);
      count(when['at all'], verdict, reason);
      const since = hoursSinceFast(symbol, at, second);
      if (since < CALM_HOURS) count(when['within two hours of one'], verdict, reason);
      else if (since < DAY_HOURS) count(when['two to 24 hours after'], verdict, reason);
      if (lossOf(scene) * 10_000 <= UNFAIR_BPS) continue;
      const lost = hasTwoHonest(scene) ? unfair : late;
      lost.all += 1;
      if (verdict === 'GO') lost.go += 1;
    }
  }
  return { symbol, year, when, unfair, late };
}

/** Counts honest moments since 2021 during a day in which the exchange is silent, and those of them with GO. */
export function silentDay(
  symbol: CoinSymbol,
  moments: number,
  seeds: readonly number[],
  judge: Judge,
): Count & { readonly symbol: string } {
  const verdicts = seeds.flatMap((seed) => {
    const draw = random(seedOf(seed, `${symbol} silent`));
    return Array.from({ length: moments }, () => {
      const { at, second } = drawTime(symbol, secondOf('2021-01-01'), secondOf('2027-01-01'), draw);
      return judge(silence(honestMoment(symbol, at, second, draw), 'exchange')).verdict;
    });
  });
  return { symbol, all: verdicts.length, go: verdicts.filter((verdict) => verdict === 'GO').length };
}

/** Hours since the end of the last hour that moved by more than 3 %; 0 within one. */
function hoursSinceFast(symbol: CoinSymbol, at: number, second: number): number {
  const isFast = (hour: number) => Math.abs(moveOf(past(coins[symbol]), hour) ?? 0) > FAST;
  if (isFast(at)) return 0;
  for (let ago = 1; ago <= DAY_HOURS + 1; ago += 1) if (isFast(at - ago * HOUR)) return ago - 1 + second / HOUR;
  return Number.POSITIVE_INFINITY;
}

type Tally = { moments: number; verdicts: Record<Verdict, number>; reasons: Record<string, number> };
const none = (): Tally => ({ moments: 0, verdicts: { GO: 0, CAUTION: 0, NO_GO: 0, NO_DATA: 0 }, reasons: {} });

function count(tally: Tally, verdict: Verdict, reason: string | undefined): void {
  tally.moments += 1;
  tally.verdicts[verdict] += 1;
  if (reason !== undefined) tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1;
}
