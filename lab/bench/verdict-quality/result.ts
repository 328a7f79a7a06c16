import type { Curve } from './curve.ts';
import type { Met } from './events.ts';
import { type CoinSymbol, symbols } from './history.ts';
import type { Honest, When } from './honest.ts';
import type { Found } from './search.ts';
import type { Missed, Part, Setting, Unseen } from './tasks.ts';
import type { Waited } from './waiting.ts';

// The result that is committed, and the bars that it must pass.

export interface Result {
  readonly setting: Setting;
  /** Of everything that it follows from: inputs.ts. */
  readonly inputs: string;
  readonly honest: readonly Honest[];
  readonly families: readonly Curve[];
  readonly bargain: Curve;
  readonly dangers: readonly Missed[];
  readonly search: readonly Found[];
  readonly events: readonly Met[];
  readonly waiting: readonly Waited[];
  readonly unseen: readonly Unseen[];
}

/** What is committed: the result, and how it was made. */
export interface Committed extends Result {
  readonly made: {
    readonly command: string;
    /** Of the code that was measured; with a plus if something was not committed. */
    readonly revision: string;
    /** UTC, YYYY-MM-DD. */
    readonly date: string;
  };
}

export function resultOf(setting: Setting, inputs: string, parts: readonly Part[]): Result {
  const of = <Kind extends Part['kind']>(kind: Kind) =>
    parts.filter((part): part is Extract<Part, { kind: Kind }> => part.kind === kind).map(({ found }) => found);
  const [bargain] = of('bargain') as Curve[];
  if (bargain === undefined) throw new RangeError('the bargains were not measured');
  return {
    setting,
    inputs,
    honest: of('honest') as Honest[],
    families: of('family') as Curve[],
    bargain,
    dangers: of('danger') as Missed[],
    search: of('search') as Found[],
    events: of('event') as Met[],
    waiting: of('waiting') as Waited[],
    unseen: (of('unseen') as (readonly Unseen[])[]).flat(),
  };
}

export interface Bar {
  readonly name: string;
  /** As text, with its unit. */
  readonly measured: string;
  readonly bound: string;
  readonly isPassed: boolean;
}

/** Years that the bars are about. */
const FROM = 2021;

export function barsOf(result: Result): Bar[] {
  const two = confusionOf(result, 2);
  const [hunted = 0] = result.search
    .filter(({ honest }) => honest >= 2)
    .map(({ worst }) => worst ?? 0)
    .toSorted((a, b) => b - a);
  const missed = result.dangers.reduce((sum, { go }) => sum + go, 0);
  const share50 = two.above50.go / Math.max(two.above50.all, 1);
  return [
    {
      name: 'GO among cases that lose more than 1 %, with two honest sources',
      measured: `${two.above100.go} of ${two.above100.all}`,
      bound: '0',
      isPassed: two.above100.go === 0,
    },
    {
      name: 'worst loss with GO that a search finds, with two honest sources',
      measured: percent(hunted / 10_000, 3),
      bound: '1 %',
      isPassed: hunted <= 100,
    },
    {
      name: 'GO among cases that lose more than 0.5 %, with two honest sources',
      measured: percent(share50, 3),
      bound: '0.5 %',
      isPassed: share50 <= 0.005,
    },
    {
      name: 'GO among dangers without a magnitude',
      measured: `${missed}`,
      bound: '0',
      isPassed: missed === 0,
    },
    ...symbols.flatMap((symbol) => [
      barOf(result, symbol, 'at all', 0.01, `${symbol}: honest moments since 2021 that are refused`),
      barOf(
        result,
        symbol,
        'two to 24 hours after',
        0.1,
        `${symbol}: the same, from two hours after an hour beyond 3 % to the end of the day after it`,
      ),
    ]),
  ];
}

function barOf(result: Result, symbol: CoinSymbol, when: When, most: number, name: string): Bar {
  const { moments, refused } = refusedOf(result, symbol, when);
  const share = refused / Math.max(moments, 1);
  return { name, measured: percent(share, 2), bound: percent(most, 0), isPassed: share <= most };
}

/** Moments since 2021, or of one year, and those that are not GO. */
export function refusedOf({ honest }: Result, symbol: CoinSymbol, when: When, year?: number) {
  const counted = honest.filter((each) => {
    return each.symbol === symbol && (year === undefined ? each.year >= FROM : each.year === year);
  });
  const sum = (of: (each: Honest) => number) => counted.reduce((all, each) => all + of(each), 0);
  const moments = sum((each) => each.when[when].moments);
  return { moments, refused: moments - sum((each) => each.when[when].verdicts.GO) };
}

/**
 * Cases of attacks, and honest moments since 2021, that lose more than 0.5 % and 1 %.
 * @param honest sources at least.
 */
export function confusionOf({ families, honest: years }: Result, honest: number) {
  const counts = [
    ...families.filter((family) => family.honest >= honest),
    ...(honest <= 3 ? years.filter(({ year }) => year >= FROM) : []),
  ];
  const sum = (of: 'above50' | 'above100', part: 'all' | 'go') => counts.reduce((all, each) => all + each[of][part], 0);
  return {
    above50: { all: sum('above50', 'all'), go: sum('above50', 'go') },
    above100: { all: sum('above100', 'all'), go: sum('above100', 'go') },
  };
}

export const percent = (share: number, digits: number): string => `${(share * 100).toFixed(digits)} %`;
