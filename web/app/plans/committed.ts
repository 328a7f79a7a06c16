import type { Plan } from '../chain/read-plans.ts';

/**
 * What the owner's plans that still run may yet take of a token: an approval for another plan must not take that from them.
 * Never more than is approved now: it is kept as it is, not raised.
 */
export function keptForOthers(plans: readonly Plan[], token: string, allowance: bigint, now: bigint): bigint {
  let left = 0n;
  for (const { tokenIn, status, amountPerRun, maxRuns, runs, expiresAt } of plans) {
    const isLive = (status === 'active' || status === 'paused') && expiresAt > now;
    if (isLive && tokenIn.toLowerCase() === token.toLowerCase()) left += amountPerRun * BigInt(maxRuns - runs);
  }
  return left < allowance ? left : allowance;
}
