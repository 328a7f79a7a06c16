import type { Position } from '@bowline/core/domain/loan-part';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import { ask, OWNER, position, world } from './world.ts';

// A loan of 10 BTCB at 100 USD, 80 % of which count, and 500 USDT of debt: health 1.6.

const btcb = position({ token: BTCB.address, supplied: 10n, usd: 100n });
const usdt = position({ token: USDT.address, debt: 500n, usd: 1n });
const { parts: _, ...bare } = await world.chain.loan(OWNER);
const loanOf = (parts: readonly Position[] | null) => {
  const sum = (of: (part: Position) => bigint) => (parts ?? []).reduce((total, part) => total + of(part), 0n);
  const [debtUsdWad, weightedCollateralUsdWad] = [sum(({ debtWad }) => debtWad), sum(({ weightedWad }) => weightedWad)];
  const loan = async () => ({
    ...bare,
    ...{ debtUsdWad, weightedCollateralUsdWad },
    healthWad: debtUsdWad === 0n ? undefined : (weightedCollateralUsdWad * WAD) / debtUsdWad,
    ...(parts && { parts }),
  });
  return { ...world, chain: { ...world.chain, loan } } as typeof world;
};
const whatIf = (input: object, parts: readonly Position[] | null = [btcb, usdt]) =>
  ask('what_if', { borrower: OWNER, ...input }, loanOf(parts));

test('what a fall does to a loan, and what would mend it', async () => {
  expect(await whatIf({ asset: 'BTCB', change_percent: '-40%' })).toMatchObject({
    changed: ['BTCB'],
    change_percent: '-40',
    health_now: '1.6',
    health: '0.96',
    can_be_liquidated: true,
    // 625 USD of weight for a health of 1.25: 145 USD at 80 % of 60 USD each, or 116 USD less debt.
    add: [{ asset: 'BTCB', amount: '3.020833333333333334' }],
    repay: [{ asset: 'USDT', amount: '116' }],
  });
});

test('what is added or repaid reaches the target', async () => {
  const added = position({ token: BTCB.address, supplied: 10n, usd: 60n });
  const grown = { ...added, weightedWad: (added.weightedWad * 13_020_833_333_333_333_334n) / (10n * WAD) };
  expect(await whatIf({}, [grown, usdt])).toMatchObject({ health: '1.25', add: [], repay: [] });
  expect(await whatIf({}, [added, position({ token: USDT.address, debt: 384n, usd: 1n })])).toMatchObject({
    health: '1.25',
    add: [],
  });
});

test('a loan that has what it needs lacks nothing, and one without debt has no health', async () => {
  expect(await whatIf({})).toMatchObject({
    changed: ['BTCB'],
    health: '1.6',
    can_be_liquidated: false,
    add: [],
    repay: [],
  });
  expect(await whatIf({ target_health: 2 })).toMatchObject({ add: [{ amount: '2.5' }], repay: [{ amount: '100' }] });
  expect(await whatIf({ change_percent: -90 }, [btcb])).toMatchObject({ health: null, add: [], repay: [] });
});

test('a debt rises with its price, and more than a whole debt repays nothing', async () => {
  const eth = position({ token: OWNER, debt: 1n, usd: 100n });
  const both = [btcb, usdt, eth];
  expect(await whatIf({ change_percent: '100' }, both)).toMatchObject({
    changed: ['BTCB'],
    health: '2.666666666666666666',
  });
  // 600 USD are owed, but the unlisted asset's 100 cannot be given in units.
  expect(await whatIf({ target_health: '50' }, both)).toMatchObject({ repay: [] });
});

test.each([
  [{ asset: 'USDT' }, undefined],
  [{ asset: 'DOGE' }, 'unknown_asset'],
  [{ change_percent: '-101' }, 'change_percent must be percent from -100'],
  [{ change_percent: 'half' }, 'change_percent must be percent'],
  [{ target_health: '1' }, 'target_health must be above 1'],
])('%j is %s', async (input, refusal) => {
  if (refusal === undefined) expect(await whatIf(input)).toMatchObject({ changed: ['USDT'] });
  else await expect(whatIf(input)).rejects.toThrow(refusal);
});

test('a loan whose parts cannot be read is no answer', async () => {
  await expect(whatIf({}, null)).rejects.toThrow('market_unavailable');
  await expect(whatIf({ asset: 'BTCB' }, [usdt])).rejects.toThrow('The loan has no BTCB');
});

test('loan_health tells each market’s part and the price that leads to liquidation', async () => {
  const { positions } = await ask('loan_health', { borrower: OWNER }, loanOf([btcb, usdt]));
  expect(positions).toMatchObject([
    {
      asset: 'BTCB',
      supplied: '10',
      debt: '0',
      price_usd: '100.00',
      liquidation_price_usd: '62.50',
      fall_to_liquidation_percent: '37.5',
    },
    { asset: 'USDT', supplied: '0', debt: '500', price_usd: '1.00', liquidation_price_usd: null },
  ]);
  expect(await ask('loan_health', { borrower: OWNER }, loanOf(null))).toMatchObject({ positions: null });
});
