import { connectChain } from '@bowline/chain/chain-client';
import { createPenaltyReader } from '@bowline/chain/penalty-reader';
import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { parseEther, parseGwei, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { moolahMarketOf } from '../../../../lab/world/moolah.ts';
import { bob, carol } from '../../../../test/local/accounts.ts';
import { BorrowerGas, maxGasPriceOf } from '../../../src/loops/loan-guard/plan.ts';
import { keeperSender } from '../world.ts';
import { guard as terms } from './guard.ts';
import { guardedChain, guarding } from './guarded.ts';

// AG-393: what a rescue may pay for gas follows from the penalty that it saves.

const { world, deps, borrow, setGuard, fall, rescuesOf, judging, tick } = guardedChain();
const penalties = () => createPenaltyReader(connectChain(world().url), world().book.lending);
/** The agent's own sender, on a node that asks for this gas price. */
function senderAt(gwei: string) {
  const client = connectChain(world().url);
  return keeperSender(world(), { client: { ...client, getGasPrice: async () => parseGwei(gwei) } });
}

test('the penalty is the protocol’s own, and of a protocol that is not listed not known', async () => {
  const { own } = world().book;
  const market = terms.market;
  expect(await penalties().penaltyWad({ adapter: own.venusMarket, market })).toBe(parseEther('0.1'));
  const ofMoolah = { adapter: own.moolahMarket ?? zeroAddress, market: moolahMarketOf('ETH').id };
  // 80 % count: 1 / (1 - 0.3 · 0.2).
  expect(Number(await penalties().penaltyWad(ofMoolah)) / 1e18).toBeCloseTo(1 / 0.94 - 1, 12);
  expect(await penalties().penaltyWad({ adapter: zeroAddress, market })).toBeUndefined();
});

describe('a rescue', () => {
  test('that saves less than twice its gas is not made, until gas is cheaper, and others are', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '70000');
    // Six dollars, of which a liquidation would take sixty cents.
    await setGuard(bob, { capPerRescue: parseEther('6'), minRepay: parseEther('6') });
    await setGuard(carol);
    await fall(93_000n);
    const alone = judging((ids) => (ids.length > 1 ? Promise.resolve([]) : undefined));
    const next = guarding(deps({ penalties: penalties(), previewer: alone, sender: senderAt('3') }));
    expect((await next()).counts).toEqual({ guards: 2, due: 2, rescued: 1, 'skipped.not_worth_gas': 1 });
    expect((await rescuesOf(1n)).length).toBe(0);
    expect((await rescuesOf(2n)).length).toBe(1);
    expect(await tick({ penalties: penalties(), sender: senderAt('0.01') })).toMatchObject({ rescued: 1 });
  });

  test('that saves much is made at ten times the price of others', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const unknown = { guards: 1, due: 1, 'not_allowed.gas_price': 1 };
    expect(await tick({ sender: senderAt('100') })).toEqual(unknown);
    expect(await tick({ penalties: penalties(), sender: senderAt('201') })).toEqual(unknown);
    expect(await tick({ penalties: penalties(), sender: senderAt('100') })).toMatchObject({ rescued: 1 });
  });

  test('waits for the next day when its borrower’s rescues have cost what they may', async () => {
    await borrow(bob, '70000');
    await setGuard(bob, { cooldownSeconds: 0 });
    const serving = { ...deps().serving, minimumCooldownSeconds: 0n };
    const at = { now: 1_000n };
    const next = guarding(deps({ serving, borrowerDayWei: 1n, sender: senderAt('1'), clock: () => at.now }));
    await fall(93_000n);
    expect((await next()).counts).toMatchObject({ rescued: 1 });
    await fall(80_000n);
    expect((await next()).counts).toEqual({ guards: 1, due: 0, 'skipped.borrower_gas_day': 1 });
    expect(await tick({ serving, sender: senderAt('1') })).toMatchObject({ rescued: 1 });
  });
});

const saving = (savedWei: bigint | undefined, changes: Partial<Guard> = {}) => ({
  guard: { ...terms, ...changes },
  savedWei,
});

test('half of what it saves may be paid for its gas, of a list as of one; without a figure any price of others', () => {
  expect(maxGasPriceOf([saving(14n * WAD)])).toBe((7n * WAD) / 700_000n);
  expect(maxGasPriceOf([saving(14n * WAD), saving(0n)])).toBe((7n * WAD) / 1_400_000n);
  expect(maxGasPriceOf([saving(32n * WAD, { sale: {} as NonNullable<Guard['sale']> })])).toBe((16n * WAD) / 1_600_000n);
  expect(maxGasPriceOf([saving(14n * WAD), saving(undefined)])).toBeUndefined();
});

test('gas is counted for each borrower of a list, until midnight UTC', () => {
  const gas = new BorrowerGas();
  const [own, other] = [terms, { ...terms, borrower: zeroAddress }];
  const upper = { ...terms, borrower: `0x${terms.borrower.slice(2).toUpperCase()}` } as const;
  gas.add([own, other], 10n, 86_399n);
  gas.add([upper], 3n, 86_399n);
  expect([own, other].map((guard) => gas.paidWei(guard, 86_399n))).toEqual([8n, 5n]);
  expect(gas.paidWei(own, 86_400n)).toBe(0n);
});
