// What a queue needs to know about the account whose nonces it uses: a plain key or an ERC-4337 account.

import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { Call, Sent } from '@bowline/core/domain/sending';
import type { Clock, Timers } from '@bowline/core/domain/time';
import type { Address, Hex } from '@bowline/core/domain/units';
import type { Payload, Terms } from './operation.ts';
import type { GasDay } from './signing-policy.ts';

/** What a queue keeps reading. */
export interface NonceFacts {
  readonly chainId: number;
  /** Next unused nonce in the newest block. */
  readonly used: bigint;
  /** The same, counting transactions that are pending in the node. */
  readonly pending: bigint;
  readonly gasPriceWei: bigint;
  /** What the payer holds. */
  readonly fundsWei: bigint;
}

/** Something that may be signed. */
export interface Draft<P extends Payload> {
  readonly maxWei: bigint;
  /** Kind in the gas day; undefined for calls without their own bound. */
  readonly kind: string | undefined;
  /** The rule that forbids it; undefined if none does. */
  rule(paidTodayWei: bigint, heldWei: bigint, spentOnKindWei: bigint): string | undefined;
  /** Why it would fail; undefined if it would not. Throws viem's errors if the node does not answer. */
  simulate(): Promise<Sent | undefined>;
  sign(): Promise<P>;
}

/** What used a nonce, by a receipt. */
export interface Found {
  readonly sent: Sent;
  readonly paidWei: bigint;
  readonly by: Hex;
}

/** One sequence of nonces: of a plain key, or of an ERC-4337 account. All reads throw viem's errors. */
export interface NonceSequence<P extends Payload> {
  readonly name: string;
  /** The acting account. */
  readonly address: Address;
  read(): Promise<NonceFacts>;
  terms(call: Call | undefined): Omit<Terms, 'actsUntil'>;
  /** @param call undefined: a no-op that only uses up the nonce. */
  draft(call: Call | undefined, nonce: bigint, gasPriceWei: bigint, facts: NonceFacts): Draft<P>;
  /** `taken`: a node says that it has it. `unknown`: one may have it. Otherwise none has it: the outcome to report. */
  submit(payload: P, call: Call | undefined): Promise<'taken' | 'unknown' | Sent>;
  /** Resubmits a payload whose block seems to be undone. */
  submitAgain(payload: P, call: Call | undefined): Promise<unknown>;
  /** @param blocks the nonce was unused in `after` and is used in `upTo`. */
  find(payloads: readonly P[], nonce: bigint, blocks: Blocks): Promise<Found | undefined>;
}

export interface Blocks {
  readonly after: bigint;
  readonly upTo: bigint;
}

export interface QueueOptions {
  readonly gasDay: GasDay;
  readonly heads: Heads;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Seconds until a call that may not act late is cancelled; twice as long until a foreign nonce is freed. */
  readonly receiptSeconds: bigint;
  /** Maximum number of open nonces. */
  readonly maxOpen: number;
  /** Maximum age of facts in milliseconds while nothing is open. */
  readonly maxAgeMs: number;
  /** Milliseconds between two readings while nothing is open and no call is expected. */
  readonly idleMs: number;
  /** Milliseconds between two looks at what is open while no block comes. */
  readonly lookMs: number;
}
