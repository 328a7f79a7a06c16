import { guardIrregularities } from '@bowline/core/audit/irregularities';
import { coverageOf } from '@bowline/core/domain/guard-cover';
import { fundedGuard } from '@bowline/core/domain/guarded-loan';
import type { Guard } from '@bowline/core/domain/permissions';
import { UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { type Address, type Hex, maxUint128, pad, parseAbi, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collateralGuardAbi, revocationsAbi } from '../../../abis/index.ts';
import { borrow, setGuard } from '../../../agent/test/loans.ts';
import { borrowAndSpend, noRoute, saleContracts, salesOf, setSale } from '../../../agent/test/sales.ts';
import { erc20Abi } from '../../../lab/world/abis.ts';
import { tokens, venus } from '../../../lab/world/addresses.ts';
import { setPrice } from '../../../lab/world/oracle.ts';
import { alice, bob, carol } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createGuardFunds } from '../guard-funds.ts';
import { createGuardReader } from '../guard-reader.ts';
import { readGuardHistories } from '../history.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';

const { vETH, vUSDT } = venus.markets;

let deployed: DeployedChain;
let clean: Hex;
beforeAll(async () => {
  deployed = await startDeployedChain();
  const { chain } = deployed;
  await borrowAndSpend(chain, bob, '28500');
  await setSale(deployed, bob);
}, 180_000);
afterAll(() => deployed?.stop());
beforeEach(async () => {
  clean = await deployed.chain.snapshot();
});
afterEach(() => deployed.chain.revert({ id: clean }));

const reader = () => createGuardReader(connectChain(deployed.url), deployed.book, alice);
const fall = (usd: bigint) => setPrice(deployed.chain, carol, 'ETH', usd * 10n ** 8n);
const means = async (guard: Guard) =>
  (await createGuardFunds(connectChain(deployed.url), deployed.book).guardFunds([guard]))[0];

async function coverage(guard: Guard) {
  const loan = await reader().guardedLoan(guard);
  const { timestamp } = await deployed.chain.getBlock();
  const adapter = deployed.book.own.venusMarket;
  const protocol = { adapter, collateralAdapter: guard.adapter };
  return coverageOf(fundedGuard(guard, await means(guard)), { ...loan, protocol }, timestamp, true);
}

const rescue = (id: bigint, route = noRoute, by: Address = carol) =>
  deployed.chain.send(by, saleContracts(deployed).collateralGuard, {
    abi: collateralGuardAbi,
    functionName: 'rescue',
    args: [id, route],
  });

describe('guards of both contracts', () => {
  it('are read together, each by its own number', async () => {
    const { chain } = deployed;
    await borrow(chain, carol, '60000');
    await setGuard(deployed, carol);
    const { guards, unread } = await reader().guards();
    expect(unread).toBe(0);
    expect(guards.map(({ id, sale }) => [id, sale?.funding])).toEqual([
      [1n, undefined],
      [1n, 'collateral'],
    ]);
    const { borrower } = await reader().guard('collateral-1');
    expect(borrower).toBe(bob);
    expect((await reader().guard(1n)).borrower).toBe(carol);
    await expect(reader().guard('collateral-2')).rejects.toMatchObject({
      code: 'unknown_guard',
      message: 'There is no guard collateral-2.',
    });
    expect(await reader().guardsOf(bob, 5)).toMatchObject({
      total: 1,
      unread: 0,
      guards: [{ sale: { maxCostBps: 200 } }],
    });
  });

  it('of deposits say what they sell, for how much at most, and over which pool', async () => {
    const guard = await reader().guard('collateral-1');
    expect(guard).toMatchObject({
      market: pad(vUSDT).toLowerCase(),
      repayToken: tokens.USDT,
      lastRescueAt: 0n,
      status: 'active',
      sale: {
        funding: 'collateral',
        collateralMarket: pad(vETH).toLowerCase(),
        collateralToken: tokens.ETH,
        maxCostBps: 200,
        route: { firstFee: 500 },
      },
    });
    const { healthWad, protocol } = await reader().healthOf(guard);
    expect(Number(healthWad) / 1e18).toBeCloseTo(32_000 / 28_500, 4);
    expect(protocol).toBe('Venus');
  });

  it('end by one revocation', async () => {
    const { chain, book } = deployed;
    await chain.send(bob, book.own.revocations, { abi: revocationsAbi, functionName: 'revokeAll' });
    expect((await reader().guard('collateral-1')).status).toBe('revoked');
    expect((await reader().guards()).guards).toMatchObject([{ status: 'revoked' }]);
  });
});

describe('what a rescue would do now', () => {
  it('is what the contract then does, before and at the trigger', async () => {
    const guard = await reader().guard('collateral-1');
    expect(await reader().preview('collateral-1')).toEqual({ error: 'health_not_below_trigger' });
    const before = await coverage(guard);
    expect(before).toMatchObject({ state: 'full', isForced: false });
    expect('due' in before).toBe(false);

    await fall(3_800n);
    const preview = await reader().preview('collateral-1');
    const due = await coverage(guard);
    if (!('repay' in preview) || due.state === 'unable') throw new Error(JSON.stringify(due, undefined, 1));
    expect(due.due?.by).toBe('protocol');
    // Interest of a block or two.
    expect(Number(due.amount - preview.repay) / 1e18).toBeCloseTo(0, 1);
    await rescue(1n);
    const [done] = await salesOf(deployed, 1n);
    expect(Number((done?.repayment.repaid ?? 0n) - preview.repay) / 1e18).toBeCloseTo(0, 1);
    expect(done?.repayment.healthAfterWad).toBeGreaterThanOrEqual(parseEther('1.15'));
    expect(
      await deployed.chain.readContract({
        address: tokens.USDT,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [bob],
      }),
    ).toBe(0n);
  });

  it('names what the protocol refuses', async () => {
    const { chain } = deployed;
    const guard = await reader().guard('collateral-1');
    const pausing = parseAbi(['function setActionsPaused(address[] markets, uint8[] actions, bool paused)']);
    const permit = parseAbi(['function giveCallPermission(address target, string signature, address account)']);
    await chain.impersonateAccount({ address: venus.timelock });
    const signature = '_setActionsPaused(address[],uint8[],bool)';
    await chain.send(venus.timelock, venus.accessControl, {
      ...{ abi: permit, functionName: 'giveCallPermission', args: [venus.comptroller, signature, venus.timelock] },
    });
    await chain.impersonateAccount({ address: venus.timelock });
    const pause = (action: number, paused: boolean) =>
      chain.send(venus.timelock, venus.comptroller, {
        ...{ abi: pausing, functionName: 'setActionsPaused', args: [[vETH], [action], paused] },
      });
    await fall(3_800n);
    for (const [action, reason] of [
      [6, 'transfer_paused'],
      [1, 'withdrawal_paused'],
    ] as const) {
      await pause(action, true);
      expect(await coverage(guard)).toEqual({ state: 'unable', why: reason });
      expect(await reader().preview('collateral-1')).toEqual({ error: reason });
      await pause(action, false);
    }
    expect(await coverage(guard)).toMatchObject({ state: 'full' });
  });

  it('names an allowance that is taken back, and a loan that a sale would harm', async () => {
    const { chain } = deployed;
    const { collateralGuard } = saleContracts(deployed);
    const guard = await reader().guard('collateral-1');
    const allow = (amount: bigint) =>
      chain.send(bob, vETH, { abi: erc20Abi, functionName: 'approve', args: [collateralGuard, amount] });
    await allow(0n);
    await fall(3_800n);
    expect(await coverage(guard)).toEqual({ state: 'unable', why: 'no_allowance' });
    expect(await reader().preview('collateral-1')).toEqual({ error: 'allowance_too_low' });
    await allow(maxUint128);
    await fall(2_800n);
    expect(await coverage(guard)).toEqual({ state: 'unable', why: 'sale_would_harm' });
    expect(await reader().preview('collateral-1')).toEqual({ error: 'sale_would_harm' });
  });

  it('is what the receipts repay at the highest cost, where they are too few', async () => {
    const { chain } = deployed;
    const { collateralGuard } = saleContracts(deployed);
    const held = { address: vETH, abi: erc20Abi } as const;
    const deposit = await chain.readContract({ ...held, functionName: 'balanceOf', args: [bob] });
    await chain.send(bob, vETH, { abi: erc20Abi, functionName: 'approve', args: [collateralGuard, deposit / 20n] });
    await fall(3_800n);
    const due = await coverage(await reader().guard('collateral-1'));
    const preview = await reader().preview('collateral-1');
    if (due.state !== 'part' || !('repay' in preview)) throw new Error(JSON.stringify(preview));
    expect(Number(due.amount) / Number(preview.repay)).toBeCloseTo(1, 5);
    // Half an ETH is worth 1,900 USD, less the cost.
    expect(Number(due.amount) / 1e18).toBeCloseTo(1_900 / 1.02, 1);
  });

  it('names a withdrawal fee that alone is above the highest cost', async () => {
    const { chain } = deployed;
    const fee = parseAbi(['function _setTreasuryData(address guardian, address treasury, uint256 percent)']);
    await chain.impersonateAccount({ address: venus.timelock });
    await chain.setBalance({ address: venus.timelock, value: parseEther('1') });
    const set = (percent: bigint) =>
      chain.send(venus.timelock, venus.comptroller, {
        ...{ abi: fee, functionName: '_setTreasuryData', args: [venus.timelock, venus.timelock, percent] },
      });
    // The rescue is due while pool and oracle agree: a pool that pays more could make up for the fee.
    await setSale(deployed, bob, { triggerHealthWad: parseEther('1.13'), targetHealthWad: parseEther('1.16') });
    const guard = await reader().guard('collateral-2');
    await set(parseEther('0.0196'));
    expect(await coverage(guard)).toMatchObject({ state: 'full' });
    // After this fee, 1.02 pays out less than 1.
    await set(parseEther('0.0197'));
    expect(await coverage(guard)).toEqual({ state: 'unable', why: 'withdrawal_fee_too_high' });
    expect(await reader().preview('collateral-2')).toEqual({ error: 'pool_too_dear' });
  });

  it('repays the whole debt where the target is none', async () => {
    await setSale(deployed, bob, { targetHealthWad: UNWIND_HEALTH_WAD, triggerHealthWad: parseEther('2') });
    const guard = await reader().guard('collateral-2');
    const due = await coverage(guard);
    const preview = await reader().preview('collateral-2');
    if (!('repay' in preview) || due.state === 'unable') throw new Error(JSON.stringify(preview));
    expect(Number(preview.repay) / 1e18).toBeCloseTo(28_500, 0);
    expect(Number(due.needed - preview.repay) / 1e18).toBeCloseTo(0, 1);
  });
});

it('the history says what was sold, and the audit finds nothing', async () => {
  await fall(3_800n);
  await rescue(1n);
  const client = connectChain(deployed.url);
  const block = await deployed.chain.getBlock();
  const { collateralGuard } = saleContracts(deployed);
  const { found, unread } = await readGuardHistories(client, collateralGuard, [1n], { block, isSale: true });
  expect(unread).toEqual([]);
  const [history] = found;
  if (history === undefined) throw new Error('There is no history.');
  expect(history).toMatchObject({ id: 1n, sale: { maxCostBps: 200 }, terms: { market: pad(vUSDT).toLowerCase() } });
  const [sold] = history.rescues;
  // Two ETH or so, at the pool's 4,000 USD.
  expect(Number(sold?.sold) / 1e18).toBeCloseTo(Number(sold?.repaid) / 4e21, 1);
  expect(sold?.receipts).toBeGreaterThan(0n);
  expect(guardIrregularities(history)).toEqual([]);
  const dear = { ...history, terms: { ...history.terms, capPerRescue: 1n } };
  expect(guardIrregularities(dear)).toEqual([expect.stringContaining('above the cap of 1')]);
});
