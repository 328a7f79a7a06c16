import type { GuardTerms, PlanTerms, Sale } from '../domain/permissions.ts';
import type { Address, Hex } from '../domain/units.ts';

// Everything that the chain stores about a permission, as viem decodes it: 40 bits and fewer are numbers. Units and
// meanings are those of contracts/interfaces/IPlanRegistry.sol and ILoanGuard.sol.

/** One version of a plan's terms. */
export type Terms = PlanTerms<number>;

/** A record: a run or a deferral. */
export interface Run {
  readonly time: number;
  /** 1 executed, 2 deferred. */
  readonly outcome: number;
  readonly slotStart: number;
  readonly version: number;
  readonly reason: number;
  /** On-chain number of the verdict. */
  readonly verdict: number;
  readonly isAttested: boolean;
  readonly floor: bigint;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** The first 19 bytes of the evidence's hash. */
  readonly evidencePrefix: Hex;
}

export interface PlanHistory {
  readonly id: bigint;
  /** The block of `state` and `isRevoked`. Terms and records never change, and were read at newer blocks. */
  readonly blockNumber: bigint;
  readonly state: {
    /** 1 active, 2 paused, 3 cancelled. */
    readonly status: number;
    readonly cursor: number;
    readonly runs: number;
    readonly records: number;
    readonly version: number;
  };
  readonly isRevoked: boolean;
  /** Version n is at index n − 1. */
  readonly versions: readonly Terms[];
  readonly runs: readonly Run[];
}

export interface Rescue {
  readonly repaid: bigint;
  readonly time: number;
  /** 1: the target was reached. */
  readonly outcome: number;
  readonly healthBeforeWad: bigint;
  readonly healthAfterWad: bigint;
  /** For CollateralGuard's rescues: base units of the collateral token sold, and of its receipts. */
  readonly sold?: bigint;
  readonly receipts?: bigint;
}

export interface GuardHistory {
  readonly id: bigint;
  /** The block of `state` and `isRevoked`. */
  readonly blockNumber: bigint;
  readonly terms: GuardTerms<number> & { readonly keeper: Address; readonly priceSource: Address };
  readonly repayToken: Address;
  /** Absent for LoanGuard's guards. */
  readonly sale?: Sale;
  readonly state: {
    /** 1 active, 2 cancelled. */
    readonly status: number;
    /** For CollateralGuard's guards, including rescues that start no cooldown. */
    readonly lastRescueAt: number;
    readonly day: number;
    readonly takenInDay: bigint;
    readonly rescues: number;
    readonly isBySource: boolean;
  };
  readonly isRevoked: boolean;
  readonly rescues: readonly Rescue[];
  /** Markets in which the borrower's debt can be liquidated at any health; undefined if the adapter did not say. */
  readonly forcedMarkets: readonly Hex[] | undefined;
}

/** For display. */
export interface Token {
  readonly symbol: string;
  readonly decimals: number;
}
