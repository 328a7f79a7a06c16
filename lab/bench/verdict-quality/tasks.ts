import { dangers } from './attacks/dangers.ts';
import { bargain, families } from './attacks/families.ts';
import { type Curve, curveOf } from './curve.ts';
import { events, type Met, meet } from './events.ts';
import { type BandBps, beyond, fittedTo, measuresOf } from './fit.ts';
import { type CoinSymbol, coins, past, secondOf, symbols, yearOf } from './history.ts';
import { type Honest, honestYear } from './honest.ts';
import { judgeScene as judge, seedOf } from './judge.ts';
import { random } from './random.ts';
import { type Found, hunts, search } from './search.ts';
import { type Waited, waitedFor } from './waiting.ts';

// The measurement in parts that threads share out. Each part has a seed of its own.

export interface Setting {
  readonly rules: number;
  readonly seed: number;
  /** One moment in every so many hours; honest moments per family; moments and steps of each search. */
  readonly every: number;
  readonly moments: number;
  readonly hunts: number;
  readonly steps: number;
}

/** How often an asset went beyond limits fitted to other years. */
export interface Unseen {
  readonly symbol: CoinSymbol;
  readonly fitted: string;
  readonly tested: string;
  /** Shares of hours. */
  readonly volatility: BandBps;
  readonly move: BandBps;
}

export interface Missed {
  readonly name: string;
  readonly moments: number;
  readonly go: number;
}

export type Part =
  | { readonly kind: 'honest'; readonly found: Honest }
  | { readonly kind: 'family'; readonly found: Curve }
  | { readonly kind: 'bargain'; readonly found: Curve }
  | { readonly kind: 'danger'; readonly found: Missed }
  | { readonly kind: 'search'; readonly found: Found }
  | { readonly kind: 'event'; readonly found: Met }
  | { readonly kind: 'waiting'; readonly found: Waited }
  | { readonly kind: 'unseen'; readonly found: readonly Unseen[] };

/** Slowest first, so that no thread begins one when the others are done. */
export function tasksOf({ seed, every, moments, hunts: count, steps }: Setting): readonly (() => Part)[] {
  return [
    ...symbols.map((symbol) => () => ({ kind: 'waiting', found: waitedFor(symbol, judge) }) as const),
    ...hunts.map((hunt) => () => ({ kind: 'search', found: search(hunt, count, steps, seed, judge) }) as const),
    ...symbols.flatMap((symbol) =>
      yearsOf(symbol).map((year) => () => {
        return { kind: 'honest', found: honestYear(symbol, year, every, seed, judge) } as const;
      }),
    ),
    ...families.map((family) => () => ({ kind: 'family', found: curveOf(family, moments, seed, judge) }) as const),
    () => ({ kind: 'bargain', found: curveOf(bargain, moments, seed, judge) }),
    ...symbols.map((symbol) => () => ({ kind: 'unseen', found: unseen(symbol) }) as const),
    ...events.map((event) => () => ({ kind: 'event', found: meet(event, judge) }) as const),
    ...dangers.map(({ name, draw: drawDanger }) => () => {
      const draw = random(seedOf(seed, name));
      const verdicts = Array.from({ length: moments }, () => judge(drawDanger(draw)).verdict);
      const go = verdicts.filter((verdict) => verdict === 'GO').length;
      return { kind: 'danger', found: { name, moments, go } } as const;
    }),
  ];
}

/** From 2020, whose crash the bars leave out, to the last that has hours. */
function yearsOf(symbol: CoinSymbol): number[] {
  const last = yearOf(past(coins[symbol]).last);
  return Array.from({ length: last - 2019 }, (_, at) => 2020 + at);
}

function unseen(symbol: CoinSymbol): Unseen[] {
  const fitted = fittedTo(measuresOf(symbol, secondOf('2021-01-01'), secondOf('2024-01-01')));
  return (
    [
      ['2024 to 2026', '2024-01-01', '2027-01-01'],
      ['2020', '2020-01-01', '2021-01-01'],
    ] as const
  ).map(([tested, from, to]) => {
    const { moves, volatilities } = measuresOf(symbol, secondOf(from), secondOf(to));
    return {
      symbol,
      fitted: '2021 to 2023',
      tested,
      volatility: beyond(volatilities, fitted.volatilityBps),
      move: beyond(moves, fitted.moveBps),
    };
  });
}
