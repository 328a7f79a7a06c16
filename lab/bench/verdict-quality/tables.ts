import { pumpedBy } from './attacks/pumps.ts';
import { type Count, UNFAIR_BPS } from './curve.ts';
import { type CoinSymbol, symbols } from './history.ts';
import type { When } from './honest.ts';
import { barsOf, largestOf, lateOf, medianOf, percent, type Result, refusedOf } from './result.ts';
import { BOX } from './search.ts';

// The tables that the docs show, from the result alone, keyed by the name of their place.

export const tables = (result: Result): Readonly<Record<string, string>> => ({
  bars: bars(result),
  honest: honest(result),
  reasons: reasons(result),
  search: search(result),
  events: events(result),
  waiting: waiting(result),
  unseen: unseen(result),
  families: families(result),
  bargain: bargain(result),
  pumps: pumps(result),
  worst: worst(result),
});

/** A Markdown table. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const bps = (value: number | null): string => (value === null ? 'never' : percent(value / 10_000, 2));
const whole = (value: number): string => value.toLocaleString('en-US');

const bars = (result: Result): string =>
  table(
    ['bar', 'measured', 'at most', ''],
    barsOf(result).map(({ name, measured, bound, isPassed }) => [
      name,
      measured,
      bound,
      isPassed ? 'passed' : 'FAILED',
    ]),
  );

function honest(result: Result): string {
  const years = [...new Set(result.honest.map(({ year }) => year))].toSorted((a, b) => a - b);
  const refused = (symbol: CoinSymbol, when: When, year?: number) => {
    const found = refusedOf(result, symbol, when, year);
    return found.moments === 0 ? '' : percent(found.refused / found.moments, 2);
  };
  return table(
    [
      'refused of honest moments',
      ...years.map(String),
      'since 2021',
      'in a fast hour, or two hours after',
      'from then to 24 hours after',
    ],
    symbols.map((symbol) => [
      symbol,
      ...years.map((year) => refused(symbol, 'at all', year)),
      refused(symbol, 'at all'),
      refused(symbol, 'within two hours of one'),
      refused(symbol, 'two to 24 hours after'),
    ]),
  );
}

/** Deciding reasons since 2021, most frequent first. */
function reasons({ honest: years }: Result): string {
  const found = new Map<string, number[]>();
  const moments = symbols.map(() => 0);
  for (const { symbol, year, when } of years) {
    if (year < 2021) continue;
    const at = symbols.indexOf(symbol);
    moments[at] = (moments[at] ?? 0) + when['at all'].moments;
    for (const [reason, count] of Object.entries(when['at all'].reasons)) {
      const row = found.get(reason) ?? symbols.map(() => 0);
      row[at] = (row[at] ?? 0) + count;
      found.set(reason, row);
    }
  }
  const sum = (row: readonly number[]) => row.reduce((all, each) => all + each, 0);
  const rows = [...found].toSorted(([, a], [, b]) => sum(b) - sum(a));
  return table(
    ['reason, since 2021', ...symbols],
    rows.map(([reason, row]) => [`\`${reason}\``, ...row.map((count, at) => percent(count / (moments[at] ?? 1), 3))]),
  );
}

/** A find close to the limit of the search says nothing about a bound. */
const isBoundless = (loss: number | null): boolean => loss !== null && loss > 1_000 * Math.min(BOX, 1);
const found = (loss: number | null): string => (isBoundless(loss) ? 'no bound' : bps(loss));

const search = ({ search: finds }: Result): string =>
  table(
    ['honest sources', 'what the attacker has', 'worst loss with GO', 'in half of the seeds', 'in half of the moments'],
    finds.map(({ name, honest: count, worsts, median }) => [
      `${count}`,
      name,
      found(largestOf(worsts)),
      found(medianOf(worsts)),
      found(median),
    ]),
  );

/** Share of moments that are GO. */
const pumps = ({ pumps: rows }: Result): string =>
  table(
    ['all venues pumped', ...pumpedBy.map((by) => `by ${percent(by, 0)}`)],
    rows.map(({ name, go }) => [name, ...go.map((share) => percent(share, 0))]),
  );

const verdictNames = ['GO', 'CAUTION', 'NO_GO', 'NO_DATA'] as const;
/** Hours of all assets that an event met on one side. */
const events = ({ events: met }: Result): string =>
  table(
    ['event', 'side', 'assets', ...verdictNames, 'longest wait'],
    [...Map.groupBy(met, ({ name, side }) => `${name} | ${side}`)].map(([eventAndSide, each]) => [
      eventAndSide,
      each.map(({ symbol }) => symbol).join(', '),
      ...verdictNames.map((verdict) => `${each.reduce((sum, { hours }) => sum + hours[verdict], 0)}`),
      `${Math.max(...each.map(({ longestWait }) => longestWait))} h`,
    ]),
  );

const waiting = ({ waiting: rows }: Result): string =>
  table(
    ['100 USD an hour since 2020', 'slots', 'deferred', 'saved USD', 'lost USD', 'cost of a deferral', 'longest wait'],
    rows.map(({ symbol, slots, deferred, saved, lost, costBps, longestWait }) => [
      symbol,
      whole(slots),
      whole(deferred),
      saved.toFixed(2),
      lost.toFixed(2),
      bps(costBps),
      `${longestWait} h`,
    ]),
  );

const unseen = ({ unseen: rows }: Result): string =>
  table(
    ['fitted to 2021 to 2023, tested on', 'asset', 'move: caution / no go', 'volatility: caution / no go'],
    rows.map(({ symbol, tested, move, volatility }) => [
      tested,
      symbol,
      `${percent(move.caution, 3)} / ${percent(move.noGo, 3)}`,
      `${percent(volatility.caution, 3)} / ${percent(volatility.noGo, 3)}`,
    ]),
  );

function families({ families: curves, honest: years }: Result): string {
  const goOf = ({ all, go }: Count) => `${go} of ${all}`;
  return table(
    [
      'honest sources',
      'family',
      'half are GO up to a loss of',
      'largest loss with GO',
      `GO above ${percent(UNFAIR_BPS / 10_000, 1)}`,
    ],
    [
      ...curves.map(({ honest: count, name, halfGo, worsts, unfair }) => [
        `${count}`,
        name,
        halfGo === null ? '–' : bps(halfGo),
        bps(largestOf(worsts)),
        goOf(unfair),
      ]),
      ['0 or 1', 'nobody attacks, and the market moves faster than sources tell', '–', '–', goOf(lateOf(years))],
    ],
  );
}

const bargain = ({ bargain: { points } }: Result): string =>
  table(
    ['pool in the trader’s favour by', ...points.map(({ bps: by }) => bps(by))],
    [
      ['GO', ...points.map(({ go }) => percent(go, 0))],
      ['CAUTION', ...points.map(({ caution }) => percent(caution, 0))],
    ],
  );

/**
 * For each class of attacks: what bounds it, and the largest loss that was still GO, in the families and in the search.
 * Each family and each hunt is in one row.
 */
function worst({ families: curves, search: finds, dangers, pumps: pumped }: Result): string {
  const isUnsure = (name: string) => /silent|lags|stopped|old|but unsure/.test(name);
  const losses = [
    ...[...curves, ...finds].map(({ honest: count, name, worsts }) => ({ honest: count, name, worsts })),
    ...curves.map(({ name, late }) => ({ honest: 1, name, worsts: late.worsts })),
  ];
  const largest = (is: (each: (typeof losses)[number]) => boolean) => {
    const worsts = losses.filter(is).map((each) => each.worsts);
    const ofSeeds = worsts[0]?.map((_, seed) => largestOf(worsts.map((each) => each[seed] ?? null))) ?? [];
    return `${bps(largestOf(ofSeeds))}; ${bps(medianOf(ofSeeds))} in half of the seeds`;
  };
  const missed = (...names: readonly RegExp[]) => {
    const counted = dangers.filter(({ name }) => names.some((each) => each.test(name)));
    return bps(largestOf(counted.flatMap(({ worsts }) => worsts)));
  };
  const boundless = pumped
    .map(({ name, go }) => ({ name, by: pumpedBy.findLast((_, at) => (go[at] ?? 0) > 0) }))
    .map(({ name, by }) => `${name}: ${by === undefined ? 'no GO' : `GO up to ${percent(by, 0)}`}`);
  return table(
    ['what goes wrong', 'bounded by', 'largest loss found with GO'],
    [
      [
        'the pool is pushed, emptied or shallow; the route is bad; a token has a tax',
        'total cost, simulated swap and swap back',
        largest(({ honest: count, name }) => count === 3 && !isUnsure(name)),
      ],
      [
        'in addition, one source of three lies',
        'the other two: the median is never better for the trader than one of them',
        largest(({ honest: count, name }) => count === 2 && !isUnsure(name)),
      ],
      [
        'instead, one source is silent, stale or unsure',
        'the worse of the two that are left',
        largest(({ honest: count, name }) => count >= 2 && isUnsure(name)),
      ],
      [
        'only one source is honest, or the feed of the coin that is paid lies',
        'the NO_GO limit against each single source',
        largest(({ honest: count }) => count === 1),
      ],
      [
        'a source answers zero, in another unit, or with a ratio in place of a price, and the pool goes along',
        'a price without a value does not count; a jump by a factor is refused',
        missed(/says zero/, /number of decimals/, /ratio taken for a price/),
      ],
      ['a token cannot be sold', 'simulated swap and swap back', missed(/bought and not sold/)],
      [
        'the stablecoin that is received leaves its dollar and falls on',
        'its peg; the coin that is paid counts at what it buys',
        missed(/^stablecoin received/),
      ],
      [
        'all sources say the same wrong price (pumped on every venue)',
        'nothing but volatility and the moves of the last two hours',
        `no bound. Moved ${boundless.join('; ')}`,
      ],
    ],
  );
}
