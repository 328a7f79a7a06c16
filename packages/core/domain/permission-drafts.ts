// Permissions as unsigned calls for their owner's own wallet.

import type { GuardKey } from './guard-key.ts';
import type { Address, Hex } from './units.ts';

/** A plan in its owner's terms. */
export interface PlanOptions {
  readonly owner: Address;
  /** Who receives what is bought; the owner if omitted. */
  readonly recipient?: Address;
  /** Symbols or addresses of listed assets. */
  readonly pay: string;
  readonly buy: string;
  /** What each run pays, in whole units of `pay`: '25.5'. Decimals that the token does not have are refused. */
  readonly amountPerRun: string;
  readonly periodSeconds: number;
  readonly maxRuns: number;
  /** Unix seconds; now if omitted. */
  readonly startAt?: number;
  /** How long a slot stays open; if omitted, the whole period, at most six hours unless it waits for a price. */
  readonly windowSeconds?: number;
  /** Unix seconds; if omitted, twice the time that the runs need, so that deferred ones can be made up. */
  readonly expiresAt?: number;
  /** How far a delivery may fall below Chainlink's price, in 1/10,000; 100 if omitted. */
  readonly maxSlippageBps?: number;
  /** Maximum price of one whole unit of `buy`, in whole units of `pay`. */
  readonly limitPrice?: string;
  /**
   * Runs only while one whole unit of `buy` costs this much or more by Chainlink, in whole units of `pay`. With `pay`
   * sold into a stablecoin this is a stop loss.
   */
  readonly triggerPrice?: string;
  /** The signer whose verdict every run needs; none if omitted. */
  readonly verdictSigner?: Address;
}

/** A guard in its borrower's terms. */
export interface GuardOptions {
  readonly borrower: Address;
  /** The account whose tokens repay; the borrower if omitted. Another funder must sign a consent. */
  readonly funder?: Address;
  /** The lending protocol's name; if omitted, the one that identifies markets in the form of `market`. */
  readonly protocol?: string;
  /** The market whose debt is repaid, as its protocol identifies it: a contract's address, or an id of 32 bytes. */
  readonly market: Hex;
  /**
   * Symbol or address of the token that repays, in which the amounts below are given. It is the market's own, which the
   * adapter's `repayToken(market)` returns. LoanGuard takes that one, whatever is named here.
   */
  readonly repay: string;
  /** A rescue needs health below this, and restores the target: '1.1', '1.25'. */
  readonly triggerHealth: string;
  readonly targetHealth: string;
  /** Maximum of one rescue and of one UTC day, and minimum of one rescue, in whole units of `repay`. */
  readonly capPerRescue: string;
  readonly capPerDay: string;
  readonly minRepay: string;
  /** 3,600 if omitted. */
  readonly cooldownSeconds?: number;
  /** Unix seconds; a year from now if omitted. */
  readonly expiresAt?: number;
  /** The only account that may call the rescue; anybody if omitted, which is safer. */
  readonly keeper?: Address;
  /** Whether Chainlink's prices also trigger a rescue, in addition to the protocol's; false if omitted. */
  readonly watchesChainlink?: boolean;
}

type PlanWords = PlanOptions & Required<Pick<PlanOptions, 'startAt' | 'maxSlippageBps'>>;

type GuardWords = GuardOptions & {
  readonly expiresAt: number;
  /** What all rescues by all guards of the borrower may take together, because an approval replaces the earlier one. */
  readonly budget: string;
};

/** A guard that pays out of its borrower's own deposit. */
type SaleWords = GuardOptions & {
  readonly collateralMarket: Address;
  readonly maxCostBps: number;
  /** Fee of the one pool from the collateral's token to the repay token, in hundredths of a basis point. */
  readonly poolFee?: number;
  /** Whole units of the collateral's token that all such guards of the borrower may take together. */
  readonly sellAtMost: string;
};

/** A call for the owner's own wallet. */
export interface PermissionCall {
  readonly kind: 'approve' | 'create' | 'register' | 'cancel' | 'revoke';
  readonly to: Address;
  readonly data: Hex;
}

export interface DraftedPermission {
  /** What the calls say, in the contract's terms; amounts in base units. */
  readonly terms: Readonly<Record<string, unknown>>;
  /** To be sent in this order. */
  readonly calls: readonly PermissionCall[];
}

/** Writes permissions as unsigned calls. Throws Error with one line of our own for terms that cannot be written. */
export interface PermissionDrafter {
  /** @param others base units of the token that other plans of the owner still need. */
  plan(words: PlanWords, others: bigint): DraftedPermission;
  /**
   * Reads which token repays the market's debt. Rejects as above if it is not the one named, and
   * with BowlineError `chain_unavailable` (retryable).
   */
  guard(words: GuardWords): Promise<DraftedPermission>;
  /** The same for CollateralGuard. */
  sale(words: SaleWords): Promise<DraftedPermission>;
  cancelPlan(id: bigint): PermissionCall;
  cancelGuard(key: GuardKey): PermissionCall;
  revokeAll(): PermissionCall;
}
