// Defaults of the page, the SDK and the tools for terms that the owner leaves out.

/** Slippage of one swap, below its quote. */
export const SWAP_SLIPPAGE_BPS = 50;

/** Slippage of a plan's runs, below the price source. Less than a verdict's cost and impact limits defers fair runs. */
export const PLAN_SLIPPAGE_BPS = 100;

/** Over past hours, deferrals lasted nine hours at most, and a six-hour window lost less than one buy in 10,000. */
const MAX_WINDOW_SECONDS = 21_600;

/** How long a plan's slot stays open. @param hasPrice whether it waits for a price, which may come at any moment of the period. */
export const windowSecondsOf = (periodSeconds: number, hasPrice: boolean): number =>
  hasPrice ? periodSeconds : Math.min(periodSeconds, MAX_WINDOW_SECONDS);

/** First second at which a plan has ended. Unix seconds. @param hasSpareTime whether deferred slots can be made up. */
export const expiryOf = (startAt: number, periodSeconds: number, runs: number, hasSpareTime = true): number =>
  startAt + periodSeconds * runs * (hasSpareTime ? 2 : 1);

/** Health that a rescue restores, for a guard that pays out of a wallet. */
export const GUARD_TARGET_HEALTH = '1.25';

/** Time between two rescues of such a guard; for sales see sale-terms.ts. */
export const GUARD_COOLDOWN_SECONDS = 3_600;

/** How long a guard lasts. */
export const GUARD_DAYS = 365;
