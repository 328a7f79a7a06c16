// Ports of the core to the outside. Adapters implement them, and tests may, too.

import type { Asset, TradedAsset } from './assets.ts';
import type {
  Block,
  BookDepth,
  BookTicker,
  Candle,
  ChainFacts,
  Limits,
  Priced,
  Reference,
  Side,
  Size,
} from './facts.ts';
import type { GuardedLoan } from './guarded-loan.ts';
import type { BarePlan, Funds, Guard, Loan, LoanHealth, Plan, Rescue, RescuePreview, Run } from './permissions.ts';
import type { Ticket } from './ticket.ts';
import type { Address, Hex } from './units.ts';

/** Wall time in unix seconds. Chain time is a block's own. */
export type Clock = () => bigint;

/** Time that passes; a test's own may be virtual. */
export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls once after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

/** A block at the end of the chain. */
export interface Head {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly hash: Hex;
}

/** The end of the chain, as nodes tell it. */
export interface Heads {
  /** Undefined until a node has told one. */
  newest(): Head | undefined;
  /**
   * Calls for each new head, and for the newest one again when the nodes answer after all of them have failed: waiting
   * work need not wait for a block as well. The returned function ends the calls.
   */
  onHead(listen: (head: Head) => void): () => void;
}

/** All reads throw BowlineError `chain_unavailable` (retryable) if the node does not answer. */
export interface MarketReader {
  /**
   * Facts of one asset at the newest block, in one request.
   * @param limits choose the route: the best of those that they let pass, if there is one.
   */
  facts(asset: TradedAsset, quoteAsset: Asset, side: Side, size: Size, limits: Limits): Promise<ChainFacts>;
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
   * The price that the registry reads of a plan's source, in base units of tokenIn per 1e18 of tokenOut. Undefined if the
   * source gives none.
   */
  sourcePriceWad(plan: Pick<BarePlan, 'priceSource' | 'tokenIn' | 'tokenOut'>): Promise<bigint | undefined>;
}

export interface PlanReader {
  /**
   * All existing plans. A plan that may still run for this agent is read with its owner's funds at the newest block
   * when its page is read. Plans of different pages may therefore be of different blocks, and sums over several plans
   * are of no single block: never rely on them, since the contract checks again. All other plans (another executor,
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
  guard(guardId: bigint): Promise<Guard>;
  /** One borrower's guards, read now. At most `count`: first those that may still apply, then the newest. */
  guardsOf(borrower: Address, count: number): Promise<GuardsOf>;
  /** The guards of which an account is the borrower or the funder, as `guardsOf` reads them. Both have agreed to each. */
  guardsFor(account: Address, count: number): Promise<GuardsOf>;
  /**
   * A borrower's loan. If several protocols are listed, the one in the most danger: one that can be liquidated at any
   * health, else the one with the lowest. Throws if one cannot be read.
   */
  loan(borrower: Address): Promise<Loan>;
  /** Health of the loan that a guard protects, read as its rescue reads it, also if the adapter is not listed. */
  healthOf(guard: Guard): Promise<LoanHealth>;
  /** The same loan with what a rescue depends on. Chainlink's prices are not read. Throws like `healthOf`. */
  guardedLoan(guard: Guard): Promise<GuardedLoan>;
  /** Throws `unknown_guard`. */
  preview(guardId: bigint): Promise<RescuePreview>;
}

interface GuardsRead {
  /** The newest block when the read began. */
  readonly block: Block;
  readonly guards: readonly Guard[];
  /** Number of guards without an answer from the node; they are not in `guards`. */
  readonly unread: number;
}

interface GuardsOf {
  readonly guards: readonly Guard[];
  /** Total number of guards of that account. */
  readonly total: number;
  /** Number of guards without an answer from the node; some may belong to the account and be missing in `total`. */
  readonly unread: number;
}

/**
 * Weighted collateral divided by debt, with 18 decimals; or why there is no number. `unread`: the node did not answer for
 * this loan, and did for others.
 */
export type Health = bigint | 'no_debt' | 'unreadable' | 'unread';

export interface HealthReader {
  /** Health of the guards' loans at the newest block, in order, by the contract's own read before a rescue. */
  healths(guards: readonly Guard[]): Promise<readonly Health[]>;
  /**
   * The same in a few requests, to be called at every block. Loans near their triggers, and the others in turn, are read;
   * the rest are valued by their positions as last read and the newest prices. A rescue may be sent on such a value only
   * after a simulation.
   */
  watch(guards: readonly Guard[]): Promise<readonly Health[]>;
  /** The guard's loan has changed: it is read when it is watched next. */
  changed(guard: Guard): void;
}

/** Exchange market data. Throws BowlineError `market_unavailable` (retryable). */
export interface MarketData {
  bookTicker(pair: string): Promise<BookTicker>;
  /** The best orders that fit into one response; deeper ones are not counted. */
  depth(pair: string): Promise<OrderBook>;
  candles(pair: string, interval: CandleInterval, count: number): Promise<PastPrices>;
}

export interface PastPrices {
  /** Newest last. */
  readonly candles: readonly Candle[];
  /** Number of malformed rows left out of the answer; absent if there were none. */
  readonly broken?: number;
  /** The exchange's clock when it answered, unix seconds. */
  readonly answeredAt: bigint;
}

export interface OrderBook extends BookDepth {
  /** Mid-price between best bid and best ask. */
  readonly middleWad: bigint;
  /** The exchange's clock when it answered, unix seconds. */
  readonly answeredAt: bigint;
}

/** Aggregate prices of Pyth's publishers. Throws BowlineError `market_unavailable` (retryable). */
export interface PythPrices {
  price(id: Hex): Promise<Reference>;
}

export const candleIntervals = ['1m', '5m', '1h', '1d'] as const;
export type CandleInterval = (typeof candleIntervals)[number];

/** A transaction requested by a loop. `gas` is computed, never estimated. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  /** Label for people and logs: "execute plan 3". */
  readonly label: string;
  /** Set if the contract accepts the call from any account, so that another key of the agent may send it. */
  readonly byAnybody?: true;
  /** Set if the caller has just simulated these exact bytes, from any account that may send them. */
  readonly isSimulated?: true;
  /** Set if the contract judges the call anew whenever it is mined. Any other call is cancelled when its time is up. */
  readonly mayActLate?: true;
}

/** Outcome of a call. Every outcome is final, except that `unknown` is only this process's last word. */
export type Sent =
  /** Mined and successful. `events`: all events of the transaction, which may include others' activity. */
  | {
      readonly outcome: 'confirmed';
      readonly hash: Hex;
      readonly block: bigint;
      readonly gasUsed: bigint;
      readonly events: readonly ChainEvent[];
    }
  /**
   * Mined and reverted: gas was paid, nothing else happened. `error`: the contract's error in lower_snake, which only an
   * ERC-4337 wallet's receipt names.
   */
  | {
      readonly outcome: 'reverted';
      readonly hash: Hex;
      readonly block: bigint;
      readonly gasUsed: bigint;
      readonly error?: string;
    }
  /** The simulation of the exact bytes failed, so nothing was sent. `error`: the contract's error in lower_snake. */
  | { readonly outcome: 'would_revert'; readonly error: string }
  /** Forbidden by the signing policy. Nothing was signed. `price`: what the rule `gas_price` has compared, in wei. */
  | {
      readonly outcome: 'not_allowed';
      readonly rule: string;
      readonly price?: { readonly askedWei: bigint; readonly maxWei: bigint };
    }
  /**
   * Nothing was sent: the node did not answer or refused, or an earlier transaction still holds the nonce. `isRefused`:
   * every node has refused these very bytes and none has them, so that another key may send the call.
   */
  | { readonly outcome: 'not_sent'; readonly isRefused?: true }
  /** Sent and never to be mined: another transaction, usually our no-op, used up its nonce. */
  | { readonly outcome: 'cancelled'; readonly hash: Hex }
  /**
   * Its nonce is used, and no receipt the node still has shows by what: it may have been executed. Nothing more is
   * pending with that nonce. Read the chain again before sending a similar call.
   */
  | { readonly outcome: 'consumed'; readonly hash: Hex }
  /** It was open when the process stopped: it may still be mined. */
  | { readonly outcome: 'unknown'; readonly hash: Hex };

/** An event in a receipt. */
export interface ChainEvent {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Signs and sends calls. */
export interface Sender {
  readonly address: Address;
  /**
   * Resolves when the outcome is final; may be called concurrently. Until then the call is broadcast again, replaced at a
   * higher price, or cancelled. Never rejects.
   */
  send(call: Call): Promise<Sent>;
}

/** A signed operation whose outcome is not final. */
export interface OpenOperation {
  /** The nonce sequence that it holds up. */
  readonly lane: string;
  readonly label: string;
  readonly hash: Hex;
  /** Milliseconds since it was signed. */
  readonly openMs: number;
}

/** One run to execute. */
export interface Order {
  readonly plan: Plan;
  readonly path: Hex;
  readonly ticket: Ticket;
  /** Signature of the plan's verdict signer; empty for a plan without one. */
  readonly signature: Hex;
}

/** Builds the loops' calls to this project's contracts. */
export interface Calls {
  execute(order: Order): Call;
  /**
   * At most `maxOrders`, each for a different plan. The transaction succeeds even if its runs fail: see `failedRuns`.
   */
  executeBatch(orders: readonly Order[]): Call;
  /** Maximum number of orders that fit into a transaction by every way of sending. */
  readonly maxOrders: number;
  /**
   * Plans of a mined batch that were not run, with the contract's error in lower_snake, or `out_of_gas` if it returned
   * none. All other plans of the batch were run.
   */
  failedRuns(events: readonly ChainEvent[]): ReadonlyMap<bigint, string>;
  /** @param signature like in an order. */
  defer(plan: Plan, reasonCode: number, ticket: Ticket, signature: Hex): Call;
  rescue(guard: Guard): Call;
  /** At most `maxRescues`. The transaction succeeds even if its rescues fail: see `failedRescues`. */
  rescueMany(guards: readonly Guard[]): Call;
  /** Maximum number of rescues for which a transaction surely has the gas, whatever each of them needs. */
  readonly maxRescues: number;
  /** Guards of a mined list whose loans were not rescued, with the error as in `failedRuns`. */
  failedRescues(events: readonly ChainEvent[]): ReadonlyMap<bigint, string>;
  /** By guard: the rescue of its loan in a mined transaction; if there are several, the last. */
  rescuesMade(events: readonly ChainEvent[]): ReadonlyMap<bigint, Rescue>;
}

/** What a simulated rescue repays, in base units; or the contract's error in lower_snake. */
export type JudgedRescue = { readonly repay: bigint } | { readonly error: string };

/** Simulates a batch. Throws BowlineError `chain_unavailable` (retryable). */
export interface BatchPreviewer {
  /** Whether each order would execute if the batch were sent now; empty if the whole batch would revert. */
  wouldRun(batch: Call): Promise<readonly boolean[]>;
  /**
   * What each rescue of this call would do if it were sent now: of `rescueMany`, or of `rescue` alone. Empty if a whole
   * list would revert.
   */
  rescues(call: Call): Promise<readonly JudgedRescue[]>;
}

/**
 * Whose turn it is to act, where several workers serve the same permissions. Each permission has an order of workers: the
 * first acts at once, and the others when it had its head start and the permission is still due.
 */
export interface Turns<Item> {
  /**
   * Of all items that are due now, those on which this worker acts now. Forgets items that are not among them.
   * `nextMs`: until the next of the items that are left to others.
   */
  split<Each extends Item>(
    items: readonly Each[],
  ): { readonly ours: readonly Each[]; readonly left: number; readonly nextMs?: number };
  /** It was not due after all: the others have their head start again. */
  restart(item: Item): void;
}

/** Logs one line of JSON per call; `fields` must hold no secrets. bigint is written as decimal text. */
export interface Log {
  /** Details for debugging only. */
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/** Keeps the documents that verdicts on chain name by their hash. Neither method rejects. */
export interface EvidenceStore {
  /** Resolves once the document is safe, within seconds. False: it could not be kept, and a warning says why. */
  keep(hash: Hex, text: string): Promise<boolean>;
  /**
   * The document whose hash this is, or begins with this. Undefined if it is not there, was changed, or the text is
   * neither 32 bytes in hex nor the 19 that a record on chain has.
   */
  read(hashOrPrefix: string): Promise<string | undefined>;
}

/** A language model with tool calls. */
export interface LanguageModel {
  /** One round. Throws BowlineError `model_unavailable` (retryable), also if `signal` aborts it. */
  respond(conversation: readonly ModelTurn[], tools: readonly ModelTool[], signal?: AbortSignal): Promise<ModelReply>;
}

interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: Record<string, unknown>;
}

export type ModelTurn =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface ModelCall {
  readonly id: string;
  readonly tool: string;
  /** JSON text as written by the model, unchecked. */
  readonly argumentsJson: string;
}

interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** What happened to a permission, as a loop saw it. */
export type PermissionEvent =
  | {
      readonly kind: 'rescue_made';
      readonly guard: Guard;
      readonly hash: Hex;
      readonly block: bigint;
      /** Absent if the receipt does not say. */
      readonly rescue?: Rescue;
    }
  | { readonly kind: 'run_executed' | 'run_deferred'; readonly plan: Plan };

/** Tells owners what they have asked to be told of. */
export interface Notices {
  /** Never throws and never waits. */
  tell(event: PermissionEvent): void;
}

/** Throws like MarketReader. */
export interface GuardFundsReader {
  /** The funder's repay tokens and the guard contract's allowance of them, now, in order; undefined: unreadable. */
  guardFunds(guards: readonly Guard[]): Promise<readonly (Funds | undefined)[]>;
}

/** Token balances of accounts. */
export interface BalanceReader {
  /** Base units of each token that `owner` held after that block, in the tokens' order. */
  balances(owner: Address, tokens: readonly Address[], block: bigint): Promise<readonly bigint[]>;
}
