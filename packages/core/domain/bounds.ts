// Bounds of terms: those of the contracts, computed as they do, and narrower ones of what is offered and served.

import { mulDivUp, WAD } from './units.ts';

/** Runs of a plan that is made here. */
export const MAX_RUNS = 10_000;

/** A loan above this health is in no danger: no trigger is offered or served that is higher. */
export const MAX_TRIGGER_WAD = 2n * WAD;

/** A rescue that repays less costs more gas than it could save. */
export const MIN_RESCUE_USD_WAD = 5n * WAD;

/** SoundGuard's: with a closer target, the next price tick would put the loan at risk again. */
export const minTargetWadUp = (triggerHealthWad: bigint): bigint => mulDivUp(triggerHealthWad, 102n, 100n);
export const MAX_TARGET_WAD = 10n * WAD;

/** All-in cost of a sale, 1/10,000. The contract's own bound, half of what a liquidation takes, is the protocol's. */
export const MAX_SALE_COST_BPS = 1_000;

/** Of PancakeSwap v3's pools, in millionths. */
export const poolFees = [100, 500, 2_500, 10_000] as const;
