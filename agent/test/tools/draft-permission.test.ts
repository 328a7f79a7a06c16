import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { decodeFunctionData, erc20Abi, pad, zeroAddress } from 'viem';
import { describe, expect, test, vi } from 'vitest';
import { collateralGuardAbi, loanGuardAbi, planRegistryAbi, revocationsAbi } from '../../../abis/index.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { acmeMarket, at, own, permissions, usdtMarket } from './permissions.ts';
import { OWNER, position, unavailable, world } from './world.ts';

const call = callTool(tools, { ...world, permissions }, vi.fn());

const plan = { owner: OWNER, pay: 'USDT', buy: 'bitcoin', amount: '25.5', every: 'day', runs: 10 };
const guard = {
  borrower: OWNER,
  market: at('9'),
  repay: 'USDT',
  trigger_health: '1.1',
  target_health: '1.25',
  cap_per_rescue: '100',
  cap_per_day: '200',
  min_repay: '1',
  budget: '1000',
};

test('AG-208: a plan is the approval for all plans of the owner, then the plan, in the owner’s own words', async () => {
  const drafted = await call('draft_plan', plan);
  if (!drafted.ok) throw new Error(drafted.message);
  const [approve, create] = drafted.value.calls;
  expect(drafted.value.calls.map(({ kind, to }) => [kind, to])).toEqual([
    ['approve', USDT.address],
    ['create', own.planRegistry],
  ]);
  // Plan 1 of this owner has nine runs of 100 USDT left.
  expect(decodeFunctionData({ abi: erc20Abi, data: approve?.data as `0x${string}` }).args).toEqual([
    expect.stringMatching(new RegExp(own.planRegistry, 'i')),
    1_155n * WAD,
  ]);
  const { functionName, args } = decodeFunctionData({ abi: planRegistryAbi, data: create?.data as `0x${string}` });
  expect(functionName).toBe('create');
  expect(args?.[0]).toMatchObject({
    owner: OWNER,
    recipient: OWNER,
    tokenIn: USDT.address,
    tokenOut: BTCB.address,
    amountPerRun: (255n * WAD) / 10n,
    startAt: Number(NOW),
    periodSeconds: 86_400,
    maxRuns: 10,
    maxSlippageBps: 100,
    verdictSigner: zeroAddress,
  });
  expect(drafted.value.terms).toMatchObject({ amountPerRun: `${(255n * WAD) / 10n}`, maxRuns: '10' });
});

test('AG-208: what other plans have of an approval is kept and not raised', async () => {
  const { chain } = world;
  const planWithFunds = async (id: bigint) => {
    const { plan: read, block } = await chain.planWithFunds(id);
    return { plan: { ...read, ownerAllowance: 300n * WAD }, block };
  };
  const context = { ...world, permissions, chain: { ...chain, planWithFunds } };
  const drafted = await callTool(tools, context, vi.fn())('draft_plan', plan);
  const data = drafted.ok ? drafted.value.calls[0]?.data : undefined;
  // Plan 1 has nine runs of 100 USDT left, three of which are approved.
  expect(decodeFunctionData({ abi: erc20Abi, data: data as `0x${string}` }).args?.[1]).toBe(555n * WAD);
});

test('AG-208: a guard is the approval of the budget, then the guard', async () => {
  const drafted = await call('draft_guard', guard);
  if (!drafted.ok) throw new Error(drafted.message);
  const [approve, register] = drafted.value.calls;
  expect(decodeFunctionData({ abi: erc20Abi, data: approve?.data as `0x${string}` }).args?.[1]).toBe(1_000n * WAD);
  expect(decodeFunctionData({ abi: loanGuardAbi, data: register?.data as `0x${string}` })).toMatchObject({
    functionName: 'register',
    args: [
      {
        borrower: OWNER,
        funder: OWNER,
        market: `0x${'0'.repeat(24)}${'9'.repeat(40)}`,
        triggerHealthWad: (11n * WAD) / 10n,
        capPerRescue: 100n * WAD,
        expiresAt: Number(NOW) + 365 * 86_400,
      },
    ],
  });
});

test('a guard needs no market where one debt is in its token', async () => {
  const { market: _, ...rest } = guard;
  const owed = (debt: bigint, at9 = '9') => ({
    ...position({ token: USDT.address, debt, usd: 1n }),
    market: pad(at(at9)),
  });
  const drafted = async (...parts: ReturnType<typeof position>[]) => {
    const loan = async () => ({ ...(await world.chain.loan(OWNER)), parts });
    const context = { ...world, permissions, chain: { ...world.chain, loan } };
    return callTool(tools, context, vi.fn())('draft_guard', rest);
  };
  const collateral = position({ token: USDT.address, supplied: 5n, usd: 1n });
  expect(await drafted(collateral, owed(100n))).toEqual(await call('draft_guard', guard));
  for (const parts of [[collateral], [owed(100n), owed(50n, '8')], [position({ debt: 10n })], []]) {
    expect(await drafted(...parts)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^market is required/),
    });
  }
});

test('AG-208: a market may be an id, in any case, and is its own protocol’s', async () => {
  const drafted = await call('draft_guard', { ...guard, market: ` 0x${acmeMarket.slice(2).toUpperCase()}` });
  if (!drafted.ok) throw new Error(drafted.message);
  const data = drafted.value.calls[1]?.data as `0x${string}`;
  expect(decodeFunctionData({ abi: loanGuardAbi, data }).args?.[0]).toMatchObject({
    ...{ adapter: at('7'), market: acmeMarket },
  });
  for (const market of ['0x12', `${acmeMarket}00`]) {
    expect(await call('draft_guard', { ...guard, market })).toMatchObject({ code: 'invalid_address' });
  }
});

test("no guard is drafted whose amounts are of another token than the market's debt", async () => {
  expect(await call('draft_guard', { ...guard, market: at('8') })).toMatchObject({
    ok: false,
    code: 'invalid_input',
    message: "repay: this market's debt is repaid in BTCB, not in USDT.",
  });
  expect(await call('draft_guard', { ...guard, repay: 'BTCB' })).toMatchObject({
    message: "repay: this market's debt is repaid in USDT, not in BTCB.",
  });
  expect(await call('draft_guard', { ...guard, market: at('0') })).toMatchObject({
    message: 'market: unknown to the protocol.',
  });
});

test('AG-208: a revocation ends what was named and nothing else', async () => {
  const drafted = async (input: object) => {
    const result = await call('draft_revoke', input);
    return result.ok ? result.value.calls[0] : result.code;
  };
  const planCall = await drafted({ what: 'plan', id: 1 });
  expect(planCall).toMatchObject({ kind: 'cancel', to: own.planRegistry });
  expect(decodeFunctionData({ abi: planRegistryAbi, data: (planCall as { data: `0x${string}` }).data }).args).toEqual([
    1n,
  ]);
  expect(await drafted({ what: 'guard', id: '1' })).toMatchObject({ kind: 'cancel', to: own.loanGuard });
  const all = await drafted({ what: 'all' });
  expect(all).toMatchObject({ kind: 'revoke', to: own.revocations });
  expect(decodeFunctionData({ abi: revocationsAbi, data: (all as { data: `0x${string}` }).data }).functionName).toBe(
    'revokeAll',
  );
  expect(await drafted({ what: 'plan', id: 77 })).toBe('unknown_plan');
  expect(await drafted({ what: 'all', id: 1 })).toBe('invalid_input');
  expect(await drafted({ what: 'plan' })).toBe('invalid_input');
});

test('AG-208: what cannot be drafted is refused in our words', async () => {
  const wrong: [string, object][] = [
    ['draft_plan', { ...plan, amount: '0' }],
    ['draft_plan', { ...plan, amount: '1e9' }],
    ['draft_plan', { ...plan, amount: `1${'0'.repeat(30)}` }],
    ['draft_plan', { ...plan, buy: 'USDT' }],
    ['draft_plan', { ...plan, recipient: OWNER }],
    ['draft_guard', { ...guard, budget: '99' }],
    ['draft_guard', { ...guard, budget: `100.${'1'.repeat(19)}` }],
    ['draft_guard', { ...guard, trigger_health: '100000000000' }],
  ];
  for (const [tool, input] of wrong) {
    const result = await call(tool, input);
    expect(result, JSON.stringify(input)).toMatchObject({ ok: false, code: 'invalid_input' });
    expect(JSON.stringify(result)).not.toMatch(/viem|Version|\\n/);
  }
  expect(await call('draft_plan', { ...plan, owner: '0x12' })).toMatchObject({ code: 'invalid_address' });
  expect(await call('draft_plan', { ...plan, pay: 'DOGE' })).toMatchObject({ code: 'unknown_asset' });
});

test('AG-208: the approval for a plan leaves what paused plans may still take, and nothing for ended ones', async () => {
  const page = await world.chain.newestPlans({ owner: OWNER, count: 1 });
  for (const [status, approved] of [
    ['paused', 1_155n],
    ['cancelled', 255n],
  ] as const) {
    const newestPlans = async () => ({ ...page, plans: page.plans.map((each) => ({ ...each, status })) });
    const context = { ...world, permissions, chain: { ...world.chain, newestPlans } };
    const drafted = await callTool(tools, context, vi.fn())('draft_plan', plan);
    const [approve] = drafted.ok ? drafted.value.calls : [];
    expect(decodeFunctionData({ abi: erc20Abi, data: approve?.data as `0x${string}` }).args?.[1]).toBe(approved * WAD);
  }
});

test('AG-208: no approval is drafted while other plans of the owner cannot be read', async () => {
  const page = await world.chain.newestPlans({ owner: OWNER, count: 1 });
  for (const newestPlans of [unavailable, async () => ({ ...page, unread: 1 }), async () => ({ ...page, next: 1n })]) {
    const context = { ...world, permissions, chain: { ...world.chain, newestPlans } };
    expect(await callTool(tools, context, vi.fn())('draft_plan', plan)).toMatchObject({
      ok: false,
      code: 'chain_unavailable',
    });
  }
});

describe('AG-208: a guard that sells collateral', () => {
  const sale = {
    borrower: OWNER,
    market: usdtMarket,
    collateral_market: at('8'),
    repay: 'USDT',
    trigger_health: '1.05',
    pool_fee: 500,
    cap_per_rescue: '100',
    cap_per_day: '200',
    min_repay: '1',
    sell_at_most: '3',
  };

  test('is the approval of the receipts, then the guard, at 2 %, a target of 1.15 and a cooldown of five minutes unless the owner says more', async () => {
    const drafted = await call('draft_collateral_guard', sale);
    if (!drafted.ok) throw new Error(drafted.message);
    const [approve, register] = drafted.value.calls;
    expect(drafted.value.calls.map(({ kind, to }) => [kind, to])).toEqual([
      ['approve', at('3')],
      ['register', own.collateralGuard],
    ]);
    // Three BTCB, at two base units for a receipt.
    expect(decodeFunctionData({ abi: erc20Abi, data: approve?.data as `0x${string}` }).args).toEqual([
      own.collateralGuard,
      (3n * WAD) / 2n,
    ]);
    const { functionName, args } = decodeFunctionData({
      abi: collateralGuardAbi,
      data: register?.data as `0x${string}`,
    });
    expect(functionName).toBe('register');
    expect(args?.[0]).toMatchObject({
      borrower: OWNER,
      funder: OWNER,
      adapter: at('2'),
      maxCostBps: 200,
      cooldownSeconds: 300,
      targetHealthWad: (115n * WAD) / 100n,
      priceSource: expect.stringMatching(new RegExp(own.chainlinkPriceSource, 'i')),
      keeper: zeroAddress,
      route: { firstFee: 500, firstToken: zeroAddress },
    });
    expect(drafted.value).toMatchObject({ cost_at_most: '2 USDT (2 %)', warnings: [] });
  });

  test('warns of a bound that would stop it in a crash, and drafts none that acts before the wallet’s guard', async () => {
    const tight = await call('draft_collateral_guard', { ...sale, max_cost_bps: 99 });
    expect(tight).toMatchObject({ ok: true, value: { warnings: ['cost_tight'] } });
    const [held] = (await world.chain.guardsOf(OWNER, 5)).guards;
    const wallet = { ...(held as Guard), borrower: OWNER, market: pad(usdtMarket), status: 'active' as const };
    const guards = [{ ...wallet, triggerHealthWad: (105n * WAD) / 100n, expiresAt: NOW + 10n } as Guard];
    const guardsOf = async () => ({ guards, total: 1, unread: 0 });
    const ask = callTool(tools, { ...world, permissions, chain: { ...world.chain, guardsOf } }, vi.fn());
    expect(await ask('draft_collateral_guard', sale)).toMatchObject({ ok: false, code: 'invalid_input' });
    expect(await ask('draft_collateral_guard', { ...sale, trigger_health: '1.049' })).toMatchObject({ ok: true });
  });

  test('is ended by its own name', async () => {
    const guard = async () => ({ ...((await world.chain.guardsOf(OWNER, 5)).guards[0] as Guard), sale: {} as never });
    const ask = callTool(tools, { ...world, permissions, chain: { ...world.chain, guard } }, vi.fn());
    expect(await ask('draft_revoke', { what: 'guard', id: 'collateral-7' })).toMatchObject({
      value: { calls: [{ kind: 'cancel', to: own.collateralGuard }] },
    });
    expect(await ask('draft_revoke', { what: 'plan', id: 'collateral-7' })).toMatchObject({ code: 'invalid_input' });
  });
});
