import { toBarePlan, toTerms } from '@bowline/chain/plan';
import { sumsOf } from '@bowline/core/audit/figures';
import { fundedRuns, upcomingRuns } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { averagePrice } from '@bowline/core/domain/sided';
import { parseEther, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import type { OwnedPlans } from '../app/chain/read-plans.ts';
import { termsOf } from '../app/plans/draft-plan.ts';
import { fundedWith, mendingApproval } from '../app/plans/funds.ts';
import { aboveBps, csvOf, surplusOf } from '../app/plans/history.ts';
import { blankPlan, formOf, readPlanForm } from '../app/plans/plan-form.ts';
import { planSteps } from '../app/plans/plan-steps.ts';
import { bandWords, marksWords, ownMarks, whyEmpty } from '../app/portfolio/chart-facts.ts';
import { formState } from '../app/words/form-state.ts';
import { when } from '../app/words/times.ts';
import { impactBps, networkFee, percent, poolFee, rateOf } from '../app/words/trade.ts';

// What the forms and the history of plans compute, without a browser.

const wad = parseEther;
const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const asset = (symbol: string, decimals: number, digit: string) =>
  ({
    ...{ symbol, name: symbol, decimals, address: at(digit), class: 'crypto' as const, quote: 'USDT' },
    ...{ feed: at('f'), feedDecimals: 8, poolFeeMillionths: 500 },
  }) as const;
const usdt = asset('USDT', 18, '1');
const btcb = asset('BTCB', 8, '2');
const ether = asset('ETH', 18, '3');
const assets = [btcb, ether, usdt];
const bought = { asset: btcb, quote: usdt, isSale: false };
const settings = {
  assets,
  contracts: { planRegistry: at('a'), swapExecutor: at('b'), priceSource: at('c') },
} as never;

const ready = {
  ...{ action: 'Create', isSigning: false, isOtherNetwork: false, missing: undefined, waitsFor: undefined, pay: usdt },
  ...{ needed: wad('100'), held: wad('36615'), fee: wad('0.001'), native: wad('1'), isRefused: false },
};

test('the button says what keeps it from being pressed, the most useful first', () => {
  expect(formState(ready)).toEqual({ label: 'Create', isReady: true });
  const label = (changes: Partial<typeof ready> | object) => formState({ ...ready, ...changes }).label;
  expect(label({ needed: wad('50000') })).toBe('Not enough USDT (you have 36,615)');
  expect(label({ needed: wad('50000'), missing: 'Enter an amount.' })).toBe('Enter an amount.');
  expect(label({ native: wad('0.0001') })).toBe('Not enough BNB for the network fee (you have 0.0001)');
  expect(label({ isRefused: true })).toBe('The contract would refuse this');
  expect(label({ waitsFor: 'Reading …' })).toBe('Reading …');
  expect(label({ isSigning: true, isRefused: true })).toBe('Signing …');
  for (const changes of [
    { isOtherNetwork: true },
    { needed: wad('36615.1') },
    { isRefused: true },
    { isSigning: true },
  ]) {
    expect(formState({ ...ready, ...changes }).isReady, JSON.stringify(Object.keys(changes))).toBe(false);
  }
  // Exactly enough suffices, and unknown amounts do not block.
  expect(formState({ ...ready, needed: wad('36615') }).isReady).toBe(true);
  expect(formState({ ...ready, held: undefined, fee: undefined }).isReady).toBe(true);
});

test('WB-5: rate, pool fee, impact and network fee are rounded against the reader', () => {
  expect(rateOf(usdt, btcb, wad('100'), 100_000n)).toBe('1 BTCB = 100,000 USDT');
  // 97,475.3871… rounds up: the rate never shows less than the real cost.
  expect(rateOf(usdt, btcb, wad('100'), 102_590n)).toBe('1 BTCB = 97,475.39 USDT');
  expect(rateOf(usdt, btcb, wad('100'), 0n)).toBeUndefined();
  expect(poolFee([{ feeMillionths: 500 }, { feeMillionths: 2_500 }], wad('100'))).toBe(wad('0.299875'));
  expect([impactBps(9_900n, 10_000n), impactBps(9_999_999n, 10_000_000n), impactBps(5n, 4n)]).toEqual([100n, 1n, 0n]);
  expect([percent(0n), percent(123n)]).toEqual(['under 0.01 %', '1.23 %']);
  expect(networkFee(wad('0.000125'), wad('800'))).toBe('0.000125 BNB ($0.10)');
  expect(networkFee(wad('0.000001'), wad('800'))).toBe('0.000001 BNB (under $0.01)');
  expect(networkFee(wad('0.000001'), undefined)).toBe('0.000001 BNB');
});

test('a time names its zone', () => {
  expect(when(1_700_000_000n)).toMatch(/2023, \d\d:\d\d (UTC|GMT|[A-Z]{2,5})/);
});

const now = 1_700_000_000n;
const terms = {
  ...{ owner: at('9'), recipient: at('8'), executor: at('b'), verdictSigner: at('7'), tokenIn: at('1') },
  ...{ tokenOut: at('2'), amountPerRun: wad('50'), startAt: Number(now) - 100, periodSeconds: 3_600 },
  ...{ windowSeconds: 600, maxRuns: 10, expiresAt: Number(now) + 500_000, priceSource: at('c') },
  // Not a whole number of base units for one whole token.
  ...{ limitPriceWad: 123_456_789_012_345_678_901_234_567n, maxSlippageBps: 75 },
  ...{ farLimit: false, triggerPriceWad: 0n },
};
const plan = (changes: Partial<Plan> = {}): Plan => {
  const state = {
    status: 1,
    cursor: Number(now) + 3_500,
    runs: 4,
    records: 5,
    deferrals: 0,
    lastReason: 0,
    version: 2,
    epoch: 0n,
  };
  return { ...toBarePlan(3n, { terms, state, isRevoked: false }), ...changes };
};
const owned = (plans: readonly Plan[], allowance: bigint, balance = allowance): OwnedPlans => ({
  ...{ plans, allowances: { [at('1')]: allowance }, balances: { [at('1')]: balance } },
  ...{ count: 9n, upTo: 9n, unread: [], cause: undefined, searchCause: undefined },
});

function edit(change: object, of = owned([plan()], wad('300'))) {
  const edited = plan();
  const before = formOf(edited, assets);
  if (before === undefined) throw new Error('no form');
  const form = { ...before, ...change };
  const { draft } = readPlanForm(form, assets, edited);
  if (draft === undefined) throw new Error('no draft');
  return planSteps(draft, settings, { owner: at('9'), owned: of, now, edited, form, before });
}

test('an edit changes what was changed, to the unit, and nothing else', () => {
  expect(edit({}).terms).toEqual(terms);
  expect(edit({ amount: '60,5' }).terms).toEqual({ ...terms, amountPerRun: wad('60.5') });
  expect(edit({ price: '' }).terms).toEqual({ ...terms, limitPriceWad: 0n });
  expect(edit({ slippage: '200' }).terms).toEqual({ ...terms, maxSlippageBps: 200 });
  // Four runs are done; six are left, with twice the time.
  expect(edit({ period: '86400' }).terms).toEqual({
    // It waits for its limit price, which may come at any moment of the period.
    ...{ ...terms, periodSeconds: 86_400, windowSeconds: 86_400, startAt: Number(now) + 3_500 },
    expiresAt: Number(now) + 3_500 + 6 * 2 * 86_400,
  });
  const { draft } = readPlanForm(
    { ...(formOf(plan(), assets) as never as object), runs: '4' } as never,
    assets,
    plan(),
  );
  expect(draft).toBeUndefined();
  // A plan made elsewhere, with more buys than the form would create.
  const long = plan({ maxRuns: 20_000 });
  const runsOf = (runs: string) =>
    readPlanForm({ ...(formOf(long, assets) as never as object), runs } as never, assets, long);
  expect(runsOf('20000').draft?.maxRuns).toBe(20_000n);
  expect(runsOf('20001').draft).toBeUndefined();
});

test.each([
  ['buyAt', '90000', { limitPriceWad: wad('90000') }],
  ['sellAt', '150000', { limitPriceWad: 10n ** 36n / wad('150000') }],
  ['sellAt', '123456.789', { limitPriceWad: 10n ** 36n / wad('123456.789') }],
  // Never above what was typed.
  ['stop', '70000', { triggerPriceWad: 10n ** 36n / wad('70000') + 1n }],
] as const)(
  'WB-300: an order (%s) of one run keeps its price, and is filled again as it was typed: %s',
  (kind, price, kept) => {
    const form = { ...blankPlan, kind, asset: 'ETH', amount: '0.5', price, days: '7' };
    const { draft } = readPlanForm(form, assets);
    if (draft === undefined) throw new Error('no draft');
    const made = termsOf(draft, settings, at('9'), now);
    const sale = kind === 'buyAt' ? { tokenIn: at('1') } : { tokenIn: at('3'), tokenOut: at('1') };
    expect(made).toMatchObject({ limitPriceWad: 0n, triggerPriceWad: 0n, ...sale, ...kept, maxRuns: 1 });
    expect(made).toMatchObject({ windowSeconds: made.periodSeconds, expiresAt: Number(now) + 7 * 86_400 });
    const plan = toBarePlan(1n, {
      terms: made,
      ...{ isRevoked: false, state: { status: 1, cursor: 0, runs: 0, records: 0, deferrals: 0, lastReason: 0 } },
    } as never);
    expect(formOf(plan, assets)).toMatchObject({ kind, asset: 'ETH', amount: '0.5', price, days: '7' });
  },
);

test('WB-300: an order needs a price, and one that the contract cannot keep is refused', () => {
  const of = (changes: object) => readPlanForm({ ...blankPlan, asset: 'ETH', amount: '1', ...changes }, assets);
  expect(of({ kind: 'sell' }).draft).toMatchObject({ pay: ether, buy: usdt, isSale: true, limitPrice: undefined });
  expect(of({ kind: 'sellAt' })).toMatchObject({ draft: undefined, errors: { price: 'Enter an amount.' } });
  // Rounded down it would be zero, which is no limit at all.
  expect(of({ kind: 'sell', price: `1${'0'.repeat(12)}` }).draft?.limitPrice).toBe(wad(`1${'0'.repeat(12)}`));
  expect(of({ kind: 'sell', price: `1${'0'.repeat(30)}` })).toMatchObject({ draft: undefined });
  expect(of({ kind: 'buy', price: `1${'0'.repeat(30)}` })).toMatchObject({ draft: undefined });
});

test('what runs got beyond their minimum is told in the quote, and rounded down', () => {
  const all = { runs: 1, paid: wad('100'), received: 100_000n, floor: 99_000n };
  expect(surplusOf(all, bought)).toBe(wad('1'));
  const sale = { ...all, paid: 100_000n, received: wad('101'), floor: wad('100') };
  expect(surplusOf(sale, { ...bought, isSale: true })).toBe(wad('1'));
  expect(averagePrice(sale.paid, sale.received, { ...bought, isSale: true })).toBe(wad('101000'));
});

test('an edit approves what the runs left need, beside what other plans need, and only where that changes', () => {
  const selectors = ({ steps }: ReturnType<typeof edit>) => steps.map(({ data }) => data.slice(0, 10));
  const approve = toFunctionSelector('approve(address,uint256)');
  expect(edit({}).steps).toHaveLength(1);
  expect(selectors(edit({ amount: '60' }))[0]).toBe(approve);
  expect(edit({ amount: '60' }).approved).toBe(wad('360'));
  // The last word of an approval is its amount.
  expect(BigInt(`0x${edit({ amount: '60' }).steps[0]?.data.slice(-64)}`)).toBe(wad('360'));
  const others = owned([plan(), plan({ id: 4n, runs: 8 })], wad('400'));
  expect(edit({ amount: '60' }, others).approved).toBe(wad('460'));
  expect(edit({}, others).approved).toBe(wad('400'));
  expect(selectors(edit({}, others))).toHaveLength(1);
});

test('WB-109: what is offered back after a change that failed leaves the plan that still runs what it needs', () => {
  const kept = (change: object, of?: OwnedPlans) => edit(change, of).steps[0]?.kept?.amount;
  // Six runs of 50 are left.
  expect(kept({ amount: '60' })).toBe(wad('300'));
  expect(kept({ amount: '60' }, owned([plan(), plan({ id: 4n, runs: 8 })], wad('400')))).toBe(wad('400'));
  // Never more than what was approved before, or than what the change approved.
  expect(kept({ amount: '60' }, owned([plan()], wad('120')))).toBe(wad('120'));
  expect(kept({ amount: '10' })).toBe(wad('60'));
});

test('trades and skips in a range are counted only if every record in it was read', () => {
  const own = plan({ records: 12 });
  const ran = (age: bigint) => ({
    ...{ kind: 'run', plan: own, time: now - age, slotStart: now - age, amountIn: 1n, amountOut: 1n, floor: 1n },
  });
  const ages = Array.from({ length: 10 }, (_, each) => BigInt(each) * 100n);
  const all = (plans: readonly Plan[], count: number, many: number) =>
    ({
      plans: { data: owned(plans, 0n) },
      activity: { 'plan-3': { count, items: ages.slice(0, many).map(ran) } },
    }) as unknown as Parameters<typeof ownMarks>[0];
  const found = (of: Parameters<typeof ownMarks>[0], age: number) => {
    const { marks, areAll } = ownMarks(of, at('2'), Number(now) - age, now, { assets });
    return [marks.length, areAll];
  };
  // The oldest of the ten records read is 900 s old; two more are older.
  expect(found(all([own], 12, 10), 500)).toEqual([5, true]);
  expect(found(all([own], 12, 10), 5_000)).toEqual([10, false]);
  expect(marksWords(ownMarks(all([own], 12, 10), at('2'), Number(now) - 500, now, { assets }))).toContain(
    '5 trades (dots), 0 skipped',
  );
  expect(marksWords(ownMarks(all([own], 12, 10), at('2'), 0, now, { assets }))).not.toMatch(/\d/);
  expect(found(all([plan({ records: 4 })], 4, 4), 5_000)).toEqual([4, true]);
  // Two deferrals of one slot, and one of the open slot.
  const open = plan({ records: 3, cursor: now - 100n, startAt: now - 7_300n });
  const defer = (slotStart: bigint, time: bigint) => ({ kind: 'skip', plan: open, time, slotStart });
  const deferred = [defer(now - 3_700n, now - 3_650n), defer(now - 3_700n, now - 3_600n), defer(now - 100n, now - 50n)];
  const three = { plans: { data: owned([open], 0n) }, activity: { 'plan-3': { count: 3, items: deferred } } };
  expect(ownMarks(three as never, at('2'), 0, now, { assets }).marks).toEqual([
    { kind: 'skip', time: Number(now) - 3_600 },
  ]);
  // A sale is marked for the asset sold, not for what it is sold for.
  const sale = all([plan({ tokenIn: at('2'), tokenOut: at('1'), records: 4 })], 4, 4);
  expect(found(sale, 5_000)).toEqual([4, true]);
  expect(ownMarks(sale, at('1'), 0, now, { assets }).marks).toEqual([]);
  // A newer record, or a whole plan, was not read.
  expect(found(all([plan({ records: 5 })], 4, 4), 5_000)).toEqual([4, false]);
  expect(found(all([plan({ records: 4 }), plan({ id: 4n, records: 1 })], 4, 4), 5_000)).toEqual([4, false]);
  expect(found(all([plan({ records: 4 }), plan({ id: 4n, records: 0 })], 4, 4), 5_000)).toEqual([4, true]);
  expect(found(all([plan({ records: 4 }), plan({ id: 4n, records: 1, tokenOut: at('1') })], 4, 4), 500)[1]).toBe(true);
});

test('only an exchange that was asked gave no prices', () => {
  expect(whyEmpty(undefined)).toBe('The exchange returned no prices to chart.');
  expect(whyEmpty({ isPending: false, isError: false })).toBe('The exchange returned no prices to chart.');
  expect(whyEmpty({ isPending: false, isError: true })).toBe('Past prices could not be read.');
  expect(whyEmpty({ isPending: true, isError: false })).toBe('Loading the chart');
});

test('why there is no fair band is said for what is missing', () => {
  const of = (...checks: readonly string[]) => ({
    findings: checks.map((check) => ({ check, unit: 'bps', limit: '100', caution_limit: '100' })) as never,
  });
  expect(bandWords(undefined, wad('2'))).toBe('No fair band: there is no current verdict.');
  const unstated = 'No fair band: the current verdict does not include its price limits.';
  expect(bandWords(of('price_jump'), wad('2'))).toBe(unstated);
  expect(bandWords(of('all_in_cost'), undefined)).toBe('No fair band: there is no current price.');
  expect(bandWords(of('all_in_cost'), wad('2'))).toContain('Fair band now: $1.98 to $2.02');
});

test('WB-63: the approval that mends a plan is what all active plans still take, and leaves paused ones what they have', () => {
  const active = plan({ maxRuns: 4, runs: 1, amountPerRun: wad('50') });
  const other = plan({ id: 4n, maxRuns: 2, runs: 0, amountPerRun: wad('10') });
  const paused = plan({ id: 5n, maxRuns: 2, runs: 0, amountPerRun: wad('30'), status: 'paused' });
  const mending = (plans: readonly Plan[], allowance: string) =>
    mendingApproval(plans, active.tokenIn, wad(allowance), now);
  expect(mending([active], '0')).toBe(wad('150'));
  expect(mending([active], '149')).toBe(wad('150'));
  expect(mending([active, other], '20')).toBe(wad('170'));
  expect(mending([active, other, paused], '0')).toBe(wad('170'));
  expect(mending([active, other, paused], '40')).toBe(wad('210'));
  expect(mending([active, other, paused], '100')).toBe(wad('230'));
  const gone = [
    plan({ id: 6n, status: 'cancelled' }),
    plan({ id: 7n, expiresAt: now }),
    plan({ id: 8n, tokenIn: at('9') }),
  ];
  expect(mending([active, ...gone], '0')).toBe(wad('150'));
  // With this approval, every buy of an active plan is funded.
  const approved = {
    ...owned([active, other, paused], wad('1000')),
    allowances: { [active.tokenIn]: mending([active, other, paused], '20') },
  };
  for (const { id } of [active, other]) expect(fundedRuns(approved, now).get(id)?.state).toBe('all');
});

test('the next buys of all plans stand in the order of their slots, with what pays for them', () => {
  const daily = plan({ id: 5n, periodSeconds: 86_400n, cursor: 0n, runs: 9, startAt: now - 10n });
  const next = upcomingRuns(owned([plan(), daily], wad('130')), now, 4);
  expect(next.map(({ plan, from, isFunded }) => [plan.id, from - now, isFunded])).toEqual([
    [5n, -10n, true],
    [3n, 3_500n, true],
    [3n, 7_100n, false],
    [3n, 10_700n, false],
  ]);
  expect(upcomingRuns(owned([plan({ status: 'paused' })], wad('130')), now, 4)).toEqual([]);
  const unread = { ...owned([plan()], 0n), balances: {} };
  expect(upcomingRuns(unread, now, 1)[0]?.isFunded).toBeUndefined();
});

test('what a plan is funded for is what all plans together leave to it, in the order of their runs', () => {
  const of = (plans: readonly Plan[], balance: string) =>
    Object.fromEntries([...fundedRuns(owned(plans, wad(balance)), now)].map(([id, found]) => [String(id), found]));
  const [first, second] = [plan({ maxRuns: 4, runs: 0 }), plan({ id: 4n, maxRuns: 4, runs: 0 })];
  // 200 is enough for each of them alone.
  expect(of([first], '200')).toEqual({ 3: { runs: 4, state: 'all' } });
  expect(of([first, second], '200')).toEqual({ 3: { runs: 2, state: 'part' }, 4: { runs: 2, state: 'part' } });
  expect(of([first, second], '400')).toEqual({ 3: { runs: 4, state: 'all' }, 4: { runs: 4, state: 'all' } });
  expect(of([first, second], '50')).toEqual({ 3: { runs: 1, state: 'part' }, 4: { runs: 0, state: 'part' } });
  // A paused plan takes nothing, a small one still gets what a large one cannot use, and each token is separate.
  expect(of([first, plan({ id: 4n, status: 'paused' })], '200')).toMatchObject({ 3: { state: 'all' } });
  const small = plan({ id: 4n, amountPerRun: wad('5'), maxRuns: 2, runs: 0 });
  expect(of([first, small], '60')).toEqual({ 3: { runs: 1, state: 'part' }, 4: { runs: 2, state: 'all' } });
  expect(fundedRuns({ ...owned([first], wad('200')), balances: {} }, now).size).toBe(0);
  const long = plan({ maxRuns: 60_000, runs: 0, expiresAt: now * 2n });
  expect(of([long], '9000000')).toEqual({ 3: { runs: 5_000, state: 'more' } });
});

test('what a plan would be funded for before it is signed leaves to the other plans what is theirs', () => {
  const other = plan({ maxRuns: 4, runs: 0 });
  const terms = {
    ...toTerms(plan()),
    ...{ startAt: Number(now), periodSeconds: 3_600, windowSeconds: 600, maxRuns: 4 },
  };
  const planned = { ...terms, tokenIn: other.tokenIn, amountPerRun: wad('50'), expiresAt: Number(now) + 86_400 };
  const of = (plans: readonly Plan[], held: string, edited?: Plan, approved = '1000') =>
    fundedWith({ ...owned(plans, 0n), count: 9n }, { terms: planned, approved: wad(approved), edited }, wad(held), now);
  expect(of([], '200')).toEqual({ runs: 4, state: 'all' });
  expect(of([], '199')).toEqual({ runs: 3, state: 'part' });
  expect(of([other], '200')).toEqual({ runs: 2, state: 'part' });
  expect(of([other], '400')).toEqual({ runs: 4, state: 'all' });
  // An edited plan does not compete with itself, and its past runs need no funds.
  expect(of([other], '200', other)).toEqual({ runs: 4, state: 'all' });
  expect(of([other], '100', { ...other, runs: 2 })).toEqual({ runs: 2, state: 'all' });
  expect(of([], '200', undefined, '100')).toEqual({ runs: 2, state: 'part' });
});

const run = (changes: object = {}) => ({
  ...{
    time: 1_700_000_000,
    outcome: 1,
    slotStart: 1_699_999_900,
    version: 1,
    reason: 0,
    verdict: 3,
    isAttested: false,
  },
  ...{ floor: 49_000n, amountIn: wad('50'), amountOut: 50_000n, evidencePrefix: `0x${'ab'.repeat(19)}` as const },
  ...{ record: 0, ...changes },
});

test('average price and totals count what was bought alone', () => {
  const deferral = run({ outcome: 2, amountIn: 0n, amountOut: 0n, floor: 0n, reason: 1, record: 1 });
  const all = sumsOf({ runs: [run(), deferral, run({ amountOut: 40_000n, record: 2 })] });
  expect(all).toEqual({ executed: 2, deferred: 1, paid: wad('100'), received: 90_000n, floor: 98_000n });
  const average = averagePrice(all.paid, all.received, bought);
  expect(average).toBe(111_111_111_111_111_111_111_112n);
  expect(averagePrice(0n, 0n, bought)).toBeUndefined();
  expect([aboveBps(110n, 100n), aboveBps(99n, 100n)]).toEqual([1_000n, -100n]);
});

test('the CSV has every record with every digit, oldest first', () => {
  const deferral = run({
    outcome: 2,
    amountIn: 0n,
    amountOut: 0n,
    floor: 0n,
    reason: 65_000,
    record: 1,
    isAttested: true,
  });
  const csv = (isDelay: boolean) =>
    csvOf([deferral, run()], { ...bought, quote: { ...usdt, symbol: 'US,DT' } }, { 0: '0xhash' }, () => isDelay).split(
      '\r\n',
    );
  const lines = csv(false);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('record,time_utc,slot_utc,outcome,paid');
  expect(lines[1]).toBe(
    `0,2023-11-14T22:13:20.000Z,2023-11-14T22:11:40.000Z,bought,50,"US,DT",0.0005,BTCB,100000,0.00049,,no,1,0x${'ab'.repeat(19)},0xhash`,
  );
  expect(lines[2]).toMatch(/^1,.*,skipped,,,,,,,65000,yes,1,/);
  // A delay: the slot may still buy, or has bought.
  expect(csv(true)[2]).toMatch(/^1,.*,delayed,,,,,,,65000,yes,1,/);
});
