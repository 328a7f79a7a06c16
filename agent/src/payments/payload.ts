import { type Payment, type PaymentTerms, paymentMethods } from '@bowline/core/domain/payment';
import { sameAddress } from '@bowline/core/domain/same-address';
import { z } from 'zod';
import { readPayment, type SignedTerms, type TokenDomain } from './payment-check.ts';
import { lowerAddress } from './wire.ts';

/** The price in one token. No two offers have the same token. */
export interface Offer extends PaymentTerms {
  readonly token: TokenDomain;
}

export interface Payloads {
  /** Reads what is signed, whatever is asked now: an answer that was paid for at other terms is still its payer's. */
  read(payload: unknown): Payment | 'unreadable' | 'other_terms';
  /** Whether a payload says that it accepts an offer of now. */
  isAccepting(payload: unknown): boolean;
}

/** The parts of a v2 payload that are read before the scheme's own. */
const envelope = z.object({ x402Version: z.literal(2), payload: z.unknown(), accepted: z.unknown().optional() });

/** What a payload says that it accepts, as far as it can be read without the facilitator. */
const acceptedTerms = z.object({ network: z.string(), asset: z.string(), amount: z.string(), payTo: z.string() });

/** What it says of a token that is not asked for any more. Wrong words give another digest, and so no known payment. */
const acceptedToken = z.object({
  network: z.custom<PaymentTerms['network']>(
    (given) => typeof given === 'string' && /^eip155:[1-9]\d{0,14}$/.test(given),
  ),
  asset: lowerAddress,
  extra: z.object({
    name: z.string().max(100),
    version: z.string().max(100),
    assetTransferMethod: z.enum(paymentMethods),
  }),
});

/** Payloads of x402 v2. */
export function createPayloads(offers: readonly Offer[]): Payloads {
  const namedBy = (asset: string) => offers.find((offer) => sameAddress(offer.asset, asset));

  /** How the payload may be signed: as the offer that it names, or as a token of before; empty if it names neither. */
  function readings(accepted: unknown): readonly { readonly terms: SignedTerms; readonly token: TokenDomain }[] {
    const { data: named } = acceptedTerms.safeParse(accepted);
    const offer = named && namedBy(named.asset);
    if (offer !== undefined) return named?.network === offer.network ? [{ terms: offer, token: offer.token }] : [];
    const { data: before } = acceptedToken.safeParse(accepted);
    if (before === undefined) return [];
    const { network, asset, extra } = before;
    const { name, version, assetTransferMethod: method } = extra;
    return [{ terms: { network, asset, method }, token: { name, version } }];
  }

  return {
    read(payload) {
      const { success, data } = envelope.safeParse(payload);
      if (!success) return 'unreadable';
      const ways = readings(data.accepted);
      if (ways.length === 0) return 'other_terms';
      for (const { terms, token } of ways) {
        const payment = readPayment(data.payload, terms, token);
        if (payment !== undefined) return payment;
      }
      return 'unreadable';
    },

    isAccepting(payload) {
      const { data: said } = acceptedTerms.safeParse(envelope.safeParse(payload).data?.accepted);
      const offer = said && namedBy(said.asset);
      return (
        offer !== undefined &&
        said?.network === offer.network &&
        said.amount === offer.amount.toString() &&
        sameAddress(said.payTo, offer.payTo)
      );
    },
  };
}
