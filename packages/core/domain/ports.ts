// What the inside asks of the outside. Adapters implement these; tests may, too.

import type { Asset, TradedAsset } from './assets.ts';
import type {
  Block,
  BookDepth,
  BookTicker,
  Candle,
  ChainFacts,
  Priced,
  Reference,
  Session,
  Side,
  Size,
} from './facts.ts';
import type { BarePlan, Guard, LoanHealth, Plan, Rescue, RescuePreview, Run } from './permissions.ts';
import type { Ticket } from './ticket.ts';
import type { Address, Hex } from './units.ts';

/** Wall time in unix seconds. Chain time is a block's own. */
export type Clock = () => bigint;

/** When what assets stand for is traded. */
export interface TradingCalendars {
  /** At a time in unix seconds; undefined where there is no calendar of that name, or it does not reach that day. */
  session(calendar: string, time: bigint): Session | undefined;
}

/** All reads throw BowlineError `chain_unavailable` (retryable) when the node does not answer. */
export interface MarketReader {
  /** Facts of one asset at the newest block, in one request. */
  facts(asset: TradedAsset, quoteAsset: Asset, side: Side, size: Size): Promise<ChainFacts>;
}

/** Throws as MarketReader does. */
export interface PriceReader {
  /**
   * What the chain says of the price of an asset at the newest block.
   * @param quoteAsset of an asset that is traded, to read its pool's spot and what that is in USD, too. Nothing is swapped.
   */
  price(asset: Asset, quoteAsset?: Asset): Promise<Priced['chain']>;
}

export interface PlanReader {
  /**
   * Every plan there is, however many. Each that may still run for this agent is read with its owner's funds at one block,
   * the newest that the node has when it is asked for that page. Plans of different pages may so be of different blocks, and
   * sums over several plans are of no block: nothing may rest on them, since the contract asks again. The others (another's
   * executor, cancelled, expired, runs used up) are as they were when they were last read.
   */
  plans(): Promise<PlansRead>;
  /** One plan, now. Throws `unknown_plan`. */
  plan(planId: bigint): Promise<BarePlan>;
  /** One plan with its owner's funds, now, and the newest block. Throws `unknown_plan`. */
  planWithFunds(planId: bigint): Promise<{ readonly block: Block; readonly plan: Plan }>;
  /** The newest plans, of everybody or of one owner, now. */
  newestPlans(question: NewestPlans): Promise<NewestPlansRead>;
  /** One plan's records, oldest first: `from` inclusive, `to` exclusive. Throws `unknown_plan`. */
  runs(planId: bigint, from: number, to: number): Promise<readonly Run[]>;
}

interface PlansRead {
  /** The newest when the reading began. */
  readonly block: Block;
  readonly plans: readonly Plan[];
  /** How many the node did not answer for. They are not among the plans. */
  readonly unread: number;
}

export interface NewestPlans {
  readonly owner?: Address;
  /** Only those with a lower number. */
  readonly before?: bigint;
  /** At most so many. */
  readonly count: number;
}

interface NewestPlansRead {
  /** The newest when the reading began. */
  readonly block: Block;
  /** Newest first. */
  readonly plans: readonly BarePlan[];
  /** All that there are of that owner, `before` and `count` aside. */
  readonly total: number;
  /** The number to name as `before` for those that follow; absent where none do. */
  readonly next?: bigint;
  /** How many the node did not answer for: more may be the owner's than `total` says. */
  readonly unread: number;
}

export interface GuardReader {
  /** Every guard there is, read as plans are: those that may still hold for this keeper now, the others as they were. */
  guards(): Promise<GuardsRead>;
  /** One guard, now. Throws `unknown_guard`. */
  guard(guardId: bigint): Promise<Guard>;
  /** One borrower's guards, now. At most `count`: first those that may still hold, then the newest. */
  guardsOf(borrower: Address, count: number): Promise<GuardsOf>;
  health(borrower: Address): Promise<LoanHealth>;
  /** Throws `unknown_guard`. */
  preview(guardId: bigint): Promise<RescuePreview>;
}

interface GuardsRead {
  /** The newest when the reading began. */
  readonly block: Block;
  readonly guards: readonly Guard[];
  /** How many the node did not answer for. They are not among the guards. */
  readonly unread: number;
}

interface GuardsOf {
  readonly guards: readonly Guard[];
  /** All that there are of that borrower. */
  readonly total: number;
  /** How many the node did not answer for: more may be the borrower's than `total` says. */
  readonly unread: number;
}

/** Weighted collateral over debt, with 18 decimals; or why there is no number. */
export type Health = bigint | 'no_debt' | 'unreadable';

export interface HealthReader {
  /** Of the guards' loans at the newest block, in their order: the reading that the contract makes before a rescue. */
  healths(guards: readonly Guard[]): Promise<readonly Health[]>;
}

/** The exchange. Throws BowlineError `market_unavailable` (retryable). */
export interface MarketData {
  bookTicker(pair: string): Promise<BookTicker>;
  /** Of the best orders, as many as one answer has: what lies further out is not counted. */
  depth(pair: string): Promise<OrderBook>;
  candles(pair: string, interval: CandleInterval, count: number): Promise<PastPrices>;
}

export interface PastPrices {
  /** Newest last. */
  readonly candles: readonly Candle[];
  /** How many rows of the answer were no candles, and are left out; absent where all were. */
  readonly broken?: number;
  /** When it answered, by its own clock, unix seconds. */
  readonly answeredAt: bigint;
}

export interface OrderBook extends BookDepth {
  /** Between the best bid and the best ask. */
  readonly middleWad: bigint;
  /** When it answered, by its own clock, unix seconds. */
  readonly answeredAt: bigint;
}

/** Prices that Pyth's publishers agree on. Throws BowlineError `market_unavailable` (retryable). */
export interface PythPrices {
  price(id: Hex): Promise<Reference>;
}

export const candleIntervals = ['1m', '5m', '1h', '1d'] as const;
export type CandleInterval = (typeof candleIntervals)[number];

/** A transaction that a loop wants. `gas` is computed, never estimated. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  /** For people and logs: "execute plan 3". */
  readonly label: string;
  /** Set where the contract accepts the call from any account, so that another key of the agent's may send it. */
  readonly byAnybody?: true;
}

/** What became of a call. Every case is final but `unknown`. */
export type Sent =
  /** In a block, with success. `events`: of the whole transaction, which others may have had a part in. */
  | {
      readonly outcome: 'confirmed';
      readonly hash: Hex;
      readonly block: bigint;
      readonly gasUsed: bigint;
      readonly events: readonly ChainEvent[];
    }
  /** In a block, and reverted: gas was paid, nothing else happened. */
  | { readonly outcome: 'reverted'; readonly hash: Hex; readonly block: bigint; readonly gasUsed: bigint }
  /** The simulation of the exact bytes failed, so that nothing was sent. `error`: the contract's error, lower_snake. */
  | { readonly outcome: 'would_revert'; readonly error: string }
  /** The signing policy does not allow it. Nothing was signed. */
  | { readonly outcome: 'not_allowed'; readonly rule: string }
  /** Nothing was sent: the node did not answer or refused, or an earlier transaction still holds the nonce. */
  | { readonly outcome: 'not_sent' }
  /** Sent, in no block, and it never will be: another transaction, mostly ours that does nothing, has used up its nonce. */
  | { readonly outcome: 'cancelled'; readonly hash: Hex }
  /**
   * Its nonce is used, and no receipt that the node still has says by what: it may have been done. Nothing more is on its way
   * with that nonce. Before anything like it is sent again, the chain must be read anew.
   */
  | { readonly outcome: 'consumed'; readonly hash: Hex }
  /** It may or may not be in a block yet. Nothing more is sent until the sender has found out. */
  | { readonly outcome: 'unknown'; readonly hash: Hex };

/** What a contract has left in a receipt. */
export interface ChainEvent {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Neither method rejects: whatever goes wrong after the signature, its hash is not lost. */
export interface Sender {
  readonly address: Address;
  send(call: Call): Promise<Sent>;
  /** What became of a call of this process that was `unknown`, as far as it can be found out, and ended, now. */
  outcome(hash: Hex): Promise<Sent>;
  /** By which of several queues a call goes: calls with different answers do not wait for each other. Absent: there is one. */
  wayOf?(call: Call): unknown;
}

/** One run, as it is asked for. */
export interface Order {
  readonly plan: Plan;
  readonly path: Hex;
  readonly ticket: Ticket;
  /** Of the plan's verdict signer; empty for a plan without one. */
  readonly signature: Hex;
}

/** What the loops want done, as calls of this project's contracts. */
export interface Calls {
  execute(order: Order): Call;
  /** At most `maxOrders`, each of another plan. In a block it is a success whatever becomes of its runs: see `failedRuns`. */
  executeBatch(orders: readonly Order[]): Call;
  /** As many as fit into a transaction, by every way that it may be sent. */
  readonly maxOrders: number;
  /**
   * Of a batch that is in a block, which plans were not run, and why: the contract's error, lower_snake; `out_of_gas` where it
   * said nothing. All others of the batch were.
   */
  failedRuns(events: readonly ChainEvent[]): ReadonlyMap<bigint, string>;
  /** @param signature as in an order. */
  defer(plan: Plan, reasonCode: number, ticket: Ticket, signature: Hex): Call;
  rescue(guard: Guard): Call;
}

/** What a batch would do. Throws BowlineError `chain_unavailable` (retryable). */
export interface BatchPreviewer {
  /** For each of its orders whether it would be executed, were it sent now; empty where the batch would be refused as a whole. */
  wouldRun(batch: Call): Promise<readonly boolean[]>;
}

/** One line of JSON a call; `fields` hold no secrets. bigint is written as decimal text. */
export interface Log {
  /** What nobody needs to hear of unless they look for it. */
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/** A language model that may call tools. */
export interface LanguageModel {
  /** One round. Throws BowlineError `model_unavailable` (retryable), also when `signal` ends it. */
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
  /** JSON text as the model wrote it, unchecked. */
  readonly argumentsJson: string;
}

interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** What accounts hold. */
export interface BalanceReader {
  /** Base units that `owner` held of each token after that block, in the tokens' order. */
  balances(owner: Address, tokens: readonly Address[], block: bigint): Promise<readonly bigint[]>;
}

export interface RescueReader {
  /** One guard's rescues, oldest first: `from` inclusive, `to` exclusive. Throws `unknown_guard`. */
  rescues(guardId: bigint, from: number, to: number): Promise<readonly Rescue[]>;
}
