import { fundedRuns } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { hasEnded } from '@bowline/core/domain/slots';
import { encodeEventTopics, pad, parseEther, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { revocationsAbi } from '../../abis/index.ts';
import { timesOf } from '../app/api/freshness.ts';
import { buyable, type Settings } from '../app/api/settings.ts';
import { type Activity, type ActivityItem, NEWEST, readActivity } from '../app/chain/read-activity.ts';
import type { Guard } from '../app/chain/read-guards.ts';
import { otherRecipient, whyUnserved } from '../app/chain/serving.ts';
import { actionItemsOf } from '../app/home/action-items.ts';
import { runWords, skipWords } from '../app/home/activity-row.tsx';
import type { Known } from '../app/home/known.ts';
import { isActivityKnown, isDelay, lastOf, noneOf, unlookedWords } from '../app/home/state.ts';
import { newsOf } from '../app/home/told.ts';
import { scaleOf, trendOf } from '../app/parts/price-chart.tsx';
import { tradedOptions } from '../app/plans/plan-form.ts';
import { hindranceOf } from '../app/plans/shown-status.ts';
import { revokedAt } from '../app/stop/revoked.ts';
import { words } from '../app/words/en/frame.ts';
import { exactAsOf } from '../app/words/times.ts';
import { createQuotes } from '../server/quote.ts';
import { stateOf, toneOf } from './said-by-figures.ts';
import { buysAll } from './serves.ts';

// What Home must not call fine: a plan that nobody runs, records that were not read, funds that run out soon.

const wad = parseEther;
const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const [usdt, btcb, owner, executor, signer, source] = [at('1'), at('2'), at('5'), at('a'), at('b'), at('8')];
const settings = {
  assets: [
    { symbol: 'USDT', address: usdt, decimals: 18 },
    { symbol: 'BTCB', address: btcb, decimals: 18, quote: 'USDT' },
  ],
  contracts: {
    ...{ planRegistry: at('6'), loanGuard: at('7'), swapExecutor: executor },
    ...{ priceSource: source, venusPriceSource: at('f') },
  },
  verdictSigners: [signer],
  lending: [{ name: 'Venus' }],
} as unknown as Settings;
const now = 1_800_000_000n;
const DAY = 86_400n;

const terms = {
  ...{ owner, recipient: owner, executor, verdictSigner: zeroAddress, priceSource: source },
  ...{ farLimit: false, triggerPriceWad: 0n },
};
const planOf = (changes: Partial<Plan> = {}): Plan => ({
  ...{ ...terms, deferrals: 0, lastReason: 0 },
  ...{ id: 1n, tokenIn: usdt, tokenOut: btcb, amountPerRun: wad('25') },
  ...{ startAt: now - DAY, periodSeconds: DAY, windowSeconds: 3_600n, maxRuns: 10, expiresAt: now + 30n * DAY },
  ...{ limitPriceWad: 0n, maxSlippageBps: 100, status: 'active', cursor: now + DAY, runs: 1, records: 1, version: 1 },
  ...changes,
});
const run = (time: bigint): ActivityItem => ({
  kind: 'run',
  plan: planOf(),
  time,
  slotStart: time,
  amountIn: 1n,
  amountOut: 1n,
  floor: 1n,
});
const skip = (time: bigint): ActivityItem => ({
  kind: 'skip',
  plan: planOf(),
  time,
  slotStart: time,
  reason: 1,
  isAttested: true,
});
const recorded = (items: readonly ActivityItem[], count = items.length) => ({ count, items });
const funds = (amount: string) => ({ allowances: { [usdt]: wad(amount) }, balances: { [usdt]: wad(amount) } });
const good: Known = {
  ...{ loans: [], covered: [], plans: { plans: [planOf()], ...funds('500') } },
  ...{ activity: { 'plan-1': recorded([run(1n)]) }, now, buyer: buysAll(settings) },
};
const sure = { loans: true, guards: true, plans: true, activity: true };
const state = (changes: Partial<Known>) => stateOf({ ...good, ...changes }, sure, settings);
const keys = (changes: Partial<Known>) => actionItemsOf({ ...good, ...changes }, settings).map(({ key }) => key);
const plansOf = (...plans: readonly Plan[]) => ({ plans: { plans, ...funds('500') } });

test('WB-36: with an agent that is not seen, a plan’s next buy is not fine', () => {
  expect(state({})).toMatch(/^— no loan in Venus · 1 day [^·]+ · 0 no action needed$/);
  expect(state({ buyer: 'unseen' })).toMatch(/ · 1 day [^·]+, but no agent seen · 1$/);
  expect(keys({ buyer: 'unseen' })).toEqual(['plans-agent']);
  // Before any answer has arrived.
  expect(state({ buyer: undefined })).toContain('unknown if action is needed');
  // The mark next to the sentence agrees with it.
  const tone = (buyer: Known['buyer']) => toneOf({ ...good, buyer }, sure, settings);
  expect([tone(good.buyer), tone('unseen'), tone(undefined)]).toEqual(['good', 'caution', 'plain']);
  // A paused plan does not wait for the agent.
  expect(keys({ buyer: 'unseen', ...plansOf(planOf({ status: 'paused' })) })).toEqual([]);
});

test.each([
  ['not_ours', { executor: at('e') }],
  ['not_served_signer', { verdictSigner: at('e') }],
  ['not_served_price_source', { priceSource: at('e') }],
] as const)('WB-36: a plan that this page’s agent never runs (%s) is not fine', (why, changes) => {
  const plan = planOf(changes);
  expect(whyUnserved(plan, settings, good.buyer)).toBe(why);
  expect(state(plansOf(plan))).toMatch(/ · — no plan this page’s agent runs · 1$/);
  expect(keys(plansOf(plan))).toEqual(['plan-1-unserved']);
  // This plan does not wait for the agent.
  expect(keys({ ...plansOf(plan), buyer: 'unseen' })).toEqual(['plan-1-unserved']);
});

test('WB-36: a plan of two listed tokens that are not traded for each other is run by nobody', () => {
  const assets = settings.assets.map(({ quote: _, ...asset }) => asset);
  expect(whyUnserved(planOf(), { ...settings, assets } as unknown as Settings, good.buyer)).toBe('not_served_route');
});

test('a plan whose slippage is below the fee of its pool is not fine, and it is not the agent’s fault', () => {
  const assets = settings.assets.map((asset) => ({ ...asset, quote: 'USDT', poolFeeMillionths: 500 }));
  const known = { ...settings, assets } as unknown as Settings;
  const why = (maxSlippageBps: number, changes: object = {}) =>
    whyUnserved(planOf({ maxSlippageBps, ...changes }), known, good.buyer);
  expect([why(4), why(5), why(4, { priceSource: zeroAddress })]).toEqual(['term_below_fee', undefined, undefined]);
  // Without a known pool fee, the slippage excuses nothing.
  expect(whyUnserved(planOf({ maxSlippageBps: 0 }), settings, good.buyer)).toBeUndefined();
  const [item] = actionItemsOf({ ...good, ...plansOf(planOf({ maxSlippageBps: 4 })) }, known);
  expect(item).toMatchObject({ key: 'plan-1-unserved', text: expect.stringContaining('below the fee of its pool') });
});

test('WB-36: what a plan buys for another account, or in an unlisted token, is said', () => {
  expect(whyUnserved(planOf(), settings, undefined)).toBeUndefined();
  expect(whyUnserved(planOf({ verdictSigner: signer, priceSource: zeroAddress }), settings, undefined)).toBeUndefined();
  expect(whyUnserved(planOf({ tokenOut: at('9') }), settings, undefined)).toBe('not_served_token');
  // The registry's other price source, which the agent accepts too.
  expect(
    whyUnserved(planOf({ priceSource: settings.contracts.venusPriceSource }), settings, good.buyer),
  ).toBeUndefined();
  expect(otherRecipient(planOf())).toBeUndefined();
  const stolen = planOf({ recipient: at('e') });
  expect(otherRecipient(stolen)).toBe(at('e'));
  const [item] = actionItemsOf({ ...good, ...plansOf(stolen) }, settings);
  expect(item).toMatchObject({ key: 'plan-1-recipient', href: '/plans/1' });
  expect(item?.text).toMatch(/^Plan 1: Another account receives what it gets: 0xeee.*\.$/);
  // Resuming it would buy for that account. A paused plan that nobody runs needs nothing.
  expect(keys(plansOf({ ...stolen, status: 'paused' }))).toEqual(['plan-1-recipient']);
  expect(keys(plansOf({ ...stolen, status: 'cancelled' }))).toEqual([]);
  expect(keys(plansOf(planOf({ status: 'paused', executor: at('e') })))).toEqual([]);
});

const guard = { id: 1n, status: 'active', rescues: 0 } as Guard;
const covered = [{ guard, loan: undefined, coverage: {} as never }];

test('records that were not read leave it unknown whether something needs the owner', () => {
  expect(isActivityKnown({ ...good, activity: {} })).toBe(false);
  expect(isActivityKnown(good)).toBe(true);
  // Read before the newest record was added; then a node that returns fewer than requested.
  expect(isActivityKnown({ ...good, ...plansOf(planOf({ records: 2 })) })).toBe(false);
  expect(isActivityKnown({ ...good, activity: { 'plan-1': recorded([], 1) } })).toBe(false);
  const ten = Array.from({ length: NEWEST }, (_, index) => skip(BigInt(index)));
  const eleven = { 'plan-1': recorded(ten, NEWEST + 1) };
  expect(isActivityKnown({ ...good, ...plansOf(planOf({ records: NEWEST + 1 })), activity: eleven })).toBe(true);
  expect(isActivityKnown({ ...good, ...plansOf(planOf({ records: NEWEST + 2 })), activity: eleven })).toBe(false);
  expect(isActivityKnown({ ...good, ...plansOf(planOf({ status: 'cancelled' })), activity: {} })).toBe(true);
  expect(isActivityKnown({ ...good, covered })).toBe(false);
  expect(isActivityKnown({ ...good, covered, activity: { ...good.activity, 'guard-1': recorded([]) } })).toBe(true);
  const unsure = stateOf(good, { ...sure, activity: false }, settings);
  expect(unsure).toContain('unknown if action is needed');
  expect(toneOf(good, { ...sure, activity: false }, settings)).toBe('plain');
});

test('“none yet” stands only where every record was read', () => {
  const skips = Array.from({ length: NEWEST }, (_, index) => skip(BigInt(index)));
  const of = (records: number, activity: Activity) =>
    noneOf('run', { ...good, ...plansOf(planOf({ records })), activity }, sure);
  expect(of(0, { 'plan-1': recorded([]) })).toBe('none yet');
  expect(of(NEWEST, { 'plan-1': recorded(skips) })).toBe('none yet');
  expect(of(NEWEST + 1, { 'plan-1': recorded(skips, NEWEST + 1) })).toBe('none in the latest 10 records each');
  expect(of(1, {})).toBe('unknown');
  expect(noneOf('run', { ...good, activity: good.activity }, { ...sure, plans: false })).toBe('unknown');
  expect(noneOf('rescue', { ...good, covered }, sure)).toBe('unknown');
});

test('of more than ten permissions, those that were not looked at are counted', async () => {
  const plans = Array.from({ length: 12 }, (_, index) => planOf({ id: BigInt(index + 1), records: 1 }));
  const client = {
    readContract: async () => [{ time: 7, slotStart: 7, outcome: 2, reason: 1, verdict: 1, isAttested: true }],
  } as never;
  const activity = await readActivity(client, settings.contracts, plans, [], {});
  const known = { ...good, ...plansOf(...plans), activity };
  expect(isActivityKnown(known)).toBe(false);
  expect(unlookedWords(known)).toBe('Records not checked: 2 plans.');
  expect(unlookedWords({ ...known, covered })).toBe('Records not checked: 2 plans and 1 guard.');
  expect(unlookedWords(good)).toBeUndefined();
});

test('WB-76: its owner hears of funds before the next buy cannot be paid', () => {
  const held = (amount: string) => ({ plans: { plans: [planOf()], ...funds(amount) } });
  expect(keys(held('75'))).toEqual([]);
  expect(keys(held('74'))).toEqual(['plan-1-few']);
  const [few] = actionItemsOf({ ...good, ...held('74') }, settings);
  expect(few?.text).toBe('Plan 1 is funded for only 2 more trades.');
  // If even the next buy is not funded, only the usual items say so.
  expect(keys(held('24'))).toEqual([`plans-hold-${usdt}`, `plans-approve-${usdt}`]);
  // A plan that is funded to its end needs nothing more.
  expect(keys({ plans: { plans: [planOf({ runs: 9 })], ...funds('25') } })).toEqual([]);
  const news = newsOf({ ...good, ...held('75') }, { ...good, ...held('74') }, settings);
  expect(news).toMatchObject([{ title: 'Funds are running low', body: 'Plan 1 is funded for only 2 more trades.' }]);
});

test('a skipped buy is a slot that has closed without one, however many deferrals it had', () => {
  const streak = (plan: Plan, ...slots: readonly bigint[]) => {
    const items = slots.map(
      (slotStart, each): ActivityItem => ({ ...skip(slotStart + BigInt(each)), slotStart }) as ActivityItem,
    );
    const known = { ...good, ...plansOf(plan), activity: { 'plan-1': recorded(items) } };
    const news = newsOf({ ...known, activity: {} }, known, settings).map(({ body }) => body);
    return [actionItemsOf(known, settings).map(({ text }) => text), news];
  };
  // A slot opens now and stays open for an hour.
  const plan = planOf({ cursor: now, records: 3 });
  expect(streak(plan, now, now, now)).toEqual([[], []]);
  expect(streak(plan, now - DAY, now - DAY, now - DAY)).toEqual([[], []]);
  expect(streak(plan, now - 2n * DAY, now - DAY, now)).toEqual([[], []]);
  const said = ['Plan 1 skipped its last 3 trades.'];
  expect(streak(plan, now - 3n * DAY, now - 2n * DAY, now - 2n * DAY, now - DAY, now)).toEqual([said, said]);
  // A deferral whose slot bought is not the last skipped buy. One whose slot can still buy is a delayed buy.
  const last = (...items: readonly ActivityItem[]) => {
    const known = { ...good, ...plansOf(plan), activity: { 'plan-1': recorded(items) } };
    const item = lastOf('skip', known);
    return [item?.time, isDelay(item, known)];
  };
  expect(last(skip(now))).toEqual([now, true]);
  expect(last(skip(now - DAY), { ...run(now - 5n), slotStart: now - DAY } as ActivityItem)).toEqual([undefined, false]);
  expect(last(skip(now - DAY), skip(now))).toEqual([now, true]);
  expect(last(skip(now - DAY))).toEqual([now - DAY, false]);
});

test('WB-300: what a plan has sold is told as sold, and never as bought', () => {
  const item = { amountIn: wad('0.5'), amountOut: wad('50000'), floor: wad('49500') };
  const [sale, purchase] = [planOf({ tokenIn: btcb, tokenOut: usdt }), planOf()];
  expect(runWords(sale, item, settings)).toBe('Sold 0.5 BTCB for 50,000 USDT (minimum 49,500 USDT).');
  expect(runWords(purchase, item, settings)).toBe('0.5 USDT bought 50,000 BTCB (minimum 49,500 BTCB).');
  expect(skipWords(sale, 2, 'skipped', settings)).toMatch(/^BTCB sale skipped: /);
  expect(skipWords(purchase, 2, 'delayedOrSkipped', settings)).toMatch(/^BTCB buy delayed or skipped: /);
});

test('WB-36: the page’s server tells whether the agent makes buys, apart from rescues', async () => {
  const dependency = (ok: boolean, reason?: string) => ({ ok, ...(reason && { reason }) });
  const good = { chain: dependency(true), gas: dependency(true), operations: dependency(true) };
  const told = async (dependencies: object) => {
    const agent = {
      get: async () => ({}),
      post: async () => ({}),
      ready: async () => ({ dependencies }),
      statement: async () => ({}),
    };
    const { buys, rescues } = await createQuotes(agent, [], undefined, () => 0)();
    return [buys?.ok, rescues?.ok];
  };
  const loops = { executor: dependency(true), 'loan-guard': dependency(true) };
  expect(await told({ ...good, ...loops })).toEqual([true, true]);
  expect(await told({ ...good, ...loops, executor: dependency(false, 'loop_late') })).toEqual([false, true]);
  expect(await told({ ...good, ...loops, gas: dependency(false, 'gas_low') })).toEqual([false, false]);
  // With the stop file, nothing is sent, whatever the loops do.
  expect(await told({ ...good, ...loops, stop_file: dependency(false, 'stop_file') })).toEqual([false, false]);
  expect(await told({ ...good, ...loops, stop_file: dependency(true) })).toEqual([true, true]);
  // This agent is not the executor's operator.
  expect(await told({ ...good, 'loan-guard': dependency(true) })).toEqual([undefined, true]);
});

test('a part that could not be read again keeps the time of its last reading', () => {
  const read = (wall: number) => ({ readAt: { wall, steady: 0 } });
  const fresh = { data: read(9_000), error: undefined };
  const failed = { data: read(2_000), error: new Error('silent') };
  const overview = { loans: [fresh], guards: fresh, plans: failed, others: [read(9_000)], activity: {}, asked: [] };
  expect(Math.min(...timesOf(overview, 9_500))).toBe(2_000);
  expect(timesOf({ ...overview, loans: [failed, fresh] }, 9_500)).toContain(2_000);
  expect(timesOf(read(7_000), 9_500)).toEqual([7_000]);
  expect(timesOf({ asOf: { wall: 6_000, steady: 0 }, assets: [] }, 9_500)).toEqual([6_000]);
  // Without a time of its own; never read; no data yet.
  expect(timesOf(12n, 9_500)).toEqual([9_500]);
  const never = { data: undefined, error: new Error('silent') };
  expect(timesOf({ loans: [never], guards: never, plans: never, others: [], activity: {} }, 9_500)).toEqual([]);
  expect(timesOf(undefined, 0)).toEqual([]);
});

test('a time of day to the second names its zone', () => {
  expect(exactAsOf(1_700_000_000_000, 1_700_000_000_000)).toMatch(/^\d\d:\d\d:\d\d [A-Z]{2,5}/);
});

test('what a stop ended is what was made up to its block', () => {
  const topics = encodeEventTopics({ abi: revocationsAbi, eventName: 'AllRevoked', args: { owner } });
  const log = { address: at('c'), topics, data: pad('0x1') };
  const receipt = { status: 'success', blockNumber: 77n, logs: [log] } as never;
  expect(revokedAt([receipt], at('c'), owner)).toBe(77n);
  expect(revokedAt([receipt], at('c'), usdt)).toBeUndefined();
  expect(words.stop.done('77')).toMatch(/ made up to block 77 has ended$/);
});

test('an active plan that nobody runs or nobody can pay has no green badge', () => {
  const held = (amount: string) => fundedRuns({ plans: [planOf()], ...funds(amount) }, now).get(1n);
  const of = (changes: object, plan = planOf()) =>
    hindranceOf(plan, settings, { funded: held('500'), buyer: buysAll(settings), now, ...changes });
  expect(of({})).toBeUndefined();
  expect(of({ funded: held('24') })).toBe('unfunded');
  expect(of({ funded: undefined })).toBe('fundsUnknown');
  expect(of({ buyer: 'unseen' })).toBe('unseen');
  expect(of({ buyer: undefined })).toBeUndefined();
  expect(of({}, planOf({ executor: at('e') }))).toBe('unserved');
});

test('plans that have ended are apart from those that can still buy', () => {
  const ended = (changes: Partial<Plan>) => hasEnded(planOf(changes), now);
  expect([ended({}), ended({ status: 'paused' })]).toEqual([false, false]);
  // Resuming one of these would bring no buy.
  expect([ended({ status: 'paused', runs: 10 }), ended({ status: 'paused', expiresAt: now })]).toEqual([true, true]);
  expect([ended({ runs: 10 }), ended({ expiresAt: now }), ended({ status: 'cancelled' })]).toEqual([true, true, true]);
  expect(ended({ status: 'revoked' })).toBe(true);
});

test('a stablecoin’s noise is neither drawn nor coloured as a crash', () => {
  const [low, high] = scaleOf([0.9997, 1.0003]);
  expect(high - low).toBeCloseTo(0.01, 6);
  expect((low + high) / 2).toBeCloseTo(1, 6);
  expect(scaleOf([90, 110])).toEqual([90, 110]);
  expect(['-0.03', '0.09', '-0.1', '4', undefined].map(trendOf)).toEqual(['flat', 'flat', 'down', 'up', 'flat']);
});

test('no stablecoin is offered to be bought with another one', () => {
  const asset = (symbol: string, kind: string, quote: string) => ({ symbol, class: kind, quote }) as never;
  const assets = [asset('BTCB', 'crypto', 'USDT'), asset('USDC', 'stable', 'USDT'), asset('USDT', 'stable', 'USDC')];
  expect(buyable(assets).map(({ symbol }) => symbol)).toEqual(['BTCB']);
  // A copied plan keeps what it buys.
  expect(tradedOptions(assets, 'USDC').map(({ value }) => value)).toEqual(['BTCB', 'USDC']);
});
