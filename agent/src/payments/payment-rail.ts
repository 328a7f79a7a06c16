import { type Payment, type PaymentRail, paymentRefusals, type Resource } from '@bowline/core/domain/payment';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Hex } from '@bowline/core/domain/units';
import type { Prefix } from '@bowline/http/caller';
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { type PaymentPayload, type PaymentRequirements, type SchemeNetworkServer, SettleError } from '@x402/core/types';
import { x402ExactPermit2ProxyAddress } from '@x402/evm';
import { getAddress } from 'viem';
import type { Facilitator } from './facilitators.ts';
import { createPayloads, type Offer } from './payload.ts';
import { isSignedByKey, wrongTerms } from './payment-check.ts';
import { writePermit } from './permit2-check.ts';
import { type Claimed, createSettlements, type SettlementParts } from './settlement.ts';
import type { PaymentProof } from './standing.ts';
import { createTurns } from './turns.ts';
import { isWrapped } from './wire.ts';

export interface PaymentRailOptions extends Omit<SettlementParts, 'submit'> {
  /** At least one, the preferred one first. */
  readonly offers: readonly Offer[];
  /** The paid resource as shown to the facilitator. */
  readonly resource: Resource;
  readonly facilitator: FacilitatorClient;
  readonly scheme: SchemeNetworkServer;
  readonly takesWallet: Facilitator['takesWallet'];
  /** Counts a signature check of a contract wallet; false if there were too many. A stranger can name any address. */
  readonly admitWallet: () => boolean;
  readonly proof: PaymentProof;
  /** Who sent the request that is being served: the queues of chain checks are shared by callers. */
  readonly callerNow: () => readonly Prefix[];
}

/** The parts of a facilitator's answer that are used. */
type Claim = Pick<SettleError, 'errorReason'> & { readonly transaction: unknown };

/** Validity of a payer's authorisation in seconds. */
const PAYMENT_SECONDS = 300;

/** Concurrent chain checks of new payments. Anybody can sign a payment, and the loops need the same node. */
const CHECKS_AT_ONCE = 8;

/** Maximum queued checks. Keys and signatures are free, so nothing else bounds their number. */
const MAX_WAITING = 64;

/**
 * Concurrent signature checks of contract wallets. Anybody can name such a payer, so they have a queue of their own.
 */
const WALLETS_AT_ONCE = 4;

/** An offer, and what its facilitator makes of it. */
interface Asked {
  readonly offer: Offer;
  readonly agreed: PaymentRequirements;
}

/**
 * x402 v2 through a facilitator, which submits the payer's authorisation and pays its gas. Payments are settled before
 * the work: work done first could be had many times for one payment. The facilitator's answer proves nothing: a payment
 * counts as paid when the chain shows the transfer.
 */
export function createPaymentRail(options: PaymentRailOptions): PaymentRail {
  const {
    offers,
    resource,
    facilitator,
    scheme,
    takesWallet,
    admitWallet,
    proof,
    callerNow,
    clock,
    lookMs,
    pollMs,
    resubmitMs,
    log,
  } = options;
  const payloads = createPayloads(offers);
  const server = new x402ResourceServer(facilitator);
  for (const network of new Set(offers.map((offer) => offer.network))) server.register(network, scheme);
  const detailsOf = (shown: Resource) => ({ ...shown, mimeType: 'application/json' });
  const previewInTurn = createTurns(CHECKS_AT_ONCE, MAX_WAITING, callerNow);
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
      const asked = await Promise.all(offers.map(agree));
      const taken = asked.filter((each) => each !== undefined);
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
    const extra = { ...token, assetTransferMethod: method, paymentFlow: 'upfront' };
    const price = { asset, amount: amount.toString(), extra };
    const option = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: PAYMENT_SECONDS };
    try {
      const [agreed] = await server.buildPaymentRequirements(option);
      return agreed && { offer, agreed };
    } catch (error) {
      log.error('payment.token_off', { asset, method, error: String(error) });
      return undefined;
    }
  }

  /** What was asked for that a payload accepts. Throws `payment_unavailable`. */
  async function acceptedBy(payload: unknown): Promise<Asked | undefined> {
    const asked = await requirements();
    try {
      const terms = asked.map(({ agreed }) => agreed);
      const found = server.findMatchingRequirements(terms, payload as PaymentPayload);
      return asked.find(({ agreed }) => agreed === found);
    } catch {
      return undefined;
    }
  }

  async function fromChain<Answer>(turn: Promise<Answer> | undefined): Promise<Answer> {
    if (turn === undefined) {
      const message =
        'Too many payments are waiting to be checked, and this one was not attempted. Send the same request again later.';
      throw new BowlineError('payment_unavailable', message, { retryable: true });
    }
    try {
      return await turn;
    } catch (cause) {
      log.error('payment.chain_unavailable', { error: cause });
      throw unavailable(cause);
    }
  }

  /** Asks the facilitator to settle a payment. */
  async function submit(payment: Payment): Promise<Claimed> {
    const { asset, method } = payment;
    // A payment that was begun before a restart with other settings may have no offer any more.
    const own = (await requirements()).find(({ offer }) => sameAddress(offer.asset, asset) && offer.method === method);
    if (own === undefined) throw unavailable('no requirements');
    const { to, value } = payment.authorization;
    // As signed: it was taken at the terms of then, which a restart with other settings does not change.
    const agreed = { ...own.agreed, amount: value.toString(), payTo: getAddress(to) };
    const payload: PaymentPayload = {
      x402Version: 2,
      resource: detailsOf(resource),
      accepted: agreed,
      // Rebuilt from the checked fields, so that nothing unchecked reaches the facilitator.
      payload: method === 'eip3009' ? writeAuthorization(payment) : writePermit(payment),
    };
    const phase = 'before-handler';
    try {
      const settled = await server.settlePayment(payload, agreed, undefined, undefined, undefined, phase);
      return claimedBy(settled, !settled.success);
    } catch (error) {
      // A facilitator that returns an HTTP error may still have sent the transaction. Only 4xx is a decline.
      if (!(error instanceof SettleError)) throw error;
      return claimedBy(error, error.statusCode >= 400 && error.statusCode < 500);
    }
  }

  /** What the facilitator's answer claims. A failure that names a transaction may still succeed. */
  function claimedBy({ transaction, errorReason }: Claim, failed: boolean): Claimed {
    if (failed) log.warn('payment.not_settled', { reason: errorReason, transaction });
    // In an HTTP error the library leaves these fields unchecked.
    const named = typeof transaction === 'string' && /^0x[0-9a-f]{64}$/i.test(transaction);
    return {
      ...(named && { transaction: transaction.toLowerCase() as Hex }),
      failed,
      refused: failed && transaction === '',
    };
  }

  const settlementOf = createSettlements({ submit, proof, clock, lookMs, pollMs, resubmitMs, log });

  return {
    async ask(shown, refusal) {
      const error = refusal && paymentRefusals[refusal][0];
      const accepted = (await requirements()).map(({ agreed }) => agreed);
      return { ...(await server.createPaymentRequiredResponse(accepted, detailsOf(shown), error)) };
    },

    read: payloads.read,

    async check(payment, payload, mayBeOver = false) {
      if (!payloads.isAccepting(payload)) return 'other_terms';
      const accepted = await acceptedBy(payload);
      if (accepted === undefined) return 'other_terms';
      const { offer, agreed } = accepted;
      const { spender } = payment.authorization;
      if (spender !== undefined && !sameAddress(spender, spenderIn(agreed))) return 'other_spender';
      const wrong = wrongTerms(payment, offer, clock());
      if (wrong !== undefined && !(wrong === 'expired' && mayBeOver)) return wrong;
      if (isSignedByKey(payment)) return undefined;
      if (!admitWallet()) {
        const message = 'Too many payments carry no signature by a key of the payer. Retry in a minute.';
        throw new BowlineError('rate_limited', message, { retryable: true });
      }
      const word = await fromChain(walletInTurn(() => proof.askWallet(payment)));
      if (word === 'accepts') return takesWallet(payment) ? undefined : 'wallet_not_taken';
      return word === 'none' && isWrapped(payload) ? 'wallet_not_deployed' : 'bad_signature';
    },

    async open(payment) {
      const previewed = await fromChain(previewInTurn(() => proof.preview(payment)));
      if (previewed.state === 'used') return 'already_used';
      // It may have expired while it waited.
      const offer = offers.find(({ asset }) => sameAddress(asset, payment.asset));
      const wrong = offer === undefined ? 'other_terms' : wrongTerms(payment, offer, clock());
      if (wrong !== undefined) return wrong;
      if (previewed.state === 'not_approved') return 'not_approved';
      if (previewed.state !== 'unused') return 'token_refuses';
      return settlementOf(payment, { since: previewed.block, transactions: [] }, false);
    },

    resume: (payment, known) => settlementOf(payment, known),
  };
}

/** Who may have Permit2 move the token: B402 names its contract, x402 has one for all. */
function spenderIn({ extra }: PaymentRequirements): string {
  const named: unknown = extra.spenderAddress;
  return typeof named === 'string' ? named : x402ExactPermit2ProxyAddress;
}

/** The scheme's part of an x402 payload. */
function writeAuthorization({ authorization, signature }: Payment): Record<string, unknown> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    authorization: {
      from: getAddress(from),
      to: getAddress(to),
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
      nonce,
    },
    signature,
  };
}
