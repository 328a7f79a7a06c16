// What loops, tools and notices read from the chain. Only types, so that readers are parameters and a test can pass its own.

import type { Asset, TradedAsset } from '@bowline/core/domain/assets';
import type { Block, ChainFacts, Priced, Side, Size } from '@bowline/core/domain/facts';
import type { GuardKey } from '@bowline/core/domain/guard-key';
import type { GuardedLoan, Means } from '@bowline/core/domain/guarded-loan';
import type { Health } from '@bowline/core/domain/loan-health';
import type { BarePlan, Guard, Loan, LoanHealth, Plan, Rescue, Run } from '@bowline/core/domain/permissions';
import type { Call } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';

/** All reads throw BowlineError `chain_unavailable` (retryable) if the node does not answer. */
export interface MarketReader {
  /** Facts of one asset at the newest block, in one request. */
  facts(asset: TradedAsset, quoteAsset: Asset, side: Side, size: Size): Promise<ChainFacts>;
}

/** Throws like MarketReader. */
export interface PriceReader {
  /**
   * On-chain price facts of an asset at the newest block, without a simulated swap.
   * @param quoteAsset for a traded asset: also reads its pool's spot price and the quote token's price in USD.
   */
  price(asset: Asset, quoteAsset?: Asset): Promise<Priced['chain']>;
}

/** Throws like MarketReader. */
export interface SourcePriceReader {
  /**
   * The price that the registry reads from a plan's source, in base units of tokenIn per 1e18 of tokenOut. Undefined if
   * the source gives none.
   */
  sourcePriceWad(plan: Pick<BarePlan, 'priceSource' | 'tokenIn' | 'tokenOut'>): Promise<bigint | undefined>;
}

export interface PlanReader {
  /**
   * All existing plans. A plan that may still run for this agent is read with its owner's funds at the newest block
   * when its page is read. Plans from different pages may therefore come from different blocks, and sums over several plans
   * belong to no single block: never rely on them, since the contract checks again. All other plans (another executor,
   * cancelled, expired, runs used up) are as last read.
   */
  plans(): Promise<PlansRead>;
  /** One plan, read now. Throws `unknown_plan`. */
  plan(planId: bigint): Promise<BarePlan>;
  /** One plan with its owner's funds, read now, and the newest block. Throws `unknown_plan`. */
  planWithFunds(planId: bigint): Promise<{ readonly block: Block; readonly plan: Plan }>;
  /** The newest plans of all owners or of one, read now. */
  newestPlans(question: NewestPlans): Promise<NewestPlansRead>;
  /** Records of one plan, oldest first: `from` inclusive, `to` exclusive. Throws `unknown_plan`. */
  runs(planId: bigint, from: number, to: number): Promise<readonly Run[]>;
}

interface PlansRead {
  /** The newest block when the read began. */
  readonly block: Block;
  readonly plans: readonly Plan[];
  /** Number of plans without an answer from the node; they are not in `plans`. */
  readonly unread: number;
}

export interface NewestPlans {
  readonly owner?: Address;
  /** Only plans with a lower ID. */
  readonly before?: bigint;
  /** Maximum number of plans. */
  readonly count: number;
}

interface NewestPlansRead {
  /** The newest block when the read began. */
  readonly block: Block;
  /** Newest first. */
  readonly plans: readonly BarePlan[];
  /** Total number of plans of that owner, regardless of `before` and `count`. */
  readonly total: number;
  /** Pass as `before` to continue the list; absent at its end. */
  readonly next?: bigint;
  /** Number of plans without an answer from the node; some may belong to the owner and be missing in `total`. */
  readonly unread: number;
}

export interface GuardReader {
  /** All existing guards, read like plans: those that may still apply to this keeper now, the others as last read. */
  guards(): Promise<GuardsRead>;
  /** One guard, read now. Throws `unknown_guard`. */
  guard(key: GuardKey): Promise<Guard>;
  /**
   * One borrower's guards, read now. At most `count`: first those that may still apply, then the newest.
   * @param account limits the result to this one of the borrower's loans.
   */
  guardsOf(borrower: Address, count: number, account?: Loan['account']): Promise<GuardsOf>;
  /** The guards of which an account is the borrower or the funder, as `guardsOf` reads them. Both have agreed to each. */
  guardsFor(account: Address, count: number): Promise<GuardsOf>;
  /**
   * A borrower's loan. With several protocols, the loan in the most danger: one that can be liquidated at any
   * health, otherwise the one with the lowest health. Throws if any cannot be read.
   */
  loan(borrower: Address): Promise<Loan>;
  /** Health of the loan that a guard protects, read as its rescue reads it, also if the adapter is not listed. */
  healthOf(guard: Guard): Promise<LoanHealth>;
  /** That loan with what a rescue depends on, also by Chainlink's prices if they trigger it. Throws like `healthOf`. */
  guardedLoan(guard: Guard): Promise<GuardedLoan>;
  /** Simulates this keeper's rescue now: the exact call, over the pools it would choose. Throws `unknown_guard`. */
  preview(key: GuardKey): Promise<JudgedRescue>;
}

interface GuardsRead {
  /** The newest block when the read began. */
  readonly block: Block;
  readonly guards: readonly Guard[];
  /** Number of guards without an answer from the node; they are not in `guards`. */
  readonly unread: number;
}

export interface GuardsOf {
  readonly guards: readonly Guard[];
  /** Total number of guards of that account. */
  readonly total: number;
  /** Number of guards without an answer from the node; some may belong to the account and be missing in `total`. */
  readonly unread: number;
}

export type OfGuard = (guard: Guard) => boolean;

export interface HealthReader {
  /** Health of the guards' loans at the newest block, in order, by the contract's own read before a rescue. */
  healths(guards: readonly Guard[]): Promise<readonly Health[]>;
  /**
   * Takes a few requests; call it at every block. Reads loans near their triggers, and the others in turn. Of the rest,
   * those that may be near are valued by their last read positions and the newest prices. A rescue may be sent on
   * such a value only after a simulation.
   * @param guards pass the same array as long as no guard has changed: it is then scanned only once.
   * @param isWanted loans of other guards are not read.
   * @param isOurs if one call cannot read all loans, others' are not read in turn, but valued by the newest prices.
   */
  watch(guards: readonly Guard[], isWanted?: OfGuard, isOurs?: OfGuard): Promise<JudgedLoans>;
  /** The guard's loan has changed: it is read when it is watched next. */
  changed(guard: Guard): void;
  /**
   * The watched guards that would be due if only the price of one market's token were multiplied by a factor,
   * by market with collateral. Uses positions as last read, and leaves out accounts that only an adapter can read.
   */
  falling(factor: number): ReadonlyMap<Hex, readonly Guard[]>;
}

/** The loans that may be near their triggers or were read now, in any order. All others are healthy, or owe nothing. */
export interface JudgedLoans {
  readonly guards: readonly Guard[];
  /** In the order of `guards`. */
  readonly healths: readonly Health[];
}

/** What liquidations take. Throws like MarketReader. */
export interface PenaltyReader {
  /**
   * The least that a liquidation of the guard's loan takes from the borrower beyond what it repays, by the protocol's
   * own figures, as a share of the repayment with 18 decimals. Undefined if the protocol is not listed.
   */
  penaltyWad(guard: Pick<Guard, 'adapter' | 'market'>): Promise<bigint | undefined>;
}

/** Base units that a simulated rescue repays, or the contract's error in lower_snake. `word`: not all nodes agree. */
export type JudgedRescue = { readonly repay: bigint; readonly word?: Word } | { readonly error: string };

/** A report by one node while no other responds, or by nodes that others contradict. All its rescues share it. */
export interface Word {
  /** One node, or refuted ones, against others: rescues wait for a second look and get little of the day's gas. */
  readonly isDoubtful: boolean;
  /** Nothing has lately shown it to be right: one rescue must prove it before others are sent. */
  readonly isUnproven: boolean;
  /** Records what the chain has decided. */
  judge(isRight: boolean): void;
}

/** Simulates a batch. Throws BowlineError `chain_unavailable` (retryable). */
export interface BatchPreviewer {
  /** Whether each order would execute if the batch were sent now; empty if the whole batch would revert. */
  wouldRun(batch: Call): Promise<readonly boolean[]>;
  /**
   * What each rescue in this call (`rescueMany` or `rescue`) would do if it were sent now. Empty if the whole
   * list would revert.
   */
  rescues(call: Call): Promise<readonly JudgedRescue[]>;
}

/** Throws like MarketReader. */
export interface GuardFundsReader {
  /** What a rescue by each guard would find now, in order; undefined: unreadable. */
  guardFunds(guards: readonly Guard[]): Promise<readonly (Means | undefined)[]>;
}

/** Throws like MarketReader. */
export interface RescueReader {
  /** A guard's rescues from number `from` on, as many as the guard says that it has. */
  rescuesSince(guard: Guard, from: number): Promise<readonly (Rescue & { readonly time: bigint })[]>;
}

/** Token balances of accounts. */
export interface BalanceReader {
  /** Base units of each token that `owner` held after that block, in the tokens' order. */
  balances(owner: Address, tokens: readonly Address[], block: bigint): Promise<readonly bigint[]>;
}

/** Chooses the pools of a sale whose terms leave them to the caller. */
export interface SaleRouter {
  /**
   * The guard with the route over which its rescue, simulated now, repays most, and then costs fewest receipts.
   * Unchanged if its terms name a route, it needs none, or no pool would do.
   */
  routed(guard: Guard): Promise<Guard>;
}
