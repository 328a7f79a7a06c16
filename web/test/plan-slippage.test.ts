import { limitsOf, stricter } from '@bowline/core/verdict/limits';
import { expect, test } from 'vitest';
import { blankPlan, slippages } from '../app/plans/plan-form.ts';

const priceSource = '0x00000000000000000000000000000000000000a1';

// docs/why/verdict.md: an honest operator's run without a signer loses at most 0.2 %, whatever is chosen (PR-27, IT-4).
test('the slippage that the page offers first is the least that defers no run that its verdict would let through', () => {
  const { crypto } = limitsOf;
  const leavesLimits = (slippage: string) => {
    const { costBps } = stricter(crypto, { priceSource, maxSlippageBps: Number(slippage) });
    return costBps.noGo === crypto.costBps.noGo;
  };
  const offered = slippages(blankPlan.slippage).map(({ value }) => value);
  expect(offered.filter(leavesLimits)[0]).toBe(blankPlan.slippage);
  expect(offered.filter((slippage) => !leavesLimits(slippage))).not.toEqual([]);
});
