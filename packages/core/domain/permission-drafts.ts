// Permissions as unsigned calls for their owner's own wallet.

import type { GuardKey } from './guard-key.ts';
import type { Address, Hex } from './units.ts';

/** A plan as its owner says it: symbols, whole units, times in seconds. */
interface PlanWords {
  readonly owner: Address;
  readonly pay: string;
  readonly buy: string;
  readonly amountPerRun: string;
  readonly periodSeconds: number;
  readonly maxRuns: number;
  readonly startAt: number;
  readonly maxSlippageBps: number;
  readonly limitPrice?: string;
  readonly triggerPrice?: string;
}

/** A guard as its borrower says it: amounts in whole units of the token that repays. */
interface GuardWords {
  readonly borrower: Address;
  readonly market: Hex;
  readonly repay: string;
  readonly triggerHealth: string;
  readonly targetHealth: string;
  readonly capPerRescue: string;
  readonly capPerDay: string;
  readonly minRepay: string;
  readonly expiresAt: number;
  /** What all rescues by all guards of the borrower may take together: an approval replaces the earlier one. */
  readonly budget: string;
}

/** A guard that pays out of its borrower's own deposit. */
interface SaleWords extends Omit<GuardWords, 'budget'> {
  readonly collateralMarket: Address;
  readonly maxCostBps: number;
  /** Of the one pool from the collateral's token to the repay token, in hundredths of a basis point. */
  readonly poolFee?: number;
  /** Whole units of the collateral's token that all such guards of the borrower may take together. */
  readonly sellAtMost: string;
}

/** A call for the owner's own wallet. */
export interface PermissionCall {
  readonly kind: 'approve' | 'create' | 'register' | 'cancel' | 'revoke';
  readonly to: Address;
  readonly data: Hex;
}

export interface DraftedPermission {
  /** What the calls say, in the contract's words; amounts in base units. */
  readonly terms: Readonly<Record<string, unknown>>;
  /** To be sent in this order. */
  readonly calls: readonly PermissionCall[];
}

/** Writes permissions as unsigned calls. Throws Error with one line of ours for words that cannot be written. */
export interface PermissionDrafter {
  /** @param others base units of the token that other plans of the owner still need. */
  plan(words: PlanWords, others: bigint): DraftedPermission;
  /**
   * Reads which token repays the market's debt. Rejects as above if it is not the one named, and
   * with BowlineError `chain_unavailable` (retryable).
   */
  guard(words: GuardWords): Promise<DraftedPermission>;
  /** The same of CollateralGuard. */
  sale(words: SaleWords): Promise<DraftedPermission>;
  cancelPlan(id: bigint): PermissionCall;
  cancelGuard(key: GuardKey): PermissionCall;
  revokeAll(): PermissionCall;
}
