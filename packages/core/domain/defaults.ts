// What page, SDK and tools put where its owner names nothing.

/** Of one swap, below its quote. */
export const SWAP_SLIPPAGE_BPS = 50;

/** Of a plan's runs, below the price source: with less than a verdict's own limits of cost and impact, fair runs are deferred. */
export const PLAN_SLIPPAGE_BPS = 100;

/** Deferrals of past hours lasted nine hours at most, and six hours lost less than one buy in 10,000. */
const MAX_WINDOW_SECONDS = 21_600;

/** How long a plan's slot stays open. @param hasPrice whether it waits for a price, which may come at any moment of the period. */
export const windowSecondsOf = (periodSeconds: number, hasPrice: boolean): number =>
  hasPrice ? periodSeconds : Math.min(periodSeconds, MAX_WINDOW_SECONDS);

/** First second at which a plan has ended. Unix seconds. @param hasSpareTime whether deferred slots can be made up. */
export const expiryOf = (startAt: number, periodSeconds: number, runs: number, hasSpareTime = true): number =>
  startAt + periodSeconds * runs * (hasSpareTime ? 2 : 1);

/** Health that a rescue restores, of a guard that pays out of a wallet. */
export const GUARD_TARGET_HEALTH = '1.25';

/** Between two of its rescues; of a sale, see sale-terms.ts. */
export const GUARD_COOLDOWN_SECONDS = 3_600;

/** How long a guard lasts. */
export const GUARD_DAYS = 365;
