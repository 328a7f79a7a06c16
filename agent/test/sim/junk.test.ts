import { describe, expect, test } from 'vitest';
import { type Junk, simulateJunk } from './junk.ts';

// What strangers' plans cost that never run, at the default settings of BNB Chain.

const reasons = { below_fee: 'term_below_fee', below_cost: 'deferral_gas_day', below_limit: 'limit_looked_at_later' };

// AG-320, AG-18, AG-342
describe('500 plans of 25 owners that never run, at the highest gas price that runs pay', () => {
  test.each([
    // The slippage is below the pool's fee: nothing is recorded.
    ['below_fee', 0],
    // A tenth of the day's 0.5 BNB, over 81,000 gas at 5 gwei.
    ['below_cost', 123],
    ['below_limit', 0],
  ] as const)('%s: honest plans miss no slot', async (junk, maxDeferrals) => {
    const found = await simulateJunk({ junk, owners: 25, plansPerOwner: 20, hours: 2, gasPriceGwei: 5n });
    const { honestSlots, honestMissed, deferrals, honestDelaySeconds } = found;
    expect({ honestSlots, honestMissed }).toEqual({ honestSlots: 10, honestMissed: 0 });
    expect(deferrals).toBeLessThanOrEqual(maxDeferrals);
    // A round begins at most 15 seconds after the one before, and a run waits for no deferral but one in a block.
    expect(honestDelaySeconds).toBeLessThanOrEqual(20);
    expect(Object.keys(found.counts)).toContain(`skipped.${reasons[junk]}`);
    // 500 orders once in each slot, and 20 of them in each round, at most 240 rounds an hour.
    expect(found.counts['skipped.limit_not_reached'] ?? 0).toBeLessThanOrEqual(2 * (500 + 240 * 20));
  });
});

// AG-320
describe('1,000 plans of 25 owners that never run, for a day', { tags: ['long'], timeout: 3_600_000 }, () => {
  test.each<Junk>(['below_fee', 'below_cost', 'limit_missed'])('%s: honest plans miss no slot', async (junk) => {
    const found = await simulateJunk({ junk, owners: 25, plansPerOwner: 40, hours: 24, gasPriceGwei: 1n });
    const { honestSlots, honestMissed, deferrals } = found;
    expect({ honestSlots, honestMissed }).toEqual({ honestSlots: 120, honestMissed: 0 });
    // A tenth of the day's 0.5 BNB, over 81,000 gas at 1 gwei.
    expect(deferrals).toBeLessThanOrEqual(junk === 'below_cost' ? 617 : 0);
  });
});
