import { connectChain } from '@bowline/chain/chain-client';
import { createSaleRouter } from '@bowline/chain/sale-routes';
import { SALE_GAS } from '@bowline/core/domain/lending';
import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { encodeFunctionData, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { collateralGuardAbi, revocationsAbi } from '../../../../abis/index.ts';
import { erc20Abi } from '../../../../lab/world/abis.ts';
import { tokens } from '../../../../lab/world/addresses.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { alice, approve, balance, bob, carol, give } from '../../../../test/local/accounts.ts';
import { createCalls, keeperCalls } from '../../../src/sending/calls.ts';
import { brokenRule } from '../../../src/sending/signing-policy.ts';
import { introduce, setGuard, stranger } from '../../loans.ts';
import { borrowAndSpend, noRoute, saleContracts, salesOf, saleTerms, setSale } from '../../sales.ts';
import { keepLog } from '../world.ts';
import { dave, guardedChain, guarding } from './guarded.ts';

// Loans that save themselves, on the real contracts.

const { world, deps, tick } = guardedChain(async (made) => {
  await borrowAndSpend(made.chain, bob, '28500');
  await setSale(made, bob);
});

const fall = (usd = 3_800n) => setPrice(world().chain, carol, 'ETH', usd * 10n ** 8n);
const sales = (id = 1n) => salesOf(world(), id);

test('a borrower without idle tokens is rescued out of the collateral, at the owner’s cost at most', async () => {
  const { chain } = world();
  await fall();
  const log = keepLog();
  expect(await tick({ log })).toEqual({ guards: 1, due: 1, rescued: 1 });
  const [done] = await sales();
  expect(done?.repayment).toMatchObject({ outcome: 1 });
  expect(done?.repayment.healthAfterWad).toBeGreaterThanOrEqual(parseEther('1.15'));
  // Valued at 3,800 USD, the higher of both prices; at most 2 % above what is repaid.
  expect(((done?.sold ?? 0n) * 3_800n * 100n) / 102n).toBeLessThanOrEqual(done?.repayment.repaid ?? 0n);
  expect(await balance(chain, bob, tokens.USDT)).toBe(0n);
  const [line] = log.lines.filter(({ event }) => event === 'rescue.done');
  expect(line).toMatchObject({
    guardId: 'collateral-1',
    borrower: bob,
    outcome: 'full',
    sold: expect.stringMatching(/ ETH$/),
  });
  expect(await tick()).toMatchObject({ due: 0, 'skipped.cooling_down': 1 });
});

describe('CG-27: several guards on one loan', () => {
  test('the wallet pays first, and the collateral stays where it is', async () => {
    const { chain } = world();
    await give(chain, bob, 'USDT', '50000');
    await setGuard(world(), bob);
    await fall();
    expect(await tick()).toMatchObject({ guards: 2, due: 1, rescued: 1, 'skipped.left_to_other_guard': 1 });
    expect(await sales()).toEqual([]);
    expect(await tick()).toMatchObject({ due: 0, 'skipped.health_not_below_trigger': 1, 'skipped.cooling_down': 1 });
  });

  test('the collateral pays in the same round where the wallet cannot', async () => {
    const { chain, book } = world();
    await setGuard(world(), bob);
    await approve(chain, bob, 'USDT', book.own.loanGuard, 0n);
    await fall();
    expect(await tick()).toMatchObject({ due: 1, rescued: 1, 'skipped.allowance_too_low': 1 });
    expect(await sales()).toHaveLength(1);
  });

  test('another account’s deposit pays before the collateral', async () => {
    const { calls, previewer } = deps();
    const { guards } = await deps().reader.guards();
    const [own] = guards as [Guard];
    const sale = { ...(own.sale as NonNullable<Guard['sale']>), funding: 'savings' } as const;
    const savings: Guard = { ...own, id: 2n, funder: dave, sale };
    const tried: string[] = [];
    const rescues: typeof previewer.rescues = async ({ label }) => {
      tried.push(label);
      return [{ error: 'balance_too_low' }];
    };
    const block = { number: 1n, timestamp: (await world().chain.getBlock()).timestamp };
    const reader = { ...deps().reader, guards: async () => ({ block, guards: [own, savings], unread: 0 }) };
    await fall();
    await tick({ reader, calls, previewer: { rescues } });
    expect(tried).toEqual(['rescue by guard collateral-2', 'rescue by guard collateral-1']);
  });
});

describe('pools', () => {
  test('are the keeper’s choice where the terms name none', async () => {
    await setSale(world(), bob, { keeper: alice, route: noRoute, triggerHealthWad: parseEther('1.09') });
    await fall(3_860n);
    expect(await tick()).toMatchObject({ due: 1, rescued: 1 });
    expect(await sales(2n)).toHaveLength(1);
  });

  test('that a lying node names cost the owner nothing: the contract refuses them by name', async () => {
    await setSale(world(), bob, { keeper: alice, route: noRoute, triggerHealthWad: parseEther('1.09') });
    await fall(3_860n);
    const lying = async (guard: Guard): Promise<Guard> => {
      const { sale } = guard;
      return sale && sale.route === undefined
        ? { ...guard, sale: { ...sale, route: { ...noRoute, firstFee: 77 } } }
        : guard;
    };
    expect(await tick({ router: { routed: lying } })).toMatchObject({ due: 0, 'skipped.pool_missing': 1 });
    expect(await sales(2n)).toEqual([]);
  });

  test('are looked for again while none would do', async () => {
    const { url, book } = world();
    const router = createSaleRouter(connectChain(url), book, alice);
    await setSale(world(), bob, { keeper: alice, route: noRoute });
    const guard = await deps().reader.guard('collateral-2');
    // Nothing is due: every pool is refused for the loan's health.
    expect(await router.routed(guard)).toMatchObject({ sale: { route: { firstFee: expect.any(Number) } } });
    const named = await deps().reader.guard('collateral-1');
    expect(await router.routed(named)).toBe(named);
  });
});

test('LG-20: a list has the gas for whatever its rescues need, and four lists fit into a block of 55 million', async () => {
  const { chain } = world();
  const { calls } = deps();
  const { guards } = await deps().reader.guards();
  const list = Array.from({ length: calls.maxSales }, () => guards[0] as Guard);
  const { gas, data } = calls.rescueMany(list);
  const needed = await chain.readContract({
    ...{ address: saleContracts(world()).collateralGuard, abi: collateralGuardAbi, functionName: 'gasLimitOf' },
    args: [BigInt(calls.maxSales), 0n],
  });
  expect(gas).toBeGreaterThanOrEqual((needed as bigint) + 21_000n + 16n * BigInt(data.length / 2 - 1));
  expect(gas).toBeLessThan(16_000_000n);
  expect(4n * gas).toBeLessThanOrEqual(55_000_000n);
  expect(calls.rescue(guards[0] as Guard).gas).toBe(SALE_GAS);
});

test('LG-20: several loans are rescued in one transaction, and one that fails harms no other', async () => {
  const { chain } = world();
  const others = [stranger(501), stranger(502)] as const;
  for (const borrower of others) {
    await introduce(chain, borrower);
    await borrowAndSpend(chain, borrower, '28500');
    await setSale(world(), borrower);
  }
  await fall();
  const log = keepLog();
  const from = await chain.getBlockNumber();
  expect(await tick({ log })).toEqual({ guards: 3, due: 3, rescued: 3 });
  expect((await chain.getBlockNumber()) - from).toBe(1n);
  expect(await sales(2n)).toHaveLength(1);
});

test('LG-11: a revocation ends it before the next rescue', async () => {
  const { chain, book } = world();
  await fall();
  await chain.send(bob, book.own.revocations, { abi: revocationsAbi, functionName: 'revokeAll' });
  expect(await tick()).toMatchObject({ due: 0, 'skipped.guard_revoked': 1 });
  expect(await sales()).toEqual([]);
});

test('AG-9: whoever has the keeper’s key can rescue, and nothing else', async () => {
  const { book } = world();
  const { collateralGuard } = saleContracts(world());
  const bounds = { maxGasPriceWei: WAD, rescueMaxGasPriceWei: WAD, maxDayWei: WAD };
  const policy = { chainId: 31_337, calls: keeperCalls(book.own, bounds) };
  const transaction = (data: `0x${string}`, to = collateralGuard) =>
    ({ type: 'legacy', chainId: 31_337, nonce: 0, to, data, value: 0n, gas: 1_000_000n, gasPrice: 1n }) as const;
  const terms = saleTerms(world(), alice, 0n);
  const register = encodeFunctionData({ abi: collateralGuardAbi, functionName: 'register', args: [terms] });
  expect(brokenRule(policy, transaction(register), 0n, 0n)).toBe('selector');
  const cancel = encodeFunctionData({ abi: collateralGuardAbi, functionName: 'cancel', args: [1n] });
  expect(brokenRule(policy, transaction(cancel), 0n, 0n)).toBe('selector');
  const [guard] = (await deps().reader.guards()).guards;
  expect(brokenRule(policy, transaction(createCalls(book.own).rescue(guard as Guard).data), 0n, 0n)).toBe(undefined);
  const receipts = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [alice, 1n] });
  expect(brokenRule(policy, transaction(receipts, tokens.ETH), 0n, 0n)).toBe('target');
});

test('a deployment without CollateralGuard rescues as before', async () => {
  const { collateralGuard: _, ...own } = world().book.own;
  expect(keeperCalls(own, { maxGasPriceWei: 1n, rescueMaxGasPriceWei: 1n, maxDayWei: 1n })).toHaveLength(5);
  await fall();
  const without = { ...world(), book: { ...world().book, own } };
  const { loanGuardDeps } = await import('../world.ts');
  expect((await guarding(loanGuardDeps(without))()).counts).toEqual({ guards: 0, due: 0 });
});
