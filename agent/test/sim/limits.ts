import type { Limits } from './invariants.ts';

/** What the agent promises. */
export const limits: Limits = {
  rescueMs: 5_000,
  runMs: 45_000,
  stopMs: 5_000,
  weiPerFailure: 10n ** 13n,
};
