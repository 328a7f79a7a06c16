import { describe, expect, it } from 'vitest';
import { keeperCalls } from '../../src/sending/calls.ts';
import {
  brokenRule,
  kindOf,
  maxGasPriceOf,
  maxOf,
  type SigningPolicy,
  type Transaction,
} from '../../src/sending/signing-policy.ts';

const swapExecutor = '0x00000000000000000000000000000000000000a1';
const loanGuard = '0x00000000000000000000000000000000000000b2';
const bounds = { maxGasPriceWei: 5n, rescueMaxGasPriceWei: 20n, maxDayWei: 1_000_001n };
const calls = keeperCalls({ swapExecutor, loanGuard }, bounds);
const policy: SigningPolicy = { chainId: 56, calls };

const transaction = (to: string, changes: Partial<Transaction> = {}): Transaction => {
  const allowed = calls.find((call) => call.to === to);
  if (allowed === undefined) throw new Error('no such call');
  const { to: target, selector } = allowed;
  const rest = { type: 'legacy', chainId: 56, nonce: 0, value: 0n, gas: 100_000n, gasPrice: 5n } as const;
  return { ...rest, to: target, data: selector, ...changes };
};

// AG-18
describe('the bounds of gas', () => {
  it('are reached and not passed: a run stops at half of the day, rounded down, and a rescue at all of it', () => {
    expect(brokenRule(policy, transaction(swapExecutor), 0n, 0n)).toBeUndefined();
    expect(brokenRule(policy, transaction(swapExecutor), 1n, 0n)).toBe('gas_day');
    expect(brokenRule(policy, transaction(loanGuard), 500_001n, 0n)).toBeUndefined();
    expect(brokenRule(policy, transaction(loanGuard), 500_002n, 0n)).toBe('gas_day');
  });

  // AG-18
  it('let deferrals use a tenth of the day, rounded down, which counts towards the half of runs', () => {
    const selector = calls.find(({ maxOwnDayWei }) => maxOwnDayWei !== undefined)?.selector as `0x${string}`;
    const run = transaction(swapExecutor, { gas: 80_000n });
    const defer = { ...run, data: selector, gas: 20_000n };
    expect(brokenRule(policy, defer, 0n, 0n)).toBeUndefined();
    expect(brokenRule(policy, defer, 400_000n, 0n)).toBeUndefined();
    expect(brokenRule(policy, defer, 400_001n, 0n)).toBe('gas_day');
    expect(brokenRule(policy, defer, 1n, 1n)).toBe('deferral_gas_day');
    // Deferrals take from a run only what they have paid.
    expect(brokenRule(policy, run, 100_000n, 0n)).toBeUndefined();
    expect([kindOf(policy, run), kindOf(policy, defer)]).toEqual([undefined, selector]);
  });

  // AG-380
  it('let rescues that nodes contradict each other on use a tenth of the day, and take nothing from others', () => {
    const rescue = transaction(loanGuard, { gas: 20_000n });
    expect(brokenRule(policy, rescue, 0n, 0n, { isDoubtful: true })).toBeUndefined();
    expect(brokenRule(policy, rescue, 0n, 1n, { isDoubtful: true })).toBe('doubtful_gas_day');
    expect(brokenRule(policy, rescue, 100_000n, 0n)).toBeUndefined();
    expect(kindOf(policy, { ...rescue, isDoubtful: true })).toBe(
      kindOf(policy, { ...transaction(swapExecutor), isDoubtful: true }),
    );
    expect(kindOf(policy, rescue)).toBeUndefined();
  });

  it('have a price for each kind of call', () => {
    expect(brokenRule(policy, transaction(swapExecutor, { gas: 21_000n, gasPrice: 6n }), 0n, 0n)).toBe('gas_price');
    expect(brokenRule(policy, transaction(loanGuard, { gas: 21_000n, gasPrice: 20n }), 0n, 0n)).toBeUndefined();
    expect(brokenRule(policy, transaction(loanGuard, { gas: 21_000n, gasPrice: 21n }), 0n, 0n)).toBe('gas_price');
  });

  // AG-393
  it('let a rescue of known value pay up to ten times as much, and never more than that value', () => {
    const rescue = (gasPrice: bigint) => transaction(loanGuard, { gas: 1n, gasPrice });
    expect(brokenRule(policy, rescue(200n), 0n, 0n, { maxGasPriceWei: 300n })).toBeUndefined();
    expect(brokenRule(policy, rescue(201n), 0n, 0n, { maxGasPriceWei: 300n })).toBe('gas_price');
    expect(brokenRule(policy, rescue(7n), 0n, 0n, { maxGasPriceWei: 7n })).toBeUndefined();
    expect(brokenRule(policy, rescue(8n), 0n, 0n, { maxGasPriceWei: 7n })).toBe('not_worth_gas');
    expect(
      brokenRule(policy, transaction(swapExecutor, { gas: 1n, gasPrice: 6n }), 0n, 0n, { maxGasPriceWei: 300n }),
    ).toBe('gas_price');
    const { data } = rescue(1n);
    const most = [undefined, 300n, 7n].map((maxGasPriceWei) =>
      maxGasPriceOf(policy, { to: loanGuard, data, ...(maxGasPriceWei && { maxGasPriceWei }) }),
    );
    expect(most).toEqual([20n, 200n, 7n]);
  });

  it('let nothing be signed at 0 a day', () => {
    const none = { ...policy, calls: keeperCalls({ swapExecutor, loanGuard }, { ...bounds, maxDayWei: 0n }) };
    expect(brokenRule(none, transaction(loanGuard), 0n, 0n)).toBe('gas_day');
  });

  it('are the highest ones for what frees a nonce', () => {
    expect(maxOf(policy)).toEqual({ gasPriceWei: 20n, dayWei: 1_000_001n });
  });
});
