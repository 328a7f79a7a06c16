// Plans and guards as the contracts store them, in the terms of contracts/interfaces.

import type { Block } from './facts.ts';
import type { Position } from './loan-part.ts';
import type { Reason } from './reasons.ts';
import type { Address, Hex } from './units.ts';
import type { Verdict } from './verdict.ts';

/** `revoked`: permanent, and applies to all permissions of the owner. */
export type PlanStatus = 'active' | 'paused' | 'cancelled' | 'revoked';

/** What a plan's owner signs. @template Seconds type of its times. */
export interface PlanTerms<Seconds = bigint> {
  readonly owner: Address;
  readonly recipient: Address;
  readonly executor: Address;
  /** The signer whose verdict every run needs; the zero address: none. */
  readonly verdictSigner: Address;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountPerRun: bigint;
  readonly startAt: Seconds;
  readonly periodSeconds: Seconds;
  readonly windowSeconds: Seconds;
  readonly maxRuns: number;
  readonly expiresAt: Seconds;
  readonly priceSource: Address;
  readonly limitPriceWad: bigint;
  readonly maxSlippageBps: number;
  /** Whether the owner accepts a limit price far from the market, or one that no source can judge. */
  readonly farLimit: boolean;
  /** A run needs the source's price, in tokenIn base units per 1e18 of tokenOut, at or above this; zero: any. */
  readonly triggerPriceWad: bigint;
}

/** A plan as stored in the registry. */
export interface BarePlan extends PlanTerms {
  readonly id: bigint;
  readonly status: PlanStatus;
  readonly cursor: bigint;
  readonly runs: number;
  readonly records: number;
  readonly deferrals: number;
  readonly lastReason: number;
  /** Version of the terms in force. */
  readonly version: number;
}

/** A plan with its owner's funds. */
export interface Plan extends BarePlan {
  /**
   * The owner's tokenIn balance and allowance to the registry, capped at uint128, at the plan's block, or a later one
   * if the plan was read whole. Zero for an unlisted token. Stale for a plan that can never run again.
   */
  readonly ownerBalance: bigint;
  readonly ownerAllowance: bigint;
}

export interface Run {
  readonly planId: bigint;
  readonly record: number;
  readonly outcome: 'executed' | 'deferred';
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly floor: bigint;
  readonly time: bigint;
  readonly slotStart: bigint;
  /** On-chain number of the reason; 0 for a run. */
  readonly reasonCode: number;
  readonly reason?: Reason;
  readonly verdict: Verdict;
  /** Version of the terms then in force. */
  readonly version: number;
  /**
   * Whether the plan's verdict signer signed verdict and evidence. Otherwise they are the executor's claim; the reason
   * always is.
   */
  readonly isAttested: boolean;
  /** First 19 bytes of the evidence document's keccak256. */
  readonly evidencePrefix: Hex;
}

/** What a guard's rescues take: its funder's tokens, another account's deposit, or the borrower's own collateral. */
export type Funding = 'wallet' | 'savings' | 'collateral';

/** Up to three pools, from the collateral's token to the repay token: CollateralGuard's Route. */
export interface SaleRoute {
  readonly firstFee: number;
  readonly firstToken: Address;
  readonly secondFee: number;
  readonly secondToken: Address;
  readonly thirdFee: number;
}

/** How a guard of CollateralGuard pays: out of a deposit, which is sold to pools if it is in another token. */
export interface Sale {
  readonly funding: Exclude<Funding, 'wallet'>;
  readonly collateralMarket: Hex;
  readonly collateralToken: Address;
  /** All-in, by the worse of the protocol's and the price source's prices. */
  readonly maxCostBps: number;
  /** Absent: the caller chooses, or no pool is needed. */
  readonly route?: SaleRoute;
}

/** As a target: repay the market's whole debt and leave the rest of the collateral. */
export const UNWIND_HEALTH_WAD = 2n ** 64n - 1n;

export interface Guard extends GuardTerms {
  /** Each of the two contracts numbers its own guards; `guardKey` distinguishes them. */
  readonly id: bigint;
  /** Absent: LoanGuard's, which pays out of the funder's wallet. */
  readonly sale?: Sale;
  readonly repayToken: Address;
  /** Absent: anyone may rescue. */
  readonly keeper?: Address;
  /** Second price source for the trigger, in addition to the protocol's prices; absent: none. */
  readonly priceSource?: Address;
  readonly status: 'active' | 'cancelled' | 'revoked';
  /** The last rescue that counts for the cooldown. */
  readonly lastRescueAt: bigint;
  /** Present if the price source triggered the last rescue: the cooldown blocks only further rescues by the source. */
  readonly isBySource?: true;
  readonly day: bigint;
  readonly takenInDay: bigint;
  readonly rescues: number;
}

/** The terms that bound the guards of both contracts. */
export interface GuardTerms<Seconds = bigint> {
  readonly borrower: Address;
  /** The account whose tokens or deposits repay: the borrower, or another that signed for it. */
  readonly funder: Address;
  readonly adapter: Address;
  /** The debt's market, 32 bytes, as the adapter's protocol identifies it. */
  readonly market: Hex;
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
  readonly capPerRescue: bigint;
  readonly capPerDay: bigint;
  readonly minRepay: bigint;
  readonly cooldownSeconds: Seconds;
  readonly expiresAt: Seconds;
}

/** A borrower's account in one lending protocol as of one block. */
export interface LoanHealth {
  readonly borrower: Address;
  readonly block: Block;
  /** The protocol's name; its adapter's short address if the registry does not list it. */
  readonly protocol: string;
  /** Collateral divided by debt; absent without debt. Below 1e18 the loan can be liquidated. */
  readonly healthWad?: bigint;
  /** Tokens of the debts that the protocol lets anyone liquidate at any health; absent if that could not be read. */
  readonly forcedDebts?: readonly Address[];
}

/** The same with its values; USD with 18 decimals. */
export interface Loan extends LoanHealth {
  /** Distinguishes its guards from those of the borrower's other loans; absent if it is the only one. */
  readonly account?: { readonly adapter: Address; readonly market?: Hex };
  readonly debtUsdWad: bigint;
  readonly weightedCollateralUsdWad: bigint;
  /** By asset; absent if that could not be read. */
  readonly parts?: readonly Position[];
}

/** The contracts' health value for an account without debt. */
export const NO_DEBT_HEALTH_WAD = 2n ** 128n - 1n;

/** One rescue, as in the contract's event. */
export interface Rescue {
  readonly repaid: bigint;
  /** `partial`: a cap, the debt, the allowance or the balance limits the repayment below what the target needs. */
  readonly outcome: 'full' | 'partial';
  readonly healthBeforeWad: bigint;
  /** Absent if no debt is left. */
  readonly healthAfterWad?: bigint;
  /** Base units of the collateral's token sold, or withdrawn if it is the debt's; absent for a rescue by LoanGuard. */
  readonly sold?: bigint;
  /** Base units of its receipts that left the funder. */
  readonly receipts?: bigint;
  /** The pools paid less than requested, so the rescue starts no cooldown. */
  readonly isCutShort?: true;
}

/** What a spender may still take of an account's token. */
export interface Funds {
  readonly balance: bigint;
  readonly allowance: bigint;
}
