import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { type Funded, fundedDownTo } from '../../domain/funded-prices.ts';
import type { FundedGuard, GuardedLoan } from '../../domain/guarded-loan.ts';
import { priceAt, pricesOf } from '../../domain/loan-prices.ts';

// At which prices a guard is funded, even if debt and collateral are the same asset, checked by plain arithmetic.

const WAD = 10n ** 18n;
const market = `0x${'a'.repeat(64)}` as const;
const other = `0x${'b'.repeat(64)}` as const;
const same = { market };

/** In dollars: collateral and debt in ETH at 1,000 USD (`own`, `owed`) and in a stable token (`others`, `rest`). */
interface Position {
  readonly own: number;
  readonly owed: number;
  readonly others: number;
  readonly rest: number;
  readonly repays: 'ETH' | 'stable';
  readonly cap: number;
}

const usd = (dollars: number) => parseEther(dollars.toFixed(6));

function loanOf({ own, owed, others, rest }: Position): GuardedLoan {
  const part = { market, priceWad: usd(1_000), weightedAt: (price: bigint) => (usd(own) * price) / usd(1_000) };
  return {
    ...{ debtUsdWad: usd(owed + rest), weightedUsdWad: usd(own + others), healthWad: WAD },
    markets: [
      { ...same, debt: (usd(owed) * WAD) / usd(1_000) },
      { ...same, market: other, debt: usd(rest) },
    ],
    prices: { [market]: usd(1_000), [other]: WAD },
    parts: [{ ...part, debtAt: (price: bigint) => (usd(owed) * price) / usd(1_000) }],
  } as unknown as GuardedLoan;
}

const guardOf = ({ repays, cap }: Position): FundedGuard => {
  const amount = repays === 'ETH' ? (usd(cap) * WAD) / usd(1_000) : usd(cap);
  return {
    ...{
      market: repays === 'ETH' ? market : other,
      triggerHealthWad: usd(1.1),
      targetHealthWad: usd(1.25),
      expiresAt: 10n,
    },
    ...{ capPerRescue: amount, capPerDay: amount, minRepay: 1n, day: 0n, takenInDay: 0n },
    means: { allowance: amount, balance: amount, marketToken: '0x', isRepayPaused: false },
  } as unknown as FundedGuard;
};

function saidOf(position: Position) {
  const loan = loanOf(position);
  const collateral = { market: same, part: (loan.parts as NonNullable<GuardedLoan['parts']>)[0] as never };
  return { loan, collateral, funded: fundedDownTo(guardOf(position), loan, collateral, 1n) };
}

/** Whether all is well at that share of the price: no liquidation, and a rescue that is due reaches the target. */
function isFine({ own, owed, others, rest, repays, cap }: Position, share: number): boolean {
  const [weighted, debt] = [others + own * share, rest + owed * share];
  const paid = repays === 'ETH' ? Math.min(cap, owed) * share : Math.min(cap, rest);
  return weighted >= debt && (weighted >= 1.1 * debt || weighted >= 1.25 * (debt - paid));
}

const inRange = (funded: Funded, share: number): boolean => {
  if (funded === undefined) return false;
  if (funded === 'any') return true;
  const price = usd(share * 1_000);
  return funded.priceWad <= price && (funded.upToWad === undefined || price <= funded.upToWad);
};

test('a loan that owes more of its collateral than it holds is funded up to a price, and never “at any price”', () => {
  // A stable collateral of 2,000, and ETH on both sides: its fall helps, its rise is the danger.
  const position = { own: 100, owed: 1_000, others: 2_000, rest: 0, repays: 'ETH', cap: 200 } as const;
  const { loan, collateral, funded } = saidOf(position);
  expect(priceAt(loan, collateral, WAD)).toBeUndefined();
  // 2,000 + 100 f = 1,000 f
  expect(pricesOf(loan, collateral, WAD)).toEqual({ fromWad: 0n, toWad: 2_222_222222222222222222n });
  // 2,000 + 100 f = 1.25 · 800 f
  expect(funded).toEqual({ priceWad: 0n, upToWad: 2_222_222222222222222222n });
  // No repayment that the guard allows restores the loan, at any price.
  expect(saidOf({ ...position, others: 0 }).funded).toBeUndefined();
});

test('what is called funded is so by the sums themselves, in 1,000 random loans', () => {
  let state = 7;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const wrong: object[] = [];
  const kinds = new Map<string, number>();
  for (let loan = 0; loan < 1_000; loan++) {
    const some = () => (next() < 0.3 ? 0 : Math.round(next() * 2_000));
    const position: Position = {
      ...{ own: 1 + some(), owed: some(), others: some(), rest: some(), cap: 1 + Math.round(next() * 800) },
      repays: next() < 0.5 ? 'ETH' : 'stable',
    };
    const { funded } = saidOf(position);
    const kind = funded === undefined ? 'none' : funded === 'any' ? 'any' : funded.upToWad ? 'up to' : 'down to';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    for (let share = 0.05; share < 4; share += 0.0503) {
      if (inRange(funded, share)) {
        // Rounding at the very edge does not count as wrong.
        const isTrue = [share - 1e-6, share, share + 1e-6].some((each) => isFine(position, each));
        if (!isTrue) wrong.push({ ...position, share });
      }
    }
  }
  expect(wrong).toEqual([]);
  for (const kind of ['none', 'any', 'up to', 'down to']) expect(kinds.get(kind), kind).toBeGreaterThan(10);
});
