import { type Values, watchedHealth } from '@bowline/core/domain/loan-health';
import { createTriggerIndex, roomOf, type Shape } from '@bowline/core/domain/trigger-index';
import { WAD } from '@bowline/core/domain/units';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../agent/test/sim/random.ts';

// CH-2: random loans at random prices, compared with judging each one.

const parts = ['btc', 'eth', 'bnb', 'usd'] as const;
type Part = (typeof parts)[number];
type Amounts = Partial<Record<Part, bigint>>;
type Prices = Record<Part, bigint>;

interface Loan {
  counted: Amounts;
  owed: Amounts;
  readonly isBySource: boolean;
  readonly guards: readonly { readonly triggerHealthWad: bigint; readonly targetHealthWad: bigint }[];
  shape: Shape;
}

const random = createRandom(7);
const between = (low: number, high: number): number => low + (high - low) * random.unit();
const wad = (amount: number): bigint => BigInt(Math.floor(amount * 1e18));
const some = (most: number): Amounts =>
  Object.fromEntries(
    parts.filter(() => random.happens(0.4)).map((part) => [part, wad(most * random.unit() ** 6 * random.unit())]),
  );

const shapes = new Map<string, Shape>();
function shapeOf(counted: Amounts, owed: Amounts, isBySource: boolean): Shape {
  const names = Object.keys(counted).flatMap((part) => (isBySource ? [part, `${part}.source`] : [part]));
  const key = `${names}|${Object.keys(owed)}`;
  const shape = shapes.get(key) ?? { counted: names, owed: Object.keys(owed) };
  shapes.set(key, shape);
  return shape;
}

function loanOf(): Loan {
  const [counted, owed, isBySource] = [some(1_000), some(700), random.happens(0.2)];
  const guards = Array.from({ length: 1 + random.below(2) }, () => {
    const trigger = between(1.01, 1.6);
    return { triggerHealthWad: wad(trigger), targetHealthWad: wad(trigger * between(1.01, 1.5)) };
  });
  return { counted, owed, isBySource, guards, shape: shapeOf(counted, owed, isBySource) };
}

interface Market {
  readonly own: Prices;
  readonly source: Prices;
}
const sum = (amounts: Amounts, prices: Prices): bigint =>
  Object.entries(amounts).reduce((total, [part, amount]) => total + (amount * prices[part as Part]) / WAD, 0n);
const valuesOf = ({ counted, owed, isBySource }: Loan, { own, source }: Market): Values => ({
  debtValue: sum(owed, own),
  weightedCollateralValue: sum(counted, own),
  ...(isBySource && { weightedBySource: sum(counted, source) }),
});
const worthsOf =
  ({ own, source }: Market) =>
  (name: string) => {
    const [part, by] = name.split('.') as [Part, string?];
    return Number(by === undefined ? own[part] : source[part]);
  };
const move = (prices: Prices, by: number): Prices =>
  Object.fromEntries(parts.map((part) => [part, (prices[part] * wad(between(1 - by, 1 + by))) / WAD])) as Prices;

/** Judges one loan without the index. */
const isFallen = (loan: Loan, market: Market): boolean =>
  loan.guards.some((guard) => {
    const health = watchedHealth(valuesOf(loan, market), guard);
    return typeof health === 'bigint' && health < guard.triggerHealthWad;
  });

test('no loan below its trigger is left out, whatever moves, and most of the others are', () => {
  let [fallen, found, judged] = [0, 0, 0];
  for (let world = 0; world < 20; world++) {
    const flat = Object.fromEntries(parts.map((part) => [part, WAD])) as Prices;
    let market: Market = { own: flat, source: move(flat, 0.01) };
    const first = market;
    const index = createTriggerIndex<Loan>(worthsOf(first));
    const place = (loan: Loan) => {
      if (loan.shape.owed.length === 0) index.drop(loan);
      else index.place(loan, loan.shape, roomOf(valuesOf(loan, first), loan.guards));
    };
    const loans = Array.from({ length: 300 }, loanOf);
    for (const loan of loans) place(loan);
    for (let step = 0; step < 60; step++) {
      market = { own: move(market.own, 0.02), source: move(market.source, 0.02) };
      const changed = loans[random.below(loans.length)] as Loan;
      Object.assign(changed, loanOf(), { guards: changed.guards });
      place(changed);
      const within = new Set(index.within(worthsOf(market), 1));
      for (const loan of loans) {
        judged += 1;
        if (within.has(loan)) found += 1;
        if (!isFallen(loan, market)) continue;
        fallen += 1;
        if (!within.has(loan)) expect.fail(`left out: ${JSON.stringify(loan, (_, each) => String(each))}`);
      }
    }
  }
  expect(fallen).toBeGreaterThan(10_000);
  expect(found / fallen).toBeLessThan(1.6);
  expect(judged - found).toBeGreaterThan(100_000);
});

test('of one collateral and one debt it says exactly which have fallen', () => {
  const index = createTriggerIndex<number>(() => 1);
  const shape = { counted: ['btc'], owed: ['usd'] };
  const guards = [{ triggerHealthWad: (11n * WAD) / 10n }];
  const loans = Array.from({ length: 1_000 }, (_, at) => at);
  const debtOf = (at: number) => wad(500 + at / 4);
  for (const at of loans) {
    index.place(at, shape, roomOf({ debtValue: debtOf(at), weightedCollateralValue: 1_000n * WAD }, guards));
  }
  for (const share of [1, 0.93, 0.8, 0.6]) {
    const exact = loans.filter((at) => BigInt(share * 1_000) * WAD * 10n < debtOf(at) * 11n);
    const within = index.within((part) => (part === 'btc' ? share : 1), 1);
    expect(within.toSorted((a, b) => a - b)).toEqual(exact);
  }
});

test('what is not known, or too small to tell, is always within reach', () => {
  const shape = { counted: ['btc'], owed: ['usd'] };
  const guards = [{ triggerHealthWad: WAD }];
  const rich = { debtValue: WAD, weightedCollateralValue: 1_000n * WAD };
  const index = createTriggerIndex<string>(() => 1);
  index.place('rich', shape, roomOf(rich, guards));
  index.place('dust', shape, roomOf({ ...rich, debtValue: 9n * 10n ** 15n }, guards));
  index.place('bare', { counted: [], owed: ['usd'] }, roomOf({ ...rich, weightedCollateralValue: 0n }, guards));
  expect(index.within(() => 1, 1)).toEqual(['dust', 'bare']);
  for (const unknown of [undefined, Number.NaN]) {
    expect(index.within((part) => (part === 'btc' ? unknown : 1), 1)).toContain('rich');
    expect(index.within((part) => (part === 'usd' ? unknown : 1), 1)).toContain('rich');
  }
  index.drop('dust');
  index.drop('nobody');
  expect(index.within(() => 1, 1)).toEqual(['bare']);
});
