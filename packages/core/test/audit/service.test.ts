import { expect, it } from 'vitest';
import type { PlanHistory, Run, Terms } from '../../audit/history.ts';
import { executorReport } from '../../audit/report.ts';
import { serviceFigures as figuresOf } from '../../audit/service.ts';
import { reasonCodes } from '../../domain/reasons.ts';

// WB-53: the report card of an executor, from records alone.

/** A pool with a fee of 0.05 %. */
const poolFee = () => 500;
const serviceFigures = (plans: readonly PlanHistory[], time: bigint) => figuresOf(plans, time, poolFee);

const place = (digit: number) => `0x${String(digit).repeat(40)}` as const;
const nobody = place(0);
const START = 1_800_000_000;
const HOUR = 3_600;

const terms = (changes: Partial<Terms> = {}): Terms => ({
  ...{ owner: place(1), recipient: place(1), executor: place(2), verdictSigner: nobody },
  ...{ tokenIn: place(3), tokenOut: place(4), amountPerRun: 100n, priceSource: place(5), limitPriceWad: 0n },
  ...{ startAt: START, periodSeconds: HOUR, windowSeconds: 1_800, maxRuns: 100, expiresAt: START + 1_000 * HOUR },
  maxSlippageBps: 100,
  farLimit: false,
  triggerPriceWad: 0n,
  ...changes,
});

/** A run in slot `slot`, `delay` seconds after it opened. */
const run = (slot: number, delay: number, changes: Partial<Run> = {}): Run => ({
  ...{
    outcome: 1,
    slotStart: START + slot * HOUR,
    time: START + slot * HOUR + delay,
    version: 1,
    reason: 0,
    verdict: 3,
  },
  ...{ isAttested: false, floor: 9_900n, amountIn: 100n, amountOut: 10_000n, evidencePrefix: '0xab' },
  ...changes,
});
const nothing = { amountIn: 0n, amountOut: 0n, floor: 0n };
const deferral = (slot: number, delay: number, reason: keyof typeof reasonCodes, changes: Partial<Run> = {}) =>
  run(slot, delay, { outcome: 2, verdict: 1, reason: reasonCodes[reason], ...nothing, ...changes });

const plan = (runs: readonly Run[], changes: Partial<PlanHistory> = {}): PlanHistory => {
  const done = runs.filter(({ outcome }) => outcome === 1).length;
  return {
    ...{ id: 1n, blockNumber: 1n, isRevoked: false, versions: [terms()], runs },
    state: { status: 2, cursor: START, runs: done, records: runs.length, version: 1 },
    ...changes,
  };
};
const now = BigInt(START + 10 * HOUR);
const active = (runs: readonly Run[], cursor = START): PlanHistory => {
  const history = plan(runs);
  return { ...history, state: { ...history.state, status: 1, cursor } };
};

it('tells runs in time from late ones, and late ones with a recorded reason from others', () => {
  const runs = [run(0, 900), run(1, 901), deferral(2, 10, 'cost_high'), run(2, 1_500)];
  // A plan without a record is not counted.
  expect(serviceFigures([plan(runs), plan([])], now)).toMatchObject({
    ...{ plans: 1, runs: 3, inTime: 1, late: 1, lateAfterDeferral: 1, deferrals: 1, attested: 0 },
    ...{ delaySeconds: { median: 901n, worst: 1_500n }, irregularities: [] },
  });
});

it('a slot is skipped once it has closed without a run, by its last reason', () => {
  const runs = [
    deferral(0, 10, 'cost_high', { isAttested: true }),
    deferral(0, 20, 'price_jumped'),
    deferral(1, 10, 'price_jumped'),
    run(1, 20),
    deferral(2, 10, 'cost_high'),
  ];
  const at = (time: number) => serviceFigures([plan(runs)], BigInt(time));
  expect(at(START + 2 * HOUR + 1_799).skipped).toEqual([{ reason: 'price_jumped', count: 1 }]);
  expect(at(START + 2 * HOUR + 1_800).skipped).toEqual([
    { reason: 'cost_high', count: 1 },
    { reason: 'price_jumped', count: 1 },
  ]);
  expect(at(START).byReason).toEqual([
    { reason: 'cost_high', count: 2 },
    { reason: 'price_jumped', count: 2 },
  ]);
  expect(at(START).attested).toBe(1);
});

it('deliveries against the floor and the oracle are rounded against the executor', () => {
  const runs = [run(0, 1), run(1, 1, { amountOut: 9_901n }), run(2, 1, { amountOut: 10_500n })];
  const { aboveFloor, belowOracle, withOracle } = serviceFigures([plan(runs)], now);
  // 100 ÷ 9,900 is 101.01 bps, 1 ÷ 9,900 is 1.01.
  expect(aboveFloor).toEqual({ median: 101n, worst: 1n });
  // The source's amount is at most 10,000. A delivery above it counts below zero.
  expect(belowOracle).toEqual({ median: 0n, worst: 99n });
  expect(withOracle).toBe(3);
  const short = serviceFigures([plan([run(0, 1, { amountOut: 9_899n })])], now);
  expect(short.aboveFloor?.worst).toBe(-2n);
  expect(short.irregularities).toEqual([
    { plan: 1n, sentence: 'record 0: it delivered 9899, below its floor of 9900' },
  ]);
  const slow = serviceFigures([plan([run(0, 1_500)])], now);
  expect(executorReport(place(2), slow)).toContain('median 1500 s (3,333 blocks), longest 1500 s (3,333 blocks)');
  expect(executorReport(place(2), short)).toMatch(/IRREGULARITIES: 1\n {4}plan 1, record 0: it delivered 9899/);
  const unpriced = plan([run(0, 1)], { versions: [terms({ priceSource: nobody, limitPriceWad: 1n })] });
  expect(serviceFigures([unpriced], now)).toMatchObject({ withOracle: 0, belowOracle: undefined });
});

it('counts slots without a record between records, and up to now while the plan is active', () => {
  const runs = [run(0, 1), run(3, 1)];
  const silent = (history: PlanHistory, time = now) => serviceFigures([history], time).silentSlots;
  expect(silent(plan(runs))).toBe(2);
  // Slots 4 to 9 have closed; slot 10 opens at `now`.
  expect(silent(active(runs))).toBe(8);
  expect(silent(active(runs), BigInt(START + 9 * HOUR + 1_799))).toBe(7);
  // Resumed in slot 7.
  expect(silent(active(runs, START + 7 * HOUR - 5))).toBe(5);
  expect(silent({ ...active(runs), isRevoked: true })).toBe(2);
  expect(silent({ ...active(runs), versions: [terms({ maxRuns: 2 })] })).toBe(2);
  expect(silent({ ...active(runs), versions: [terms({ expiresAt: START + 5 * HOUR })] })).toBe(3);
  // The plan ends within slot 5, which closes with it.
  expect(silent({ ...active(runs), versions: [terms({ expiresAt: START + 5 * HOUR + 900 })] })).toBe(4);
  // Nothing is known of the time between two versions, and before the first record.
  expect(silent(plan([run(4, 1), run(7, 1, { version: 2 })], { versions: [terms(), terms()] }))).toBe(0);
  expect(silent(active([]))).toBe(0);
});

// AU-6
it('a slot that the plan’s own terms leave without a deferral is not the executor’s silence', () => {
  const of = (changes: Partial<Terms>, fee: number | undefined = 500) => {
    const history = { ...active([run(0, 1), run(3, 1)]), versions: [terms(changes)] };
    const { silentSlots, unrecorded } = figuresOf([history], now, () => fee);
    return { silentSlots, unrecorded };
  };
  // 0.05 % is 5 bps.
  const excused = { silentSlots: 0, unrecorded: [{ reason: 'term_below_fee', count: 8 }] };
  expect(of({ maxSlippageBps: 4 })).toEqual(excused);
  const silent = { silentSlots: 8, unrecorded: [] };
  expect(of({ maxSlippageBps: 5 })).toEqual(silent);
  expect(of({ triggerPriceWad: 1n })).toEqual({
    silentSlots: 0,
    unrecorded: [{ reason: 'trigger_not_reached', count: 8 }],
  });
  expect(of({ maxSlippageBps: 0, priceSource: nobody, limitPriceWad: 1n })).toEqual({
    silentSlots: 0,
    unrecorded: [{ reason: 'limit_not_reached', count: 8 }],
  });
  // Without a source there is no slippage term, and an unknown pool excuses nothing.
  expect(of({ maxSlippageBps: 0, priceSource: nobody })).toEqual(silent);
  expect(figuresOf([active([run(0, 1), run(3, 1)])], now, () => undefined)).toMatchObject(silent);
  expect(
    executorReport(
      place(2),
      figuresOf([active([run(0, 1), run(3, 1)])], now, () => 20_000),
    ),
  ).toContain('  0 slots without a record\n  8 slots that needed no record\n    8 × term_below_fee');
});

// AU-6
it('after three equal deferrals in a row, the rest of the UTC day needs no record, and no other day', () => {
  const of = (runs: readonly Run[], time = BigInt(START + 50 * HOUR)) => {
    const { silentSlots, unrecorded } = serviceFigures([active(runs)], time);
    return [silentSlots, unrecorded[0]?.count ?? 0];
  };
  // START is 08:00 UTC: slots 0 to 15 begin on its day, slots 16 to 39 on the next.
  const dear = (slot: number, changes: Partial<Run> = {}) => deferral(slot, 10, 'cost_high', changes);
  const three = [dear(0), dear(1), dear(2)];
  expect(of(three)).toEqual([34, 13]);
  // One record on the next day, in its slot 20: the slots before it were silent.
  expect(of([...three, dear(20)])).toEqual([4 + 10, 13 + 19]);
  expect(of([...three, dear(16), dear(40)])).toEqual([0, 13 + 23 + 9]);
  // A hostile executor cannot hide: two equal ones, another reason, a run in between, or other terms excuse nothing.
  expect(of([dear(0), dear(1)])).toEqual([48, 0]);
  expect(of([dear(0), deferral(1, 10, 'price_jumped'), dear(2)])).toEqual([47, 0]);
  expect(of([dear(0), dear(1), run(1, 20), dear(2)])).toEqual([47, 0]);
  expect(of([...three, run(3, 10)])).toEqual([46, 0]);
  expect(of([...three, deferral(3, 10, 'price_jumped')])).toEqual([46, 0]);
  const edited = { ...active([dear(0), dear(1), dear(2, { version: 2 })]), versions: [terms(), terms()] };
  expect(serviceFigures([edited], BigInt(START + 50 * HOUR))).toMatchObject({ silentSlots: 47, unrecorded: [] });
});

it('says nothing of what there is nothing of', () => {
  const none = serviceFigures([], now);
  expect(none).toMatchObject({ plans: 0, runs: 0, delaySeconds: undefined, aboveFloor: undefined, skipped: [] });
  expect(executorReport(place(2), none)).toContain('0 runs: 0 within 900 s');
});
