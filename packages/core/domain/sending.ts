// What loops request from whatever signs and sends.

import type { GuardKey } from './guard-key.ts';
import type { Guard, Plan, Rescue } from './permissions.ts';
import type { Ticket } from './ticket.ts';
import type { Address, Hex } from './units.ts';

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
  /** Set if nodes disagree on whether it would succeed: sent unsimulated, from a small share of the day's gas. */
  readonly isDoubtful?: true;
  /** The gas price above which the call costs more than it saves; absent if that is not known. */
  readonly maxGasPriceWei?: bigint;
  /** Set if the contract checks the call again whenever it is mined. Any other call is cancelled at its deadline. */
  readonly mayActLate?: true;
}

/** Outcome of a call. Every outcome is final except `unknown`, which only says that this process stopped watching. */
export type Sent =
  /** Mined and successful. `events`: all events of the transaction, which may include others' activity. */
  | {
      readonly outcome: 'confirmed';
      readonly hash: Hex;
      readonly block: bigint;
      readonly gasUsed: bigint;
      /** Paid for gas; absent if the receipt does not say. */
      readonly paidWei?: bigint;
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
      readonly paidWei?: bigint;
      readonly error?: string;
    }
  /** The simulation of the exact bytes failed, so nothing was sent. `error`: the contract's error in lower_snake. */
  | { readonly outcome: 'would_revert'; readonly error: string }
  /**
   * Forbidden by the signing policy. Nothing was signed. `price`: what the rule `gas_price` or `not_worth_gas`
   * compared, in wei.
   */
  | {
      readonly outcome: 'not_allowed';
      readonly rule: string;
      readonly price?: { readonly askedWei: bigint; readonly maxWei: bigint };
    }
  /**
   * Nothing was sent: the node did not answer or refused, or an earlier transaction still holds the nonce. `isRefused`:
   * every node refused exactly these bytes and none has them, so another key may send the call.
   */
  | { readonly outcome: 'not_sent'; readonly isRefused?: true }
  /** Sent and never to be mined: another transaction, usually our no-op, used up its nonce. */
  | { readonly outcome: 'cancelled'; readonly hash: Hex }
  /**
   * Its nonce was used, but the node has no receipt that shows by which transaction: the call may have been executed.
   * Nothing is pending with that nonce any longer. Read the chain again before sending a similar call.
   */
  | { readonly outcome: 'consumed'; readonly hash: Hex }
  /** Still open when the process stopped: it may still be mined. */
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
  /** Announces a possible call, so that what it needs is read in the meantime. */
  prepare?(): void;
}

/** A signed operation whose outcome is not final. */
export interface OpenOperation {
  /** The nonce sequence that it blocks. */
  readonly queue: string;
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
  /** Maximum number of orders that fit into one transaction, whichever way it is sent. */
  readonly maxOrders: number;
  /**
   * Plans of a mined batch that were not run, with the contract's error in lower_snake, or `out_of_gas` if it returned
   * none. All other plans of the batch were run.
   */
  failedRuns(events: readonly ChainEvent[]): ReadonlyMap<bigint, string>;
  /** @param signature as in an order. */
  defer(plan: Plan, reasonCode: number, ticket: Ticket, signature: Hex): Call;
  /** @param guard with the route that the caller has chosen, if its terms leave that to the caller. */
  rescue(guard: Guard): Call;
  /** Guards of one contract, at most `maxRescues`, or `maxSales` where deposits pay. The transaction succeeds even if its rescues fail: see `failedRescues`. */
  rescueMany(guards: readonly Guard[]): Call;
  /** Maximum number of rescues for which one transaction always has enough gas, whatever each of them needs. */
  readonly maxRescues: number;
  readonly maxSales: number;
  /** Guards of a mined list whose loans were not rescued, with the error as in `failedRuns`. */
  failedRescues(events: readonly ChainEvent[]): ReadonlyMap<GuardKey, string>;
  /** By guard: the rescue of its loan in a mined transaction; if there are several, the last. */
  rescuesMade(events: readonly ChainEvent[]): ReadonlyMap<GuardKey, Rescue>;
}
