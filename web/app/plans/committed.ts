import type { Plan } from '../chain/read-plans.ts';

/**
 * The amount of a token that the owner's running plans may still take: an approval for another plan must not reduce it.
 * Never more than is approved now, so that the approval is kept but not raised.
 */
export function keptForOthers(plans: readonly Plan[], token: string, allowance: bigint, now: bigint): bigint {
  let left = 0n;
  for (const { tokenIn, status, amountPerRun, maxRuns, runs, expiresAt } of plans) {
    const isLive = (status === 'active' || status === 'paused') && expiresAt > now;
    if (isLive && tokenIn.toLowerCase() === token.toLowerCase()) left += amountPerRun * BigInt(maxRuns - runs);
  }
  return left < allowance ? left : allowance;
}
