import { SALE_COOLDOWN_SECONDS } from '@bowline/core/domain/sale-terms';
import { expect, test } from 'vitest';
import { allCrashes, crashesIn } from '../../lab/bench/crashes/crash.ts';
import { DEBT_USD, outcomeOf, saleOf, THRESHOLD } from '../../lab/bench/crashes/loan.ts';
import { type Market, marketOf, secondsOf, steppedPath } from '../../lab/bench/crashes/market.ts';
import { cooldowns, costs, type Measured, saved } from '../../lab/bench/crashes/tables.ts';
import { byTime, HOUR, type Hour } from '../../lab/bench/prices/prices.ts';
import { random } from '../../lab/bench/verdict-quality/random.ts';

const hour = (index: number, low: number, close = low): Hour => ({ at: index * HOUR, high: 100, low, close });
const deep = 1e15;

/** A market with these prices, one per second; the pool's are the same unless given. */
function flat(protocol: readonly number[], pool = protocol, depthUsd = deep): Market {
  return {
    protocol: Float64Array.from(protocol),
    pool: Float64Array.from(pool),
    depthUsd: new Float64Array(protocol.length).fill(depthUsd),
  };
}

test('a crash is a fall of 15 % within a day of an hour’s close, and is followed for three days', () => {
  const at = (fallen: number, low: number) =>
    crashesIn(
      byTime(Array.from({ length: 100 }, (_, index) => (index === fallen ? hour(index, low, 100) : hour(index, 100)))),
    );
  expect(at(30, 85.1)).toEqual([]);
  const [crash, ...others] = at(30, 85);
  expect(others).toEqual([]);
  expect(crash?.hours).toHaveLength(72);
  expect(crash?.hours[0]).toEqual({ hour: hour(7, 100), opened: 100 });
  expect(crash?.hours[23]?.hour.low).toBe(85);
});

test('a missing hour stands still, and its move comes in the next one', () => {
  const hours = byTime([hour(0, 100), hour(1, 90), hour(3, 80)]);
  const [crash] = crashesIn(hours);
  expect(crash?.hours).toHaveLength(72);
  expect(crash?.hours.slice(0, 3).map(({ hour: { low }, opened }) => [opened, low])).toEqual([
    [100, 90],
    [90, 90],
    [90, 80],
  ]);
});

test('the crashes of 2020 to 2026 are found, that of 2020-03-12 among them', () => {
  const crashes = allCrashes();
  expect(crashes.length).toBeGreaterThan(50);
  const days = crashes.map(
    ({ symbol, hours }) => `${symbol} ${new Date((hours[0]?.hour.at ?? 0) * 1_000).toISOString().slice(0, 10)}`,
  );
  for (const symbol of ['BTCB', 'ETH', 'WBNB'])
    expect(days.some((day) => day.startsWith(`${symbol} 2020-03-1`))).toBe(true);
});

test('feeds follow late and by steps, and the pool stays near the market', () => {
  const fall = (second: number) => (second < 100 ? 0 : Math.log(0.9));
  const { protocol, pool } = marketOf(fall, 200, [20, 20], random(1));
  expect(pool[100]).toBeCloseTo(1, 2);
  expect(pool[102]).toBeCloseTo(0.9, 2);
  expect(protocol[119]).toBe(1);
  expect(protocol[120]).toBeCloseTo(0.9, 9);
});

test('fast moves leave the pool less depth', () => {
  const depthAfter = (aMinute: number) =>
    marketOf((second) => (aMinute * second) / 60, 1_200, [2, 8], random(1)).depthUsd.at(-1);
  expect(depthAfter(0)).toBe(40e6);
  expect(depthAfter(0.01)).toBeCloseTo(10e6, 0);
});

test('the hardest path goes from an hour’s opening to its low in one step', () => {
  const path = steppedPath({ hours: [{ hour: { at: 0, high: 120, low: 80, close: 95 }, opened: 100 }] });
  expect([0, 1_799, 1_800, 3_598, 3_599].map((second) => Math.round(Math.exp(path(second))))).toEqual([
    100, 100, 80, 80, 95,
  ]);
  expect(secondsOf({ hours: [{ hour: hour(0, 80), opened: 100 }] })).toBe(HOUR);
});

test('a sale has the contract’s size: at the full cost it ends at the target', () => {
  // The pool's price is so bad that the sale costs as much as it may.
  const [debt, coins, cost] = [100_000, 105_000 / THRESHOLD / 50, 1.02];
  const place = { price: 50, spot: 50 / cost / 0.9995 + 1e-6, depthUsd: deep };
  const sale = saleOf({ debt, coins }, { target: 1.15, maxCostBps: 200 }, place);
  expect(sale?.repaid).toBeCloseTo((1.15 * debt - 105_000) / (1.15 - THRESHOLD * cost), 2);
  const left = THRESHOLD * (coins - (sale?.sold ?? 0)) * 50;
  expect(left / (debt - (sale?.repaid ?? 0))).toBeCloseTo(1.15, 4);
});

test('a shallow pool makes a sale smaller and never dearer than its bound, and a dear one refuses it', () => {
  const loan = { debt: 100_000, coins: 105_000 / THRESHOLD / 50 };
  const guard = { target: 1.15, maxCostBps: 200 };
  for (const depthUsd of [1e4, 1e5, 1e6, 1e7]) {
    const sale = saleOf(loan, guard, { price: 50, spot: 49.5, depthUsd });
    expect(sale?.worth).toBeLessThanOrEqual((sale?.repaid ?? 0) * 1.02);
    expect(sale?.isCutShort).toBe(depthUsd < 1e7);
    // What the pool pays for the next unit, after its fee.
    const next = 49.5 * (1 - (sale?.repaid ?? 0) / depthUsd) ** 2 * 0.9995;
    if (sale?.isCutShort) expect(50 / next).toBeCloseTo(1.02, 9);
  }
  expect(saleOf(loan, guard, { price: 50, spot: 48.9, depthUsd: deep })).toBeUndefined();
  // At health 0.81, a sale would lower the health.
  expect(
    saleOf({ debt: 100_000, coins: 81_000 / THRESHOLD / 50 }, guard, { price: 50, spot: 50, depthUsd: deep }),
  ).toBeUndefined();
});

test('liquidators come first, a rescue a second after the trigger, and the next after the cooldown', () => {
  const guard = { trigger: 1.05, target: 1.15, maxCostBps: 100, cooldownSeconds: HOUR };
  const start = [100, 100];
  expect(outcomeOf(flat([...start, 83]), 1.2)).toEqual({ isLiquidated: true, rescues: [] });
  expect(outcomeOf(flat([...start, 83, 90]), 1.2, guard).isLiquidated).toBe(true);
  const slow = outcomeOf(flat([...start, 87, 87, 80, 80]), 1.2, guard);
  expect(slow.isLiquidated).toBe(false);
  expect(slow.rescues.map(({ second }) => second)).toEqual([3]);
  const again = [...start, 87, 87, ...Array.from({ length: 3_600 }, () => 78), 78];
  expect(outcomeOf(flat(again), 1.2, guard).rescues.map(({ second }) => second)).toEqual([3, 3_603]);
  // A rescue that the pool cuts short starts no cooldown.
  const shallow = flat([...start, 87, 87, 87], [...start, 87, 87, 87], 1e5);
  expect(outcomeOf(shallow, 1.2, guard).rescues.map(({ second }) => second)).toEqual([3, 4]);
  expect(outcomeOf(flat([...start, 87, 87, 83], [...start, 85, 85, 83]), 1.2, guard).isLiquidated).toBe(true);
});

test('the tables count shares of the loans in danger, and costs beside a liquidation', () => {
  const one = {
    trigger: 1.05,
    target: 1.15,
    health: 1.2,
    world: 'usual',
    maxCostBps: 200,
    cooldownSeconds: SALE_COOLDOWN_SECONDS,
    last: 110,
  } as const;
  const rescue = { second: 3, repaid: 20_000, sold: 202, worth: 20_200 };
  const all: Measured[] = [
    { ...one, isEndangered: true, isLiquidated: false, rescues: [rescue] },
    { ...one, isEndangered: true, isLiquidated: true, rescues: [] },
    { ...one, isEndangered: false, isLiquidated: false, rescues: [rescue] },
    { ...one, world: 'stepped', isEndangered: true, isLiquidated: true, rescues: [] },
    // Only the table of cooldowns counts it.
    { ...one, cooldownSeconds: 900, isEndangered: true, isLiquidated: false, rescues: [rescue, rescue] },
  ];
  expect(saved(all).at(-1)).toEqual(['1.05 → 1.15, 1.20', '2 of 3', '0.0 %', '50.0 %', '–', '–', '0.0 %']);
  expect(DEBT_USD).toBe(100_000);
  expect(costs(all).at(-1)).toEqual([
    '200 bps',
    '100.0, 100.0, 100.0',
    '0.20 %, 0.20 %, 0.20 %',
    '5.0 %',
    '50.0 %',
    '2.02 %, 2.02 %, 2.02 %',
  ]);
  expect(cooldowns(all).slice(1)).toEqual([
    ['300', '50.0 %', '0.0 %', '1, 1, 1', '0.20 %, 0.20 %, 0.20 %', '20.00 %, 20.00 %, 20.00 %', '50.0 %'],
    ['900', '100.0 %', '–', '2, 2, 2', '0.40 %, 0.40 %, 0.40 %', '40.00 %, 40.00 %, 40.00 %', '0.0 %'],
  ]);
});
