// Bounds on terms: those of the contracts, computed the same way, and narrower ones for what is offered and served.

import { mulDivUp, WAD } from './units.ts';

/** Maximum runs of a plan that is made here. */
export const MAX_RUNS = 10_000;

/** A loan above this health is in no danger, so no higher trigger is offered or served. */
export const MAX_TRIGGER_WAD = 2n * WAD;

/** A rescue that repays less costs more gas than it could save. */
export const MIN_RESCUE_USD_WAD = 5n * WAD;

/** SoundGuard's bounds: with a closer target, the next price tick would put the loan at risk again. */
export const minTargetWadUp = (triggerHealthWad: bigint): bigint => mulDivUp(triggerHealthWad, 102n, 100n);
export const MAX_TARGET_WAD = 10n * WAD;

/** Maximum all-in cost of a sale, 1/10,000. The contract's own bound, half a liquidation's take, is the protocol's. */
export const MAX_SALE_COST_BPS = 1_000;

/** Fee tiers of PancakeSwap v3's pools, in millionths. */
export const poolFees = [100, 500, 2_500, 10_000] as const;
