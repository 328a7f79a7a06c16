import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http';
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server';
import type { PaymentPayload, PaymentRequirements, SchemeNetworkServer, SettleResponse } from '@x402/core/types';
import type { PaymentRail, PaymentTerms, Taken } from '../domain/payment.ts';
import type { Log } from '../domain/ports.ts';
import { BowlineError } from '../domain/result.ts';

export interface PaymentRailOptions {
  readonly terms: PaymentTerms;
  /** Of the token's EIP-712 domain. */
  readonly token: { readonly name: string; readonly version: string };
  /** What is paid for, as payers see it. */
  readonly resource: { readonly url: string; readonly description: string };
  readonly facilitator: FacilitatorClient;
  readonly scheme: SchemeNetworkServer;
  /** Whether the chain says that the payer's authorisation is used up; undefined when that cannot be told. */
  readonly isUsed: (payload: PaymentPayload) => Promise<boolean | undefined>;
  readonly log: Log;
}

/** How long an authorisation that a payer signs is good for. */
const PAYMENT_SECONDS = 300;

/**
 * x402 v2 through a facilitator, which submits the payer's authorisation and pays the gas for it. What we keep of the
 * protocol is that it is settled before the work, since work that is done first can be had many times for one payment.
 */
export function createPaymentRail(options: PaymentRailOptions): PaymentRail {
  const { terms, token, resource, facilitator, scheme, isUsed, log } = options;
  const { network, asset, amount, payTo } = terms;
  const server = new x402ResourceServer(facilitator).register(network, scheme);
  let known: Promise<PaymentRequirements[]> | undefined;

  /** Asks the facilitator what it supports, once; when it does not answer, the next caller asks again. */
  function requirements(): Promise<PaymentRequirements[]> {
    known ??= (async () => {
      await server.initialize();
      const extra = { ...token, assetTransferMethod: 'eip3009', paymentFlow: 'upfront' };
      const price = { asset, amount: amount.toString(), extra };
      const option = { scheme: 'exact', network, payTo, price, maxTimeoutSeconds: PAYMENT_SECONDS };
      return await server.buildPaymentRequirements(option);
    })().catch((cause) => {
      known = undefined;
      log.error('payment.facilitator_unavailable', { error: String(cause) });
      const message = 'Payments cannot be taken now: nothing was charged.';
      throw new BowlineError('payment_unavailable', message, { retryable: true, cause });
    });
    return known;
  }

  function outcomeOf(settled: SettleResponse): Taken {
    const { success, transaction } = settled;
    if (success) return { state: 'paid', transaction, receipt: encodePaymentResponseHeader(settled) };
    // A failure that names a transaction is one that may still come through.
    return transaction === '' ? { state: 'refused', reason: 'payment_refused' } : { state: 'unknown', transaction };
  }

  return {
    terms,

    async ask(refusal) {
      const details = { ...resource, mimeType: 'application/json' };
      const required = await server.createPaymentRequiredResponse(await requirements(), details, refusal);
      return encodePaymentRequiredHeader(required);
    },

    async take(signed, again) {
      const accepted = await requirements();
      let payload: PaymentPayload;
      try {
        payload = decodePaymentSignatureHeader(signed);
        if (payload.x402Version !== 2) return { state: 'refused', reason: 'payment_malformed' };
      } catch {
        return { state: 'refused', reason: 'payment_malformed' };
      }
      const agreed = server.findMatchingRequirements(accepted, payload);
      if (agreed === undefined) return { state: 'refused', reason: 'payment_mismatch' };
      let taken: Taken;
      try {
        const phase = 'before-handler';
        const settled = await server.settlePayment(payload, agreed, undefined, undefined, undefined, phase);
        taken = outcomeOf(settled);
      } catch (error) {
        log.error('payment.unknown', { error: String(error) });
        taken = { state: 'unknown' };
      }
      if (!again || taken.state !== 'refused') return taken;
      // The first try may have been the one that used it up.
      const used = await isUsed(payload).catch(() => undefined);
      if (used === false) return taken;
      if (used === undefined) return { state: 'unknown' };
      return outcomeOf({ success: true, transaction: '', network });
    },
  };
}
