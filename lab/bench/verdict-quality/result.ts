import { pumpedBy } from './attacks/pumps.ts';
import { type Count, UNFAIR_BPS } from './curve.ts';
import { type CoinSymbol, symbols } from './history.ts';
import type { Honest, When } from './honest.ts';
import type { Part, Setting, Unseen } from './tasks.ts';

// The committed result, and the bars that it must pass.

export type Result = ReturnType<typeof resultOf>;

/** What is committed: the result, and how it was made. */
export interface Committed extends Result {
  readonly made: {
    readonly command: string;
    /** Revision of the measured code; with a plus if something was not committed. */
    readonly revision: string;
    /** UTC, YYYY-MM-DD. */
    readonly date: string;
  };
}

/** @param inputs hash of everything that the result depends on: inputs.ts. */
export function resultOf(setting: Setting, inputs: string, parts: readonly Part[]) {
  const of = <Kind extends Part['kind']>(kind: Kind) =>
    parts
      .filter((part): part is Extract<Part, { kind: Kind }> => part.kind === kind)
      .map(({ found }) => found as Extract<Part, { kind: Kind }>['found']);
  const [bargain] = of('bargain');
  if (bargain === undefined) throw new RangeError('the bargains were not measured');
  return {
    setting,
    inputs,
    honest: of('honest'),
    silent: of('silent'),
    families: of('family'),
    bargain,
    dangers: of('danger'),
    pumps: of('pump'),
    search: of('search'),
    events: of('event'),
    waiting: of('waiting'),
    unseen: of('unseen').flat() satisfies Unseen[],
  };
}

/** The first year that the bars cover. */
const FROM = 2021;
const UNFAIR = percent(UNFAIR_BPS / 10_000, 1);
/** From this share on, a sudden pump must not be GO. */
const PUMPED = 0.1;

/** The measured value of each bar, and its bound, as text with its unit. */
export function barsOf(result: Result) {
  const two = unfairOf(result);
  const hunted = largestOf(result.search.filter(({ honest }) => honest >= 2).flatMap(({ worsts }) => worsts)) ?? 0;
  const priced = result.dangers.filter(({ isUnpriced }) => !isUnpriced);
  const lost = sumOf(priced.map(({ unfair }) => unfair));
  const unpriced = result.dangers.filter(({ isUnpriced }) => isUnpriced).reduce((sum, { go }) => sum + go, 0);
  const moments = symbols.map((symbol) => refusedOf(result, symbol, 'at all'));
  const refused = moments.reduce((sum, each) => sum + each.refused, 0);
  const pumped = result.pumps
    .filter(({ isSudden }) => isSudden)
    .flatMap(({ go }) => go.filter((_, at) => (pumpedBy[at] ?? 0) >= PUMPED));
  return [
    none(`GO among cases that lose more than ${UNFAIR}, with two honest sources`, two),
    most('worst loss with GO that a search finds, with two honest sources', hunted / 10_000, UNFAIR_BPS / 10_000, 3),
    none(`GO among dangers that lose more than ${UNFAIR}`, lost),
    most('GO among dangers that no price shows', unpriced, 0, 0, String),
    most(
      'GO after a pump of 10 % or more on all venues within the hour, exchange on or off',
      Math.max(0, ...pumped),
      0,
      1,
    ),
    most(
      'honest moments since 2021 that are refused',
      refused /
        Math.max(
          moments.reduce((sum, each) => sum + each.moments, 0),
          1,
        ),
      0.0045,
      2,
    ),
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
    ...result.silent.map(({ symbol, all, go }) =>
      most(`${symbol}: honest moments that are refused while the exchange is silent for a day`, 1 - go / all, 0.05, 2),
    ),
    ...result.waiting.map(({ symbol, costBps }) =>
      most(`${symbol}: mean cost of waiting, a deferral`, costBps / 10_000, 0.005, 2),
    ),
  ];
}

const none = (name: string, { all, go }: Count) => {
  return { name, measured: `${go} of ${all}`, bound: '0', isPassed: go === 0 };
};

function most(
  name: string,
  share: number,
  bound: number,
  digits: number,
  inWords = (value: number) => percent(value, digits),
) {
  return { name, measured: inWords(share), bound: inWords(bound), isPassed: share <= bound };
}

function barOf(result: Result, symbol: CoinSymbol, when: When, bound: number, name: string) {
  const { moments, refused } = refusedOf(result, symbol, when);
  return most(name, refused / Math.max(moments, 1), bound, 2);
}

/** Counts moments since 2021, or of one year, and those that are not GO. */
export function refusedOf({ honest }: Result, symbol: CoinSymbol, when: When, year?: number) {
  const counted = honest.filter((each) => {
    return each.symbol === symbol && (year === undefined ? each.year >= FROM : each.year === year);
  });
  const sum = (of: (each: Honest) => number) => counted.reduce((all, each) => all + of(each), 0);
  const moments = sum((each) => each.when[when].moments);
  return { moments, refused: moments - sum((each) => each.when[when].verdicts.GO) };
}

/** Counts attacks with at least two honest sources, and honest moments since 2021, that lose more than `UNFAIR_BPS`. */
const unfairOf = ({ families, honest: years }: Result): Count =>
  sumOf([
    ...families.filter(({ honest }) => honest >= 2).map(({ unfair }) => unfair),
    ...years.filter(({ year }) => year >= FROM).map(({ unfair }) => unfair),
  ]);

/** Counts honest moments with fewer than two honest sources, in the years that the bars cover. */
export const lateOf = (years: readonly Honest[]): Count =>
  sumOf(years.filter(({ year }) => year >= FROM).map(({ late }) => late));

const sumOf = (counts: readonly Count[]): Count => ({
  all: counts.reduce((sum, { all }) => sum + all, 0),
  go: counts.reduce((sum, { go }) => sum + go, 0),
});

/** Null if there is none. */
export const largestOf = (values: readonly (number | null)[]): number | null =>
  values.reduce((a, b) => (a === null ? b : b === null ? a : Math.max(a, b)), null);

/** The median of the seeds; a seed without any GO counts as the lowest. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const sorted = values.toSorted((a, b) => (a ?? -1e9) - (b ?? -1e9));
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

export function percent(share: number, digits: number): string {
  return `${(share * 100).toFixed(digits)} %`;
}
