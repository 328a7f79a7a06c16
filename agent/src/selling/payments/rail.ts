import type { ChainClient } from '@bowline/chain/chain-client';
import { askWallet } from '@bowline/chain/wallet-signature';
import type { Log } from '@bowline/core/domain/log';
import {
  type Json,
  type Payment,
  type PaymentRefusal,
  paymentRefusals,
  type Resource,
} from '@bowline/core/domain/payment';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Hex } from '@bowline/core/domain/units';
import type { Prefix } from '@bowline/http/caller';
import type { Limiter } from '@bowline/http/rate-limit';
import { x402ResourceServer } from '@x402/core/server';
import { type PaymentPayload, type PaymentRequirements, SettleError } from '@x402/core/types';
import { getAddress } from 'viem';
import type { Facilitator } from './facilitators.ts';
import { digestOf, isSignedByKey, isWrapped, type Offer, writePayload, wrongTerms } from './payment.ts';
import type { Proof } from './proof.ts';
import { createTurns, type InTurn } from './turns.ts';

export interface RailOptions {
  readonly facilitator: Facilitator;
  /** At least one, the preferred one first. */
  readonly offers: readonly Offer[];
  /** The paid resource as shown to the facilitator. */
  readonly resource: Resource;
  readonly client: ChainClient;
  readonly proof: Pick<Proof, 'simulate'>;
  /** Counts signature checks of contract wallets: a stranger can name any address, and each runs in an eth_call. */
  readonly wallets: Limiter;
  /** Who sent the request that is being served: the queues of chain checks are shared by callers. */
  readonly callerNow: () => readonly Prefix[];
  /** Unix seconds. */
  readonly clock: () => bigint;
  readonly log: Log;
}

/** What the facilitator says: a decline that names a transaction may still succeed. */
export interface Claimed {
  readonly isDeclined: boolean;
  readonly hash?: Hex;
}

/** Validity of a payer's authorisation in seconds. */
const PAYMENT_SECONDS = 300;
/** Concurrent chain checks of new payments, and those that wait. Anybody can sign a payment, and the loops need the same node. */
const CHECKS_AT_ONCE = 8;
const MAX_WAITING = 64;
/** Concurrent checks of contract wallets. Anyone can name such a payer, so they have their own queue. */
const WALLETS_AT_ONCE = 4;

interface Asked {
  readonly offer: Offer;
  readonly agreed: PaymentRequirements;
}

const unavailable = (cause: unknown): BowlineError => {
  const message = 'Payments are unavailable, and this one was not attempted. Send the same request again later.';
  return new BowlineError('payment_unavailable', message, { retryable: true, cause });
};

export type Rail = Pick<X402Rail, 'ask' | 'check' | 'checkPermit' | 'verify' | 'settle'>;

/**
 * How answers are paid: x402 v2 through a facilitator, which submits the payer's authorisation and pays its gas. Its answer proves
 * nothing. All but `settle` throw BowlineError `payment_unavailable`.
 */
export class X402Rail {
  readonly #options: RailOptions;
  readonly #server: x402ResourceServer;
  readonly #inTurn: InTurn;
  readonly #walletInTurn: InTurn;
  #known: Promise<readonly Asked[]> | undefined;

  constructor(options: RailOptions) {
    const { facilitator, offers, callerNow } = options;
    this.#options = options;
    this.#server = new x402ResourceServer(facilitator.client);
    for (const { network } of offers) this.#server.register(network, facilitator.scheme);
    this.#inTurn = createTurns(CHECKS_AT_ONCE, MAX_WAITING, callerNow);
    this.#walletInTurn = createTurns(WALLETS_AT_ONCE, MAX_WAITING, callerNow);
  }

  /** Payment terms, as x402's PaymentRequired. */
  async ask(shown: Resource, refusal?: PaymentRefusal): Promise<Json> {
    const accepted = (await this.#asked()).map(({ agreed }) => agreed);
    const error = refusal && paymentRefusals[refusal][0];
    return { ...(await this.#server.createPaymentRequiredResponse(accepted, shown, error)) };
  }

  /** What is wrong with a new payment and the payload that it was read from, without a simulation; undefined if nothing. */
  async check(payment: Payment, payload: unknown): Promise<PaymentRefusal | undefined> {
    const { client, wallets, facilitator, clock } = this.#options;
    const asked = await this.#asked();
    const terms = asked.map(({ agreed }) => agreed);
    const accepted = this.#server.findMatchingRequirements(terms, payload as PaymentPayload);
    const { offer } = asked.find(({ agreed }) => agreed === accepted) ?? {};
    if (offer === undefined) return 'other_terms';
    const wrong = wrongTerms(payment, offer, clock());
    if (wrong !== undefined || payment.method !== 'eip3009') return wrong;
    const digest = digestOf(payment, offer);
    if (await isSignedByKey(payment, digest)) return undefined;
    if (!wallets.take().allowed) {
      const message = "Too many payments are not signed with the payer's own key. Retry in a minute.";
      throw new BowlineError('rate_limited', message, { retryable: true });
    }
    const { from } = payment.authorization;
    const word = await this.#answerOf(this.#walletInTurn(() => askWallet(client, from, digest, payment.signature)));
    if (word === 'accepts') return facilitator.takesPermit2 ? 'wallet_not_taken' : undefined;
    return word === 'none' && isWrapped(payload) ? 'wallet_not_deployed' : 'bad_signature';
  }

  /** What the facilitator finds wrong with a permit, above all its signature: without it, anyone could fetch another's answer. */
  async checkPermit(payment: Payment): Promise<PaymentRefusal | undefined> {
    const wrong = payment.method === 'eip3009' ? undefined : await this.verify(payment);
    return typeof wrong === 'string' ? wrong : undefined;
  }

  /** Whether the payment would be accepted now: the block, or why not. */
  verify(payment: Payment): Promise<bigint | PaymentRefusal> {
    const { proof } = this.#options;
    const isOwn = payment.method === 'eip3009';
    return this.#answerOf(this.#inTurn(() => (isOwn ? proof.simulate(payment) : this.#verifyPermit(payment))));
  }

  /** Asks the facilitator to settle the payment. If this throws, the outcome is unknown. */
  async settle(payment: Payment): Promise<Claimed> {
    const { log } = this.#options;
    try {
      const { success, transaction, errorReason } = await this.#server.settlePayment(...(await this.#signed(payment)));
      if (!success) log.warn('payment.not_settled', { reason: errorReason, transaction });
      return claimed(transaction, !success);
    } catch (error) {
      // A facilitator that returns an HTTP error may still have sent the transaction. Only 4xx is a decline.
      if (!(error instanceof SettleError)) throw error;
      const { statusCode: status, errorReason: reason, transaction } = error;
      log.warn('payment.not_settled', { reason, transaction, status });
      return claimed(transaction, status >= 400 && status < 500);
    }
  }

  /** Permits: the facilitator runs the spender's and Permit2's checks; its client checks the signature first. */
  async #verifyPermit(payment: Payment): Promise<bigint | PaymentRefusal> {
    const { client, facilitator, log } = this.#options;
    const block = await client.getBlockNumber();
    const { isValid, invalidReason } = await facilitator.client.verify(...(await this.#signed(payment)));
    if (!isValid) log.debug('payment.permit_refused', { reason: invalidReason });
    return isValid ? block : 'facilitator_refuses';
  }

  async #answerOf<Answer>(turn: Promise<Answer> | undefined): Promise<Answer> {
    if (turn === undefined) throw unavailable('the queue of checks is full');
    try {
      return await turn;
    } catch (cause) {
      this.#options.log.error('payment.check_failed', { error: cause });
      throw unavailable(cause);
    }
  }

  /** The payment as signed: it was accepted at the terms of that time, even if a restart has changed the settings. */
  async #signed(payment: Payment): Promise<[PaymentPayload, PaymentRequirements]> {
    const { asset, method, authorization } = payment;
    const own = (await this.#asked()).find(({ offer }) => sameAddress(offer.asset, asset) && offer.method === method);
    if (own === undefined) throw unavailable('no requirements');
    const accepted = { ...own.agreed, amount: authorization.value.toString(), payTo: getAddress(authorization.to) };
    const { resource } = this.#options;
    return [{ x402Version: 2, resource, accepted, payload: writePayload(payment) }, accepted];
  }

  /** Reads what the facilitator supports, once; if it does not answer, the next caller retries. */
  #asked(): Promise<readonly Asked[]> {
    this.#known ??= this.#agreed().catch((cause) => {
      this.#known = undefined;
      this.#options.log.error('payment.facilitator_unavailable', { error: String(cause) });
      throw unavailable(cause);
    });
    return this.#known;
  }

  async #agreed(): Promise<readonly Asked[]> {
    await this.#server.initialize();
    const taken = await Promise.all(this.#options.offers.map((offer) => this.#agree(offer)));
    if (taken.flat().length === 0) throw new Error('The facilitator accepts none of the tokens.');
    return taken.flat();
  }

  /** Empty if the facilitator does not take this token in this way. */
  async #agree(offer: Offer): Promise<readonly Asked[]> {
    const { network, method, asset, amount, payTo, token } = offer;
    const price = { asset, amount: amount.toString(), extra: { ...token, assetTransferMethod: method } };
    const option = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: PAYMENT_SECONDS };
    try {
      return (await this.#server.buildPaymentRequirements(option)).map((agreed) => ({ offer, agreed }));
    } catch (error) {
      this.#options.log.error('payment.token_off', { asset, method, error: String(error) });
      return [];
    }
  }
}

/** In an HTTP error the library leaves these fields unchecked. A decline names a transaction, or an empty one. */
function claimed(transaction: unknown, hasFailed: boolean): Claimed {
  const isHash = typeof transaction === 'string' && /^0x[0-9a-f]{64}$/i.test(transaction);
  if (isHash) return { isDeclined: hasFailed, hash: transaction.toLowerCase() as Hex };
  return { isDeclined: hasFailed && transaction === '' };
}
