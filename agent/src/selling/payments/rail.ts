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
import { createTurns } from './turns.ts';

export interface RailOptions {
  readonly facilitator: Facilitator;
  /** At least one, the preferred one first. */
  readonly offers: readonly Offer[];
  /** The paid resource as shown to the facilitator. */
  readonly resource: Resource;
  readonly client: ChainClient;
  readonly proof: Pick<Proof, 'simulate' | 'head'>;
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

/** How answers are paid: its terms, the checks of a payment, and its settlement. All but `settle` throw BowlineError `payment_unavailable`. */
export interface Rail {
  /** What is to be paid, as x402's PaymentRequired. */
  ask(resource: Resource, refusal?: PaymentRefusal): Promise<Json>;
  /** What is wrong with a new payment and the payload that it was read from, without a simulation; undefined if nothing. */
  check(payment: Payment, payload: unknown): Promise<PaymentRefusal | undefined>;
  /** Of a permit, what its facilitator says is wrong with it, its signature above all: nobody is shown another's answer for less. */
  checkPermit(payment: Payment): Promise<PaymentRefusal | undefined>;
  /** Whether it would be taken now: the block as of which, or why not. */
  verify(payment: Payment): Promise<bigint | PaymentRefusal>;
  /** Has the facilitator settle it. What it throws leaves the outcome unknown. */
  settle(payment: Payment): Promise<Claimed>;
}

/** Validity of a payer's authorisation in seconds. */
const PAYMENT_SECONDS = 300;
/** Concurrent chain checks of new payments, and those that wait. Anybody can sign a payment, and the loops need the same node. */
const CHECKS_AT_ONCE = 8;
const MAX_WAITING = 64;
/** Of contract wallets. Anybody can name such a payer, so they have a queue of their own. */
const WALLETS_AT_ONCE = 4;

interface Asked {
  readonly offer: Offer;
  readonly agreed: PaymentRequirements;
}

/** x402 v2 through a facilitator, which submits the payer's authorisation and pays its gas. Its answer proves nothing. */
export function createRail(options: RailOptions): Rail {
  const { facilitator, offers, resource, client, proof, wallets, callerNow, clock, log } = options;
  const server = new x402ResourceServer(facilitator.client);
  for (const network of new Set(offers.map((offer) => offer.network))) server.register(network, facilitator.scheme);
  const detailsOf = (shown: Resource) => ({ ...shown, mimeType: 'application/json' });
  const inTurn = createTurns(CHECKS_AT_ONCE, MAX_WAITING, callerNow);
  const walletInTurn = createTurns(WALLETS_AT_ONCE, MAX_WAITING, callerNow);
  let known: Promise<readonly Asked[]> | undefined;

  function unavailable(cause: unknown): BowlineError {
    const message = 'Payments are unavailable, and this one was not attempted. Send the same request again later.';
    return new BowlineError('payment_unavailable', message, { retryable: true, cause });
  }

  /** Reads what the facilitator supports, once; if it does not answer, the next caller retries. */
  function requirements(): Promise<readonly Asked[]> {
    known ??= (async () => {
      await server.initialize();
      const taken = (await Promise.all(offers.map(agree))).filter((each) => each !== undefined);
      if (taken.length === 0) throw new Error('The facilitator takes none of the tokens.');
      return taken;
    })().catch((cause) => {
      known = undefined;
      log.error('payment.facilitator_unavailable', { error: String(cause) });
      throw unavailable(cause);
    });
    return known;
  }

  /** Undefined if the facilitator does not take this token in this way. */
  async function agree(offer: Offer): Promise<Asked | undefined> {
    const { network, method, asset, amount, payTo, token } = offer;
    const price = { asset, amount: amount.toString(), extra: { ...token, assetTransferMethod: method } };
    const option = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: PAYMENT_SECONDS };
    try {
      const [agreed] = await server.buildPaymentRequirements(option);
      return agreed && { offer, agreed };
    } catch (error) {
      log.error('payment.token_off', { asset, method, error: String(error) });
      return undefined;
    }
  }

  async function acceptedBy(payload: unknown): Promise<Asked | undefined> {
    const asked = await requirements();
    const terms = asked.map(({ agreed }) => agreed);
    const found = server.findMatchingRequirements(terms, payload as PaymentPayload);
    return asked.find(({ agreed }) => agreed === found);
  }

  async function fromChain<Answer>(turn: Promise<Answer> | undefined): Promise<Answer> {
    if (turn === undefined) throw unavailable('the queue of checks is full');
    try {
      return await turn;
    } catch (cause) {
      log.error('payment.check_failed', { error: cause });
      throw unavailable(cause);
    }
  }

  /** As it was signed: it was taken at the terms of then, which a restart with other settings does not change. */
  async function submitted(payment: Payment): Promise<[PaymentPayload, PaymentRequirements]> {
    const { asset, method, authorization } = payment;
    const own = (await requirements()).find(({ offer }) => sameAddress(offer.asset, asset) && offer.method === method);
    if (own === undefined) throw unavailable('no requirements');
    const agreed = { ...own.agreed, amount: authorization.value.toString(), payTo: getAddress(authorization.to) };
    const payload = writePayload(payment);
    return [{ x402Version: 2, resource: detailsOf(resource), accepted: agreed, payload }, agreed];
  }

  /** Of a permit its facilitator knows the spender's and Permit2's checks; its own client checks the signature first. */
  async function verifyPermit(payment: Payment): Promise<bigint | PaymentRefusal> {
    const block = await proof.head();
    const { isValid, invalidReason } = await facilitator.client.verify(...(await submitted(payment)));
    if (!isValid) log.debug('payment.permit_refused', { reason: invalidReason });
    return isValid ? block : 'facilitator_refuses';
  }

  return {
    async ask(shown, refusal) {
      const error = refusal && paymentRefusals[refusal][0];
      const accepted = (await requirements()).map(({ agreed }) => agreed);
      return { ...(await server.createPaymentRequiredResponse(accepted, detailsOf(shown), error)) };
    },

    async check(payment, payload) {
      const accepted = await acceptedBy(payload);
      if (accepted === undefined) return 'other_terms';
      const { offer } = accepted;
      const wrong = wrongTerms(payment, offer, clock());
      if (wrong !== undefined || payment.method !== 'eip3009') return wrong;
      const digest = digestOf(payment, offer);
      if (isSignedByKey(payment, digest)) return undefined;
      if (!wallets.take().allowed) {
        const message = 'Too many payments carry no signature by a key of the payer. Retry in a minute.';
        throw new BowlineError('rate_limited', message, { retryable: true });
      }
      const { from } = payment.authorization;
      const word = await fromChain(walletInTurn(() => askWallet(client, from, digest, payment.signature)));
      if (word === 'accepts') return facilitator.takesPermit2 ? 'wallet_not_taken' : undefined;
      return word === 'none' && isWrapped(payload) ? 'wallet_not_deployed' : 'bad_signature';
    },

    async checkPermit(payment) {
      const wrong = payment.method === 'eip3009' ? undefined : await fromChain(inTurn(() => verifyPermit(payment)));
      return typeof wrong === 'string' ? wrong : undefined;
    },

    verify: (payment) =>
      fromChain(inTurn(() => (payment.method === 'eip3009' ? proof.simulate(payment) : verifyPermit(payment)))),

    async settle(payment) {
      try {
        const { success, transaction, errorReason } = await server.settlePayment(...(await submitted(payment)));
        if (!success) log.warn('payment.not_settled', { reason: errorReason, transaction });
        return claimed(transaction, !success);
      } catch (error) {
        // A facilitator that returns an HTTP error may still have sent the transaction. Only 4xx is a decline.
        if (!(error instanceof SettleError)) throw error;
        const { statusCode, transaction } = error;
        log.warn('payment.not_settled', { reason: error.errorReason, transaction, status: statusCode });
        const told = claimed(transaction, statusCode >= 400 && statusCode < 500);
        if (!told.isDeclined && told.hash === undefined) throw error;
        return told;
      }
    },
  };
}

/** In an HTTP error the library leaves these fields unchecked. A decline names a transaction, or an empty one. */
function claimed(transaction: unknown, hasFailed: boolean): Claimed {
  const isHash = typeof transaction === 'string' && /^0x[0-9a-f]{64}$/i.test(transaction);
  if (isHash) return { isDeclined: hasFailed, hash: transaction.toLowerCase() as Hex };
  return { isDeclined: hasFailed && transaction === '' };
}
