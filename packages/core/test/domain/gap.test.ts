import { describe, expect, test } from 'vitest';
import { type LoanPart, type UsualMove, usualGapOf } from '../../domain/gap.ts';
import { type Address, WAD } from '../../domain/units.ts';
import { usualMoveHours, usualMoveOf } from '../../registry/gaps.ts';

const [btc, bnb, usdt, other] = ['0xb1', '0xb2', '0xd1', '0xee'] as [Address, Address, Address, Address];
const moves = new Map<Address, UsualMove>([
  [btc, { fallBps: 1_000, riseBps: 600 }],
  [bnb, { fallBps: 2_000, riseBps: 700 }],
  [usdt, { fallBps: 0, riseBps: 0 }],
]);
const gapOf = (...parts: readonly LoanPart[]) => usualGapOf(parts, (token) => moves.get(token));
const holds = (token: Address, usd: bigint): LoanPart => ({ token, debtWad: 0n, weightedWad: usd * WAD });
const owes = (token: Address, usd: bigint): LoanPart => ({ token, debtWad: usd * WAD, weightedWad: 0n });

describe('the usual gap of a loan', () => {
  test('is its collateral’s fall, and asks for the health that is 1 after it', () => {
    expect(gapOf(holds(btc, 100n), owes(usdt, 80n))).toEqual({
      ...{ fallBps: 1_000, riseBps: 0 },
      // 1 / 0.9, rounded up.
      healthWad: 1_111_111_111_111_111_112n,
    });
  });

  test('weighs several assets by their values, rounded up', () => {
    expect(gapOf(holds(btc, 75n), holds(bnb, 25n), owes(usdt, 50n))).toMatchObject({ fallBps: 1_250 });
    expect(gapOf(holds(btc, 2n), holds(bnb, 1n), owes(usdt, 1n))).toMatchObject({ fallBps: 1_334 });
  });

  test('counts the debt’s rise as well, and debt at a fixed price', () => {
    expect(gapOf(holds(usdt, 100n), owes(bnb, 50n))).toMatchObject({
      fallBps: 0,
      riseBps: 700,
      healthWad: 107n * 10n ** 16n,
    });
    const vai: LoanPart = { debtWad: 50n * WAD, weightedWad: 0n };
    expect(gapOf(holds(usdt, 200n), owes(bnb, 50n), vai)).toMatchObject({ riseBps: 350 });
  });

  test('leaves a loan at that health exactly solvent, and one below it not', () => {
    const { healthWad, fallBps, riseBps } = gapOf(holds(bnb, 100n), owes(btc, 60n)) as NonNullable<
      ReturnType<typeof gapOf>
    >;
    const debt = 1_000_000n * WAD;
    const after = (weighted: bigint) =>
      (weighted * BigInt(10_000 - fallBps)) / 10_000n >= (debt * BigInt(10_000 + riseBps)) / 10_000n;
    expect(after((healthWad * debt) / WAD)).toBe(true);
    expect(after(((healthWad - 10n) * debt) / WAD)).toBe(false);
  });

  test('is not known without a debt, without collateral, or for an asset that nobody has measured', () => {
    expect(gapOf(holds(btc, 100n))).toBe(undefined);
    expect(gapOf(owes(usdt, 100n))).toBe(undefined);
    expect(gapOf(holds(btc, 100n), holds(other, 1n), owes(usdt, 1n))).toBe(undefined);
    // An asset that is neither held nor owed changes nothing.
    expect(gapOf(holds(btc, 100n), holds(other, 0n), owes(usdt, 1n))).toMatchObject({ fallBps: 1_000 });
  });
});

test('the registry has the moves of the assets that Venus lends against', () => {
  expect(usualMoveHours).toBe(1_000);
  for (const symbol of ['BTCB', 'ETH', 'WBNB']) {
    const { fallBps, riseBps } = usualMoveOf(symbol) as UsualMove;
    expect(fallBps, symbol).toBeGreaterThan(500);
    expect(riseBps, symbol).toBeGreaterThan(400);
    expect(Math.max(fallBps, riseBps), symbol).toBeLessThan(1_500);
  }
  expect(usualMoveOf('USDT')).toEqual({ fallBps: 0, riseBps: 0 });
  expect(usualMoveOf('DOT')).toBe(undefined);
});
