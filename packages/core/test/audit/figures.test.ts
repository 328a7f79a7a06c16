import { expect, it } from 'vitest';
import { hasEnded, hasExpired } from '../../audit/figures.ts';
import type { GuardHistory, PlanHistory } from '../../audit/history.ts';
import { guardReport, planReport } from '../../audit/report.ts';
import { sidedOf } from '../../domain/sided.ts';

const zero = '0x0000000000000000000000000000000000000000' as const;
const token = { symbol: 'USDT', decimals: 18 };
const end = 1_800_000_000;

function plan(status: number, runs = 0): PlanHistory {
  const terms = {
    ...{ owner: zero, recipient: zero, executor: zero, verdictSigner: zero, tokenIn: zero, tokenOut: zero },
    ...{ amountPerRun: 1n, startAt: 1, periodSeconds: 60, windowSeconds: 60, maxRuns: 2, expiresAt: end },
    ...{ priceSource: zero, limitPriceWad: 0n, maxSlippageBps: 0, farLimit: false, triggerPriceWad: 0n },
  } as const;
  const state = { status, cursor: 0, runs, records: 0, version: 1 };
  return { id: 1n, blockNumber: 1n, state, isRevoked: false, versions: [terms], runs: [] };
}

function guard(status: number): GuardHistory {
  return {
    ...{ id: 1n, blockNumber: 1n, repayToken: zero, isRevoked: false, rescues: [], forcedMarkets: [] },
    terms: {
      ...{ borrower: zero, funder: zero, adapter: zero, market: '0x', keeper: zero, priceSource: zero },
      ...{ triggerHealthWad: 1n, targetHealthWad: 2n, capPerRescue: 1n, capPerDay: 1n, minRepay: 1n },
      ...{ cooldownSeconds: 60, expiresAt: end },
    },
    state: { status, lastRescueAt: 0, day: 0, takenInDay: 0n, rescues: 0, isBySource: false },
  };
}

it('a plan past its end, or with all of its buys made, is not told as active or paused', () => {
  const now = BigInt(end);
  const told = (of: PlanHistory, at: bigint) => planReport(of, sidedOf(false, token, token), at).split('\n')[0];
  expect(told(plan(1), now - 1n)).toMatch(/: active,/);
  expect(told(plan(1), now)).toMatch(/: ended,/);
  expect(told(plan(2), now)).toMatch(/: ended,/);
  expect(told(plan(1, 2), now - 1n)).toMatch(/: ended,/);
  expect(told(plan(3, 2), now)).toMatch(/: cancelled,/);
  expect(told({ ...plan(1), isRevoked: true }, now)).toMatch(/: revoked,/);
  expect(hasEnded({ ...plan(1), versions: [] }, now)).toBe(false);
});

it('nor is a guard past its end active', () => {
  const now = BigInt(end);
  expect(guardReport(guard(1), token, now - 1n)).toContain('Guard 1: active,');
  expect(guardReport(guard(1), token, now)).toContain('Guard 1: expired,');
  expect(hasExpired(guard(2), now)).toBe(false);
});
