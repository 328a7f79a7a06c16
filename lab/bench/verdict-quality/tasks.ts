import { type Danger, dangers } from './attacks/dangers.ts';
import { bargain, families } from './attacks/families.ts';
import { type Pump, pumpedBy, pumps } from './attacks/pumps.ts';
import { type Count, type Curve, curveOf, drawBase, unfairOf, worstGo } from './curve.ts';
import { events, type Met, meet } from './events.ts';
import { type BandBps, beyond, fittedTo, measuresOf } from './fit.ts';
import { type CoinSymbol, coins, past, secondOf, symbols, yearOf } from './history.ts';
import { type Honest, honestYear, silentDay } from './honest.ts';
import { type Judge, judgeScene as judge, seedOf } from './judge.ts';
import { random } from './random.ts';
import { lossOf } from './scene.ts';
import { type Found, hunts, search } from './search.ts';
import { type Waited, waitedFor } from './waiting.ts';

// Splits the measurement into parts that threads share. Each part has its own seeds.

export interface Setting {
  readonly rules: number;
  readonly seeds: readonly number[];
  /** One moment per this many hours; honest moments per family; moments and steps of each search; all per seed. */
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
  readonly isUnpriced: boolean;
  readonly moments: number;
  readonly go: number;
  readonly unfair: Count;
  readonly worsts: readonly (number | null)[];
}

/** Share of moments that are GO, by how far the price was moved. */
export interface Pumped {
  readonly name: string;
  readonly isSudden: boolean;
  readonly go: readonly number[];
}

export type Part =
  | { readonly kind: 'honest'; readonly found: Honest }
  | { readonly kind: 'silent'; readonly found: Count & { readonly symbol: string } }
  | { readonly kind: 'family'; readonly found: Curve }
  | { readonly kind: 'bargain'; readonly found: Curve }
  | { readonly kind: 'danger'; readonly found: Missed }
  | { readonly kind: 'pump'; readonly found: Pumped }
  | { readonly kind: 'search'; readonly found: Found }
  | { readonly kind: 'event'; readonly found: Met }
  | { readonly kind: 'waiting'; readonly found: Waited }
  | { readonly kind: 'unseen'; readonly found: readonly Unseen[] };

/** Slowest first, so that no thread begins a slow one when the others are done. */
export function tasksOf({ seeds, every, moments, hunts: count, steps }: Setting): readonly (() => Part)[] {
  return [
    ...symbols.map((symbol) => () => ({ kind: 'waiting', found: waitedFor(symbol, judge) }) as const),
    ...hunts.map((hunt) => () => ({ kind: 'search', found: search(hunt, count, steps, seeds, judge) }) as const),
    ...symbols.flatMap((symbol) =>
      yearsOf(symbol).map((year) => () => {
        return { kind: 'honest', found: honestYear(symbol, year, every, seeds, judge) } as const;
      }),
    ),
    ...symbols.map((symbol) => () => {
      return { kind: 'silent', found: silentDay(symbol, 10 * moments, seeds, judge) } as const;
    }),
    ...families.map((family) => () => ({ kind: 'family', found: curveOf(family, moments, seeds, judge) }) as const),
    () => ({ kind: 'bargain', found: curveOf(bargain, moments, seeds, judge) }),
    ...symbols.map((symbol) => () => ({ kind: 'unseen', found: unseen(symbol) }) as const),
    ...events.map((event) => () => ({ kind: 'event', found: meet(event, judge) }) as const),
    ...dangers.map((danger) => () => ({ kind: 'danger', found: meetDanger(danger, moments, seeds, judge) }) as const),
    ...pumps.map((pump) => () => ({ kind: 'pump', found: pumpedWith(pump, moments, seeds, judge) }) as const),
  ];
}

export function meetDanger(danger: Danger, moments: number, seeds: readonly number[], by: Judge): Missed {
  const bySeed = seeds.map((seed) => {
    const draw = random(seedOf(seed, danger.name));
    return Array.from({ length: moments }, () => {
      const scene = danger.draw(draw);
      return { loss: lossOf(scene) * 10_000, verdict: by(scene).verdict };
    });
  });
  const seen = bySeed.flat();
  return {
    name: danger.name,
    isUnpriced: danger.isUnpriced === true,
    moments: seen.length,
    go: seen.filter(({ verdict }) => verdict === 'GO').length,
    unfair: unfairOf(seen),
    worsts: bySeed.map(worstGo),
  };
}

export function pumpedWith(
  { name, isSudden, strike }: Pump,
  moments: number,
  seeds: readonly number[],
  by: Judge,
): Pumped {
  const bases = seeds.flatMap((seed) => {
    const draw = random(seedOf(seed, name));
    return Array.from({ length: moments }, () => drawBase(draw));
  });
  const share = (pumped: number) =>
    bases.filter((base) => by(strike(base, pumped)).verdict === 'GO').length / bases.length;
  return { name, isSudden, go: pumpedBy.map(share) };
}

/** From 2020, whose crash the bars leave out, to the last year that has hours. */
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
