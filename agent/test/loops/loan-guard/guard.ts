import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { USDT } from '@bowline/core/test/verdict/proposals';
import type { GuardServingPolicy } from '../../../src/loops/loan-guard/plan.ts';

export const now = 1_800_000_000n;
export const keeper = '0x00000000000000000000000000000000000000aB';

export const guard: Guard = {
  id: 1n,
  borrower: '0x00000000000000000000000000000000000000b1',
  funder: '0x00000000000000000000000000000000000000b1',
  adapter: '0x00000000000000000000000000000000000000c1',
  market: '0x00000000000000000000000000000000000000000000000000000000000000d1',
  repayToken: USDT.address,
  triggerHealthWad: (11n * WAD) / 10n,
  targetHealthWad: (125n * WAD) / 100n,
  capPerRescue: 10n,
  capPerDay: 10n,
  minRepay: 1n,
  cooldownSeconds: 600n,
  expiresAt: now + 1n,
  status: 'active',
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  rescues: 0,
};

export const serving: GuardServingPolicy = {
  maxTriggerHealthWad: 2n * WAD,
  minimumRepayUsdWad: 5n * WAD,
};
