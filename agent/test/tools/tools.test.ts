import type { NewestPlans } from '@bowline/chain/readers';
import { evidenceOf } from '@bowline/core/domain/evidence';
import type { Guard, Loan } from '@bowline/core/domain/permissions';
import { reasonCodes } from '@bowline/core/domain/reasons';
import type { PlanLeftOut } from '@bowline/core/domain/served';
import { type Address, WAD } from '@bowline/core/domain/units';
import { BTCB, fairProposal, NOW, pushedPool, USDT, withChain } from '@bowline/core/test/verdict/proposals';
import { LARGE_USD_WAD } from '@bowline/core/verdict/largest-go';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { expect, test } from 'vitest';
import { sentences } from '../../src/ask/reply/sentences.ts';
import { createDepths } from '../../src/tools/shared.ts';
import { ask, OWNER, position, unavailable, world } from './world.ts';

test('an asset is found by symbol, by name and by address, in any case', async () => {
  const { address } = BTCB;
  for (const asset of [
    'BTCB',
    'btcb',
    ' Bitcoin ',
    'btc',
    address,
    address.toLowerCase(),
    ` ${address.toUpperCase()}`,
  ]) {
    expect(await ask('get_price', { asset })).toMatchObject({ asset: 'BTCB', usd: '100000', usd_short: '100000.00' });
  }
  await expect(ask('get_price', { asset: 'DOGE' })).rejects.toThrow(
    'unknown_asset: "DOGE" is not listed. Listed: BTCB, USDT.',
  );
  // A letter in the wrong case is a typing error here as it is in every other address.
  const mistyped = address.replace('a', 'A');
  await expect(ask('get_price', { asset: mistyped })).rejects.toThrow('invalid_address: asset has a wrong checksum');
});

// GD-14
test('a price names its sources, what they go back to, and their age', async () => {
  const price = await ask('get_price', { asset: 'BTCB' });
  const feed = `chainlink feed ${BTCB.feed}`;
  const now = { usd: '100000', age_seconds: '0', fresh: true };
  expect(price.references).toEqual([
    { source: 'chainlink', origin: feed, independent: true, ...now },
    { source: 'venus', origin: feed, independent: false, ...now },
    { source: 'exchange', origin: 'exchange pair BTCUSDT', independent: true, ...now },
  ]);
  expect(price).toMatchObject({ pool_usd: '100000', block: '1000', time: new Date(Number(NOW) * 1000).toISOString() });
  expect(price.stale).toBe(false);
});

// GD-14
test('a price that is old is not told as one of now', async () => {
  const { chain } = fairProposal();
  const chainlink = { source: 'chainlink', feed: BTCB.feed, usdWad: 100_000n * WAD } as const;
  const venus = { source: 'venus', usdWad: 100_000n * WAD } as const;
  const at = (updatedAt: bigint, changes = {}) => ({
    ...world,
    chain: { ...world.chain, price: async () => ({ ...chain, chainlink: { ...chainlink, updatedAt }, ...changes }) },
  });
  const priceOf = async (context: typeof world) => {
    const { stale, references } = await ask('get_price', { asset: 'BTCB' }, context);
    return { stale, fresh: (references as { fresh: boolean | null }[]).map((each) => each.fresh) };
  };
  expect(await priceOf(at(NOW - 180n))).toEqual({ stale: false, fresh: [true, true, true] });
  expect(await priceOf(at(NOW - 181n))).toEqual({ stale: true, fresh: [false, true, true] });
  expect(await priceOf(at(NOW + 1n))).toEqual({ stale: true, fresh: [false, true, true] });
  // A source that does not count does not make the price stale; nothing is said of an unknown age.
  expect(await priceOf(at(NOW, { venus: { ...venus, feed: BTCB.feed, updatedAt: NOW - 181n } }))).toEqual({
    stale: false,
    fresh: [true, false, true],
  });
  expect(await priceOf(at(NOW, { venus }))).toEqual({ stale: false, fresh: [true, null, true] });
  expect((await ask('get_price', { asset: 'BTCB' }, at(NOW, { venus }))).references).toContainEqual({
    source: 'venus',
    usd: '100000',
    origin: 'unknown',
    independent: false,
    age_seconds: null,
    fresh: null,
  });
  // The exchange's price is in USD by what USDT's feed says.
  const quoteToken = { source: 'chainlink', usdWad: WAD, updatedAt: NOW - 93_601n };
  expect(await priceOf(at(NOW, { quoteToken }))).toEqual({ stale: true, fresh: [true, true, false] });
  expect(await priceOf({ ...at(NOW), clock: () => NOW + 61n })).toEqual({ stale: true, fresh: [false, false, false] });
});

test('a price without any source is an error, not a zero', async () => {
  const { chainlink: _c, venus: _v, quoteToken: _q, ...chain } = fairProposal().chain;
  const blind = { ...world, chain: { ...world.chain, price: async () => chain } };
  await expect(ask('get_price', { asset: 'BTCB' }, blind)).rejects.toThrow('market_unavailable');
});

test('for a price no swap is simulated, and no past is asked for', async () => {
  const { exchange, chain } = world;
  if (exchange === undefined) throw new Error('no exchange');
  const asked = { ...exchange, candles: unavailable };
  const context = { ...world, exchange: asked, chain: { ...chain, facts: unavailable } };
  expect(await ask('get_price', { asset: 'BTCB' }, context)).toEqual(await ask('get_price', { asset: 'BTCB' }));
});

test('a verdict carries the prices compared, the deviation and every finding', async () => {
  expect(await ask('check_asset', { asset: 'BTCB' })).toMatchObject({
    verdict: 'GO',
    reason: null,
    side: 'buy',
    amount_usd: '1000',
    reference_usd: '100000.00',
    pool_usd: '100000.00',
    deviation_bps: '0',
    findings: { length: 9 },
  });
});

test('a moved pool is NO_GO with its reason and numbers', async () => {
  const chain = { ...fairProposal().chain, ...pushedPool(500n) };
  const moved = { ...world, chain: { ...world.chain, facts: async () => chain } };
  expect(await ask('check_asset', { asset: 'BTCB', side: 'buy', amount_usd: 250.5 }, moved)).toMatchObject({
    verdict: 'NO_GO',
    reason: 'cost_high',
    amount_usd: '250.5',
    pool_usd: '105000.00',
    deviation_bps: '500',
    findings: expect.arrayContaining([
      expect.objectContaining({ check: 'all_in_cost', outcome: 'no_go', measured: '481', limit: '90' }),
    ]),
  });
});

test.each([
  [0n, false, 'GO', null],
  [70n, false, 'CAUTION', 'caution_not_acknowledged'],
  [70n, true, 'CAUTION', null],
  [200n, true, 'NO_GO', 'verdict_no_go'],
])(
  'with a pool %i bps above its reference, acknowledged: %s, a draft is %s and withheld for %s',
  async (bps, acknowledge_caution, verdict, withheld) => {
    const { quote, ...chain } = fairProposal().chain;
    const spotWad = 10n * WAD * (10_000n + bps);
    const dear = quote && { ...quote, amountOut: (quote.amountOut * 10_000n) / (10_000n + bps) };
    const facts = async () => ({ ...chain, spotWad, twapWad: spotWad, ...(dear && { quote: dear }) });
    const draft = async () => ({ state: 'drafted', calls: [], tokenInDelta: -1n, tokenOutDelta: 1n }) as const;
    const order = { asset: 'BTCB', side: 'buy', amount_usd: 1_000, owner: OWNER, acknowledge_caution };
    const answer = await ask('draft_swap', order, { ...world, drafter: { draft }, chain: { ...world.chain, facts } });
    expect(answer).toMatchObject({ verdict, withheld, calls: withheld === null ? [] : null });
    // GD-16: the size asked for is GO; at these prices no other would be.
    expect(answer).toMatchObject({ largest_go_usd: verdict === 'GO' ? '1000' : null });
  },
);

test('AG-1: the size is in dollars or in the asset, not in both; what it came to is told in both', async () => {
  const sizes: unknown[] = [];
  const chain = {
    ...world.chain,
    facts: async (...[, , , size]: Parameters<typeof world.chain.facts>) => {
      sizes.push(size);
      return fairProposal().chain;
    },
  };
  const listening = { ...world, chain };
  const swap = { pay: { symbol: 'USDT', amount: '1000' }, receive: { symbol: 'BTCB', amount: '0.009995' } };
  const inAsset = { asset: 'BTCB', amount_asset: '0.0123' };
  expect(await ask('check_asset', inAsset, listening)).toMatchObject({ amount_usd: '1000', ...swap });
  expect(await ask('quote_swap', { ...inAsset, amount_asset: 2 }, listening)).toMatchObject(swap);
  expect(await ask('check_asset', { asset: 'BTCB', amount_usd: '250.5' }, listening)).toMatchObject({
    amount_usd: '250.5',
  });
  expect(await ask('check_asset', { asset: 'BTCB' }, listening)).toMatchObject({ amount_usd: '1000' });
  expect(sizes).toEqual([
    { asset: 12_300_000_000_000_000n },
    { asset: 2n * WAD },
    { usdWad: (501n * WAD) / 2n },
    { usdWad: 1_000n * WAD },
  ]);
  for (const tool of ['check_asset', 'quote_swap']) {
    const both = { ...inAsset, amount_usd: '5' };
    await expect(ask(tool, both, listening)).rejects.toThrow(
      'invalid_amount: Give amount_usd or amount_asset, not both.',
    );
    for (const amount_asset of ['0', '-1', '1e3', '', 'two', '0.0000000000000000001']) {
      await expect(ask(tool, { asset: 'BTCB', amount_asset }, listening), amount_asset).rejects.toThrow(
        'invalid_amount',
      );
    }
  }
  await expect(ask('quote_swap', { asset: 'BTCB' }, listening)).rejects.toThrow(
    'invalid_amount: amount_usd or amount_asset is required',
  );
  expect(sizes).toHaveLength(4);
});

test('Chainlink alone is NO_DATA, whether the others are down or not configured', async () => {
  const down = {
    ...world,
    exchange: { bookTicker: unavailableMarket, candles: unavailableMarket },
  };
  expect(await ask('check_asset', { asset: 'BTCB' }, down)).toMatchObject({
    verdict: 'NO_DATA',
    reason: 'reference_missing',
  });
  const { exchange: _, ...without } = world;
  expect(await ask('check_asset', { asset: 'BTCB' }, without)).toMatchObject({
    verdict: 'NO_DATA',
    reason: 'reference_missing',
  });
});

async function unavailableMarket(): Promise<never> {
  const { BowlineError } = await import('@bowline/core/domain/result');
  throw new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true });
}

test('a plan’s outlook is judged by its own terms, as its runs are', async () => {
  const { quote, ...chain } = fairProposal().chain;
  // 0.8 % less than it is worth.
  const pool = { spotWad: 100_756n * WAD, twapWad: 100_756n * WAD };
  const amountOut = (992n * WAD) / 100_000n;
  const facts = async () => ({ ...chain, ...pool, ...(quote && { quote: { ...quote, amountOut } }) });
  const outlook = async (maxSlippageBps: number) => {
    const planWithFunds: typeof world.chain.planWithFunds = async (id) => {
      const { block, plan } = await world.chain.planWithFunds(id);
      return { block, plan: { ...plan, maxSlippageBps } };
    };
    return await ask('plan_outlook', { plan: '1' }, { ...world, chain: { ...world.chain, facts, planWithFunds } });
  };
  const reason = 'cost_high';
  expect(await outlook(100)).toMatchObject({ verdict_now: { verdict: 'CAUTION', reason } });
  expect(await outlook(70)).toMatchObject({ verdict_now: { verdict: 'NO_GO', reason, go_up_to: null } });
  // GD-16: the plan's own slippage is the limit.
  const figures = { measured: '80', limit: '70', unit: 'bps', text: '0.8 %, limit 0.7 %' };
  expect((await outlook(70)).verdict_now).toMatchObject({ figures });
});

test.each([
  [1_000n, 1_000n, '10'],
  [1_000n, 250n, '2'],
  [99n, 1_000n, '0'],
])('a balance of %i and an allowance of %i pay for %s runs of 100', async (balance, allowance, runs) => {
  const planWithFunds: typeof world.chain.planWithFunds = async (id) => {
    const { block, plan } = await world.chain.planWithFunds(id);
    const funds = { ownerBalance: balance * WAD, ownerAllowance: allowance * WAD };
    return { block, plan: { ...plan, ...funds, maxRuns: plan.runs + 100, expiresAt: 2n ** 40n } };
  };
  const funded = { ...world, chain: { ...world.chain, planWithFunds } };
  expect(await ask('plan_outlook', { plan: '1' }, funded)).toMatchObject({ runs_paid_for: runs });
});

test('list_plans says what a plan allows, and what it waits for', async () => {
  const newestPlans: typeof world.chain.newestPlans = async (question) => {
    const read = await world.chain.newestPlans(question);
    const changes = { farLimit: true, triggerPriceWad: 100_000n * WAD + WAD / 2n };
    return { ...read, plans: read.plans.map((plan) => ({ ...plan, ...changes })) };
  };
  const first = ((await ask('list_plans', {}, world)).plans as object[]).at(-1);
  expect(first).toMatchObject({ allows_any_price: false, trigger_price: null });
  const asked = await ask('list_plans', {}, { ...world, chain: { ...world.chain, newestPlans } });
  const changed = (asked.plans as object[]).at(-1);
  expect(changed).toMatchObject({ allows_any_price: true, trigger_price: '100000.5' });
});

test.each([
  [0n, [], null],
  [100_000n, [], null],
  [100_001n, ['trigger_not_reached'], 'trigger_not_reached'],
  // As in the executor: the verdict says what is missing.
  [100_001n, [], null, undefined],
] as const)('a plan with a trigger of %i waits for its price', async (trigger, obstacles, unrecorded, ...priceWad) => {
  const planWithFunds: typeof world.chain.planWithFunds = async (id) => {
    const { block, plan } = await world.chain.planWithFunds(id);
    return { block, plan: { ...plan, triggerPriceWad: trigger * WAD } };
  };
  const silent = priceWad.length > 0 ? { sourcePriceWad: async () => undefined } : {};
  const waiting = { ...world, chain: { ...world.chain, planWithFunds, ...silent } };
  expect(await ask('plan_outlook', { plan: '1' }, waiting)).toMatchObject({ obstacles, unrecorded });
});

test('an outlook names why this agent leaves a plan out, once', async () => {
  const leaving = (why: PlanLeftOut | undefined) => ({ ...world, whyPlanLeftOut: async () => why });
  const { obstacles } = await ask('plan_outlook', { plan: '1' }, leaving('not_served_signer'));
  expect(obstacles).toEqual(['not_served_signer']);
  expect(await ask('plan_outlook', { plan: '1' }, leaving(undefined))).toMatchObject({ obstacles: [] });
  // At this pool's price its fee is made up for.
  expect(await ask('plan_outlook', { plan: '1' }, leaving('term_below_fee'))).toMatchObject({ obstacles: [] });
  const planWithFunds: typeof world.chain.planWithFunds = async (id) => {
    const { block, plan } = await world.chain.planWithFunds(id);
    return { block, plan: { ...plan, tokenOut: plan.tokenIn } };
  };
  const poolless = { ...leaving('not_served_route'), chain: { ...world.chain, planWithFunds } };
  expect(await ask('plan_outlook', { plan: '1' }, poolless)).toMatchObject({ obstacles: ['not_served_route'] });
});

test('an outlook calls a revoked plan revoked, and nobody short of a token whose balances are not read', async () => {
  const outlook = async (changes: object) => {
    const { block, plan } = await world.chain.planWithFunds(1n);
    const planWithFunds = async () => ({ block, plan: { ...plan, ...changes } });
    return await ask('plan_outlook', { plan: '1' }, { ...world, chain: { ...world.chain, planWithFunds } });
  };
  expect(await outlook({ status: 'revoked' })).toMatchObject({ slots: [], obstacles: ['plan_revoked'] });
  const unlisted = { tokenIn: `0x${'99'.repeat(20)}`, ownerBalance: 0n, ownerAllowance: 0n };
  expect(await outlook(unlisted)).toMatchObject({ obstacles: ['not_served_route'], runs_paid_for: null });
});

// AG-342: far from the source's price, and between that and what the pools give (0.05 % worse).
test.each([
  [98_000n, ['limit_not_reached'], 'limit_not_reached'],
  [100_000n, ['limit_not_reached'], 'limit_not_reached'],
  [101_000n, [], null],
])('a plan with a limit of %i waits for its price', async (limit, obstacles, unrecorded) => {
  const planWithFunds: typeof world.chain.planWithFunds = async (id) => {
    const { block, plan } = await world.chain.planWithFunds(id);
    const { quote } = fairProposal().chain;
    return { block, plan: { ...plan, limitPriceWad: limit * WAD, amountPerRun: quote?.amountIn ?? 0n } };
  };
  const waiting = { ...world, chain: { ...world.chain, planWithFunds } };
  expect(await ask('plan_outlook', { plan: '1' }, waiting)).toMatchObject({ obstacles, unrecorded });
});

test('an outlook counts the runs that the owner’s other plans leave paid for, and none after the plan’s end', async () => {
  const { block, plan } = await world.chain.planWithFunds(1n);
  const schedule = { startAt: block.timestamp, periodSeconds: 3_600n, windowSeconds: 3_600n, cursor: 0n, runs: 0 };
  const funds = { ownerBalance: 300n * WAD, ownerAllowance: 300n * WAD, maxRuns: 10, amountPerRun: 100n * WAD };
  const own = { ...plan, ...schedule, ...funds, expiresAt: block.timestamp + 86_400n };
  const paidFor = async (plans: readonly (typeof own)[], read: object = {}) => {
    const planWithFunds = async (id: bigint) => ({ block, plan: plans.find((each) => each.id === id) ?? own });
    const newestPlans = async () => ({ block, plans, total: plans.length, unread: 0, ...read });
    const chain = { ...world.chain, planWithFunds, newestPlans };
    const outlooks = plans.map(({ id }) => ask('plan_outlook', { plan: String(id) }, { ...world, chain }));
    return (await Promise.all(outlooks)).map(({ runs_paid_for }) => runs_paid_for);
  };
  expect(await paidFor([own])).toEqual(['3']);
  expect(await paidFor([own, { ...own, id: 2n }])).toEqual(['2', '1']);
  expect(await paidFor([own, { ...own, id: 2n, tokenIn: own.tokenOut }])).toEqual(['3', '3']);
  expect(await paidFor([own, { ...own, id: 2n, status: 'cancelled' }])).toEqual(['3', '0']);
  expect(await paidFor([{ ...own, expiresAt: block.timestamp + 7_200n }])).toEqual(['2']);
  // Not all plans that share the funds are known.
  expect(await paidFor([own], { unread: 1 })).toEqual([null]);
});

test('a plan whose first run comes after all that are counted is not called unpaid', async () => {
  const { block, plan } = await world.chain.planWithFunds(1n);
  const funds = { amountPerRun: WAD, ownerBalance: 10n ** 30n, ownerAllowance: 10n ** 30n, runs: 0, cursor: 0n };
  const day = 86_400n;
  const schedule = { windowSeconds: 60n, maxRuns: 10_000, expiresAt: block.timestamp + 400n * day };
  const often = { ...plan, ...funds, ...schedule, id: 2n, startAt: block.timestamp, periodSeconds: 600n };
  const seldom = { ...plan, ...funds, ...schedule, startAt: block.timestamp + 40n * day, periodSeconds: 30n * day };
  const planWithFunds = async () => ({ block, plan: seldom });
  const newestPlans = async () => ({ block, plans: [seldom, often], total: 2, unread: 0 });
  const chain = { ...world.chain, planWithFunds, newestPlans };
  expect(await ask('plan_outlook', { plan: '1' }, { ...world, chain })).toMatchObject({ runs_paid_for: null });
});

// H1: the page says "at least" where counting ends, and so does the tool.
test.each([
  [4_999, false, 'cover 4,999 runs.'],
  [5_001, true, 'cover at least 5,000 runs.'],
])('of funds for %i runs the outlook says whether there are more: %s', async (runs, isMore, said) => {
  const { block, plan } = await world.chain.planWithFunds(1n);
  const funds = { amountPerRun: WAD, ownerBalance: BigInt(runs) * WAD, ownerAllowance: BigInt(runs) * WAD };
  const schedule = { startAt: block.timestamp, periodSeconds: 60n, windowSeconds: 60n, cursor: 0n, runs: 0 };
  const own = { ...plan, ...schedule, ...funds, maxRuns: 1_000_000, expiresAt: block.timestamp + 100_000_000n };
  const planWithFunds = async () => ({ block, plan: own });
  const newestPlans = async () => ({ block, plans: [own], total: 1, unread: 0 });
  const answer = await ask(
    'plan_outlook',
    { plan: '1' },
    { ...world, chain: { ...world.chain, planWithFunds, newestPlans } },
  );
  expect(answer).toMatchObject({ runs_paid_for: String(Math.min(runs, 5_000)), more_runs_paid_for: isMore });
  expect(sentences.get('plan_outlook')?.(answer, { tool: 'plan_outlook', input: {} } as never)).toContain(said);
});

test('an expired plan has no slot in its outlook, and one that ends within a slot closes it', async () => {
  const { block, plan } = await world.chain.planWithFunds(1n);
  const schedule = { startAt: block.timestamp - 100n, periodSeconds: 3_600n, windowSeconds: 3_600n, cursor: 0n };
  const outlook = async (expiresAt: bigint) => {
    const planWithFunds = async () => ({ block, plan: { ...plan, ...schedule, expiresAt } });
    return await ask('plan_outlook', { plan: '1' }, { ...world, chain: { ...world.chain, planWithFunds } });
  };
  expect(await outlook(block.timestamp)).toMatchObject({ slots: [], obstacles: ['plan_expired'] });
  const closes = new Date(Number(block.timestamp + 60n) * 1_000).toISOString();
  expect((await outlook(block.timestamp + 60n)).slots).toMatchObject([{ closes, open_now: true }]);
});

// AU-6
test('the outlook of a plan says whether its executor owes a record', async () => {
  const { quote, ...chain } = fairProposal().chain;
  const dear = quote && { ...quote, amountOut: (quote.amountOut * 993n) / 1_000n };
  // No pool takes it back.
  const facts = async () => ({ ...chain, ...(dear && { quote: dear }), play: { received: dear?.amountOut ?? 0n } });
  const outlook = async (changes: object, made: readonly { readonly reasonCode: number }[] = []) => {
    const planWithFunds: typeof world.chain.planWithFunds = async (id) => {
      const { block, plan } = await world.chain.planWithFunds(id);
      const lastReason = made.at(-1)?.reasonCode ?? 0;
      return { block, plan: { ...plan, records: made.length, lastReason, ...changes } };
    };
    const runs = async (_id: bigint, from: number, to: number) => made.slice(from, to) as never;
    const asked = { ...world, chain: { ...world.chain, facts, planWithFunds, runs } };
    const { verdict_now, unrecorded } = await ask('plan_outlook', { plan: '1' }, asked);
    return [(verdict_now as { reason: string }).reason, unrecorded];
  };
  const reason = 'no_way_back';
  expect(await outlook({})).toEqual([reason, null]);
  expect((await outlook({ maxSlippageBps: 4 }))[1]).toBe('term_below_fee');
  // A trigger that is reached excuses nothing.
  expect((await outlook({ triggerPriceWad: 1n }))[1]).toBe(null);
  expect((await outlook({ triggerPriceWad: 100_001n * WAD }))[1]).toBe('trigger_not_reached');
  const now = (await world.chain.planWithFunds(1n)).block.timestamp;
  const made = (reasonCode: number, time = now) => ({ reasonCode, version: 1, time });
  const own = reasonCodes[reason];
  expect(await outlook({}, [made(0), made(own), made(own), made(own)])).toEqual([reason, 'deferred_today']);
  expect(await outlook({}, [made(own), made(0), made(own)])).toEqual([reason, null]);
  expect(await outlook({}, [made(9_999), made(9_999), made(9_999)])).toEqual([reason, null]);
  expect(await outlook({}, [made(own), made(own), made(own, now - 86_400n)])).toEqual([reason, null]);
});

// GD-16
test('a plan that is too large says how much of it would be GO', async () => {
  const { quote, ...chain } = fairProposal().chain;
  // 0.7 % of impact, and none to speak of at two thirds of the size.
  const large = quote && { ...quote, amountIn: 90_000n * WAD, amountOut: (WAD * 893n) / 1_000n };
  const smallerQuotes = [{ amountIn: 60_000n * WAD, amountOut: (WAD * 5_994n) / 10_000n }];
  const play = { received: (WAD * 893n) / 1_000n, returned: 89_910n * WAD };
  const facts = async () => ({ ...chain, ...(large && { quote: large }), smallerQuotes, play });
  const { verdict_now } = await ask('plan_outlook', { plan: '1' }, { ...world, chain: { ...world.chain, facts } });
  expect(verdict_now).toMatchObject({ verdict: 'CAUTION', reason: 'cost_high' });
  const { symbol, amount, slots } = (verdict_now as { go_up_to: Record<string, string> }).go_up_to;
  expect([symbol, slots]).toEqual(['USDT', '2']);
  expect(Number(amount)).toBeGreaterThanOrEqual(60_000);
  expect(Number(amount)).toBeLessThan(90_000);
  const { figures } = verdict_now as { figures: Record<string, string> };
  expect(figures).toMatchObject({ limit: '40', unit: 'bps' });
  expect(figures.text).toMatch(/^0\.\d\d? %, limit 0\.4 %; up to [678]\d,\d00 USDT would pass$/);
});

// GD-16
test('a verdict says the largest size that is GO, whether the size that was asked for is or not', async () => {
  const { quote, ...chain } = fairProposal().chain;
  const sizes: bigint[] = [];
  // 0.05 % of fee, and as much of impact as the share of 10,000,000 USDT.
  const facts: typeof world.chain.facts = async (_asset, _quoteAsset, _side, size) => {
    const amountIn = 'usdWad' in size ? size.usdWad : 0n;
    sizes.push(amountIn);
    const depth = 10_000_000n * WAD;
    const outOf = (paid: bigint) => (paid * 9_995n * depth) / (10_000n * 100_000n * (depth + paid));
    const smallerQuotes = Array.from(
      { length: 16 },
      (_, at) => (amountIn * 2n ** BigInt(at + 1)) / 3n ** BigInt(at + 1),
    );
    const amountOut = outOf(amountIn);
    return {
      ...chain,
      ...(quote && { quote: { ...quote, amountIn, amountOut } }),
      smallerQuotes: smallerQuotes.map((paid) => ({ amountIn: paid, amountOut: outOf(paid) })),
      play: { received: amountOut, returned: amountIn },
    };
  };
  const pooled = { ...world, chain: { ...world.chain, facts }, depths: createDepths(() => 0) };
  const largest = async (amount_usd: string) => {
    const { verdict, largest_go_usd } = await ask('check_asset', { asset: 'BTCB', amount_usd }, pooled);
    return [verdict, Number(largest_go_usd)] as const;
  };
  const [, most] = await largest('1000');
  expect(most).toBeGreaterThan(30_000);
  expect(await largest('20000')).toEqual(['GO', most]);
  expect((await largest(String(most)))[0]).toBe('GO');
  expect((await largest(String(most * 1.05)))[0]).not.toBe('GO');
  expect((await largest('50000000'))[0]).toBe('NO_GO');
  expect((await largest('50000000'))[1]).toBe(most);
  // The large size was read once for all of them.
  expect(sizes.filter((usdWad) => usdWad === LARGE_USD_WAD)).toHaveLength(1);
  const down = { ...pooled, depths: { of: unavailable } };
  expect(await ask('check_asset', { asset: 'BTCB', amount_usd: '1000' }, down)).toMatchObject({
    largest_go_usd: '1000',
  });
});

test('a chain that is down is an error with its code', async () => {
  const down = { ...world, chain: { ...world.chain, facts: unavailable } };
  await expect(ask('check_asset', { asset: 'BTCB' }, down)).rejects.toThrow('chain_unavailable');
});

test('amounts are dollars above zero', async () => {
  for (const amount_usd of ['0', '-1', 'lots', '1e9', 0, Number.NaN, '100000001']) {
    await expect(ask('quote_swap', { asset: 'BTCB', amount_usd }), String(amount_usd)).rejects.toThrow(
      'invalid_amount',
    );
  }
  expect(await ask('quote_swap', { asset: 'BTCB', amount_usd: 1000 })).toMatchObject({
    pay: { symbol: 'USDT', amount: '1000' },
    receive: { symbol: 'BTCB', amount: '0.009995' },
    route: [{ symbol: 'BTCB', fee_millionths: 500, pool: '0x46Cf1cF8c69595804ba91dFdd8d6b960c9B0a7C4' }],
  });
});

test('an argument that there is not is refused, not ignored', async () => {
  await expect(ask('check_asset', { asset: 'BTCB', amount: '500000' })).rejects.toThrow('invalid_input');
});

test('history sums up its candles', async () => {
  expect(await ask('get_history', { asset: 'BTCB', interval: '1h', count: 2 })).toMatchObject({
    first: '90000.00',
    last: '99000.00',
    high: '99001.00',
    low: '89999.00',
    change_bps: '1000',
    candles: { length: 2 },
  });
  await expect(ask('get_history', { asset: 'USDT' })).rejects.toThrow('market_unavailable');
  // A row that is no candle may be the first, against which the change is measured.
  const { exchange } = world;
  if (exchange === undefined) throw new Error('no exchange');
  const candles: typeof exchange.candles = async (...question) => ({
    ...(await exchange.candles(...question)),
    broken: 1,
  });
  const broken = { ...world, exchange: { ...exchange, candles } };
  await expect(ask('get_history', { asset: 'BTCB' }, broken)).rejects.toThrow('market_unavailable');
});

test('plans, newest first, of all or of one owner; an unlisted token keeps its base units', async () => {
  expect(await ask('list_plans', {})).toMatchObject({
    total: 2,
    plans: [
      { id: '2', status: 'paused', pay: { token: `0x${'33'.repeat(20)}`, amount: '7' } },
      { id: '1', status: 'active', pay: { token: 'USDT', amount: '100' }, buy: 'BTCB', runs: 1, max_runs: 10 },
    ],
  });
  expect(await ask('list_plans', { owner: OWNER })).toMatchObject({ total: 1, plans: [{ id: '1' }] });
});

test('a long list of plans comes in parts, each saying where it goes on and how many there are', async () => {
  const first = await ask('list_plans', { count: 1 });
  expect(first).toMatchObject({ total: 2, next: '2', unread: 0, plans: { length: 1, 0: { id: '2' } } });
  const second = await ask('list_plans', { count: 1, before: first.next });
  expect(second).toMatchObject({ total: 2, next: null, plans: { length: 1, 0: { id: '1' } } });
  expect(await ask('list_plans', { owner: OWNER, before: 1 })).toMatchObject({ total: 1, next: null, plans: [] });
  const questions: NewestPlans[] = [];
  const newestPlans: typeof world.chain.newestPlans = (question) => {
    questions.push(question);
    return world.chain.newestPlans(question);
  };
  await ask('list_plans', {}, { ...world, chain: { ...world.chain, newestPlans } });
  expect(questions).toEqual([{ count: 20 }]);
  for (const input of [{ count: 0 }, { count: 51 }, { count: 1.5 }, { before: '-1' }, { before: 'x' }]) {
    await expect(ask('list_plans', input), JSON.stringify(input)).rejects.toThrow('invalid_input');
  }
});

test('no tool reads a crowd to answer about one', async () => {
  const chain = { ...world.chain, plans: unavailable, guards: unavailable };
  const crowded = { ...world, chain };
  await ask('list_plans', {}, crowded);
  await ask('list_runs', { plan: '1' }, crowded);
  await ask('preview_rescue', { guard: '1' }, crowded);
  await ask('loan_health', { borrower: OWNER }, crowded);
});

test('what could not be read is told with what could', async () => {
  const newestPlans: typeof world.chain.newestPlans = async (question) => ({
    ...(await world.chain.newestPlans(question)),
    unread: 24,
  });
  const guardsOf: typeof world.chain.guardsOf = async () => ({ guards: [], total: 0, unread: 3 });
  const chain = { ...world.chain, newestPlans, guardsOf };
  expect(await ask('list_plans', {}, { ...world, chain })).toMatchObject({ total: 2, unread: 24 });
  expect(await ask('loan_health', { borrower: OWNER }, { ...world, chain })).toMatchObject({
    guards: [],
    guards_unread: 3,
  });
});

test('a plan that never expires is listed with the rest', async () => {
  const read = await world.chain.newestPlans({ count: 50 });
  const plans = read.plans.map((plan) => ({ ...plan, expiresAt: 2n ** 40n - 1n }));
  const chain = { ...world.chain, newestPlans: async () => ({ ...read, plans }) };
  expect(await ask('list_plans', {}, { ...world, chain })).toMatchObject({
    total: 2,
    plans: [{ expires: '9999-12-31T23:59:59.000Z' }, {}],
  });
});

test('runs, newest first, with what was paid or why not', async () => {
  expect(await ask('list_runs', { plan: '1' })).toMatchObject({
    total: 2,
    runs: [
      { outcome: 'deferred', reason: 'cost_high', verdict: 'NO_GO', paid: null, received: null },
      { outcome: 'executed', reason: null, paid: { token: 'USDT', amount: '100' }, received: { amount: '0.001' } },
    ],
  });
  expect(await ask('list_runs', { plan: 1, count: 1 })).toMatchObject({
    runs: { length: 1, 0: { outcome: 'deferred' } },
  });
  await expect(ask('list_runs', { plan: '9' })).rejects.toThrow('unknown_plan');
});

// AU-18
test('runs in money, by the evidence that is kept', async () => {
  const proposal = withChain({ directOut: 10n ** 15n - 10n ** 12n });
  const paid = { ...proposal.chain.quote, amountIn: 100n * WAD } as NonNullable<typeof proposal.chain.quote>;
  const text = evidenceOf(rulesVersion, { ...proposal, chain: { ...proposal.chain, quote: paid } }, 'GO', []);
  const asked: string[] = [];
  const read = async (prefix: string) => {
    asked.push(prefix);
    return text;
  };
  const kept = await ask('list_runs', { plan: '1' }, { ...world, evidence: { read } });
  const gain = { reference_usd: '0', pool_usd: '0.1' };
  expect(kept).toMatchObject({ surplus: { ...gain, runs: 1 }, runs: [{ surplus: null }, { surplus: gain }] });
  expect(sentences.get('list_runs')?.(kept, { tool: 'list_runs', input: {} } as never)).toContain(
    'According to their evidence, 1 run got +$0.00 compared with the reference price, and +$0.10 compared with the best single pool.',
  );
  expect(asked).toEqual([(kept.runs as { evidence_prefix: string }[])[1]?.evidence_prefix]);
  const lost = await ask('list_runs', { plan: '1' }, { ...world, evidence: { read: async () => undefined } });
  expect(lost).toMatchObject({ surplus: { runs: 0, pool_usd: null }, runs: [{ surplus: null }, { surplus: null }] });
});

/** LG-25: health 3, but it can be liquidated at any health. */
const forcedLoan = { healthWad: 3n * 10n ** 18n, forcedDebts: [USDT.address] } as const;

test('health of a loan, and its guards', async () => {
  expect(await ask('loan_health', { borrower: OWNER })).toMatchObject({
    protocol: 'Venus',
    debt_usd: '1000.00',
    health: '0.99',
    liquidation_reason: 'health_below_one',
    forced_debts: [],
    guards: [{ id: '1', trigger_health: '1.05', target_health: '1.25' }, { id: '2' }],
    guards_total: 2,
    guards_unread: 0,
  });
  // With several loans, the guards of the one that is reported.
  const account = { adapter: USDT.address };
  const several = {
    ...world.chain,
    loan: async () => ({ ...(await world.chain.loan(OWNER)), account }),
    guardsOf: (borrower: Address, count: number, of?: object) =>
      of === account ? Promise.resolve({ guards: [], total: 0, unread: 0 }) : world.chain.guardsOf(borrower, count),
  };
  expect(await ask('loan_health', { borrower: OWNER }, { ...world, chain: several })).toMatchObject({
    guards_total: 0,
  });
  const forced = { ...world.chain, loan: async () => ({ ...(await world.chain.loan(OWNER)), ...forcedLoan }) };
  expect(await ask('loan_health', { borrower: OWNER }, { ...world, chain: forced })).toMatchObject({
    health: '3',
    liquidation_reason: 'forced_liquidation',
    forced_debts: ['USDT'],
  });
  const safe = { ...world.chain, loan: async () => ({ ...(await forced.loan()), forcedDebts: [] }) };
  expect(await ask('loan_health', { borrower: OWNER }, { ...world, chain: safe })).toMatchObject({
    liquidation_reason: null,
  });
  const { forcedDebts: _, ...unread } = await safe.loan();
  const unsure = { ...world.chain, loan: async () => unread };
  expect(await ask('loan_health', { borrower: OWNER }, { ...world, chain: unsure })).toMatchObject({
    health: '3',
    liquidation_reason: 'unknown',
    forced_debts: null,
  });
  const chain = {
    ...world.chain,
    guardsOf: async (_: Address, count: number) => {
      const { guards } = await world.chain.guards();
      const [active, ending] = guards as [Guard, Guard];
      const held = [active, { ...ending, expiresAt: NOW + 1n }, { ...ending, expiresAt: NOW }] as const;
      return { guards: held.slice(0, count), total: 57, unread: 0 };
    },
  };
  expect(await ask('loan_health', { borrower: OWNER }, { ...world, chain })).toMatchObject({
    guards: [{ status: 'active' }, { status: 'active' }, { status: 'expired' }],
    guards_total: 57,
  });
  await expect(ask('loan_health', { borrower: '0x12' })).rejects.toThrow('invalid_address');
});

test('a loan’s usual gap, and none of assets that nobody has measured', async () => {
  const of = (...parts: NonNullable<Loan['parts']>) =>
    ask(
      'loan_health',
      { borrower: OWNER },
      { ...world, chain: { ...world.chain, loan: async () => ({ ...(await world.chain.loan(OWNER)), parts }) } },
    );
  const [btcb, atOneDollar] = [
    position({ token: BTCB.address, supplied: 1n, usd: 2_500n }),
    position({ debt: 1_000n }),
  ];
  expect(await of(btcb, atOneDollar)).toMatchObject({
    usual_gap: { collateral_fall_percent: '6.24', debt_rise_percent: '0', trigger_needed: '1.07', one_hour_in: 1_000 },
  });
  expect(await of({ ...btcb, token: OWNER }, atOneDollar)).toMatchObject({ usual_gap: null });
  expect(await of()).toMatchObject({ usual_gap: null });
});

test('a rescue that would happen, one that would not, and one of no guard', async () => {
  expect(await ask('preview_rescue', { guard: '1' })).toMatchObject({
    would_rescue: true,
    repay: { token: 'USDT', amount: '208' },
    reason: null,
  });
  expect(await ask('preview_rescue', { guard: 2 })).toMatchObject({
    would_rescue: false,
    repay: null,
    reason: 'cooling_down',
    protocol: 'Venus',
  });
  await expect(ask('preview_rescue', { guard: 3 })).rejects.toThrow('unknown_guard');
});

test('LG-26: a rescue is due by the protocol’s prices, or by those of the guard’s source', async () => {
  const by = async (healthWad: bigint, source?: Address) => {
    const { chain } = world;
    const healthOf = async () => ({ ...(await chain.loan(OWNER)), healthWad });
    const guard = async (id: bigint) => ({ ...(await chain.guard(id)), ...(source && { priceSource: source }) });
    return ask('preview_rescue', { guard: 1 }, { ...world, chain: { ...chain, healthOf, guard } });
  };
  const above = (115n * 10n ** 18n) / 100n;
  const below = 10n ** 18n;
  expect(await by(below)).toMatchObject({ triggered_by: 'protocol', price_source: null });
  expect(await by(below, OWNER)).toMatchObject({ triggered_by: 'protocol', price_source: OWNER });
  expect(await by(above, OWNER)).toMatchObject({ triggered_by: 'price_source', health: '1.15' });
  // The price has moved between the two readings.
  expect(await by(above)).toMatchObject({ triggered_by: 'protocol' });
  expect(await ask('preview_rescue', { guard: 2 })).toMatchObject({ triggered_by: null });
});
