// What an owner should know about the terms of a guard that pays out of a deposit before signing them.

import { mayTake } from './guarded-loan.ts';
import type { Guard } from './permissions.ts';
import { sameAddress } from './same-address.ts';

/** All-in, 1/10,000: enough for pools in a crash, and at most half of what a liquidation takes. */
export const SALE_COST_BPS = 200;
/** A tighter bound stops rescues in the crash that they are for. */
export const TIGHT_COST_BPS = 100;
/** In a crash a loan falls from its target to liquidation within an hour, and more rescues cost no more (docs/reference/crashes.md). */
export const SALE_COOLDOWN_SECONDS = 300;
/** A sale takes more of the loan than a payment, so it aims lower than a guard that pays out of a wallet. */
export const SALE_TARGET_HEALTH = '1.15';

export type SaleWarning = 'cost_tight' | 'trigger_not_below_wallet' | 'no_price_source';

type Terms = Pick<Guard, 'borrower' | 'market' | 'triggerHealthWad'> & {
  readonly maxCostBps: number;
  readonly priceSource?: string | undefined;
};

/** @param others guards of the borrower. @param now unix seconds. */
export function saleWarnings(terms: Terms, others: readonly Guard[], now: bigint): readonly SaleWarning[] {
  const { borrower, market, triggerHealthWad, maxCostBps, priceSource } = terms;
  // Idle tokens should be used up first, because a sale costs its owner money.
  const isFirst = others.some(
    (guard) =>
      guard.sale === undefined &&
      mayTake(guard, now) &&
      sameAddress(guard.borrower, borrower) &&
      sameAddress(guard.market, market) &&
      triggerHealthWad >= guard.triggerHealthWad,
  );
  return [
    ...(isFirst ? ['trigger_not_below_wallet' as const] : []),
    ...(maxCostBps < TIGHT_COST_BPS ? ['cost_tight' as const] : []),
    ...(priceSource === undefined || BigInt(priceSource) === 0n ? ['no_price_source' as const] : []),
  ];
}
