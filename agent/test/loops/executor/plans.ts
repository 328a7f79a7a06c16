import type { Plan } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import type { PlansSnapshot, ServingPolicy } from '../../../src/loops/executor/plan.ts';

export const executor = '0x00000000000000000000000000000000000000e1';
export const priceSource = '0x00000000000000000000000000000000000000d1';
export const owner = '0x00000000000000000000000000000000000000a1';

/** Buys 100 USDT of BTCB every hour and may do so now, half a minute into its third slot. */
export const duePlan: Plan = {
  id: 1n,
  owner,
  recipient: owner,
  executor,
  verdictSigner: '0x0000000000000000000000000000000000000000',
  tokenIn: USDT.address,
  tokenOut: BTCB.address,
  amountPerRun: 100n * WAD,
  startAt: NOW - 7_230n,
  periodSeconds: 3_600n,
  windowSeconds: 1_800n,
  maxRuns: 10,
  expiresAt: NOW + 86_400n,
  priceSource,
  limitPriceWad: 0n,
  maxSlippageBps: 100,
  farLimit: false,
  triggerPriceWad: 0n,
  status: 'active',
  cursor: NOW - 30n,
  runs: 2,
  records: 2,
  deferrals: 0,
  lastReason: 0,
  version: 1,
  ownerBalance: 100n * WAD,
  ownerAllowance: 100n * WAD,
};

export const servingPolicy: ServingPolicy = {
  tokens: ['BTCB', 'USDT'],
  minimumRunUsdWad: 5n * WAD,
  minimumPeriodSeconds: 60n,
  gasPerOwnerPerDay: 10_000_000n,
};

export const snapshotOf = (plans: readonly Plan[], changes: Partial<PlansSnapshot> = {}): PlansSnapshot => ({
  now: NOW,
  plans,
  executor,
  assets: [BTCB, USDT],
  policy: servingPolicy,
  priceSources: [priceSource],
  revertedSlots: new Map(),
  cancelledSlots: new Map(),
  ...changes,
});
