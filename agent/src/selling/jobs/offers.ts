import {
  DeliverableManifest,
  NegotiationHandler,
  NegotiationRequest,
  NegotiationResponse,
  NegotiationResult,
  ReasonCode,
  sanitizeForClaim,
} from '@bnbagent/sdk/erc8183';
import type { Offers, Refusal } from '@bowline/core/domain/jobs';
import type { Clock } from '@bowline/core/domain/time';
import type { Address, Hex } from '@bowline/core/domain/units';
import { getAddress, type LocalAccount } from 'viem';
import { createOfferReader } from './read-offer.ts';

/** Base units of a token with at most 18 decimals. Digits below them are no part of a price. */
export const priceIn = (decimals: number, priceWad: bigint): bigint => priceWad / 10n ** BigInt(18 - decimals);

export interface OfferOptions {
  readonly account: LocalAccount;
  readonly chainId: number;
  readonly commerce: Address;
  readonly currency: Address;
  /** Base units of `currency`. */
  readonly price: bigint;
  readonly clock: Clock;
}

const reasonCodes: Readonly<Record<Refusal, string>> = {
  ambiguous_terms: ReasonCode.AMBIGUOUS_TERMS,
  unsupported: ReasonCode.UNSUPPORTED,
  task_too_long: ReasonCode.TASK_TOO_LONG,
};

/** Signed offers in the format that the ecosystem's buyers verify, written and read by its own library. */
export function createOffers({ account, chainId, commerce, currency, price, clock }: OfferOptions): Offers {
  const provider = account.address;
  const handler = new NegotiationHandler({
    servicePrice: price.toString(),
    currency: getAddress(currency),
    chainId,
    verifyingContract: getAddress(commerce),
    quoteSigner: { address: provider, signQuote: (hash) => account.signMessage({ message: hash }) },
    now: () => Number(clock()),
  });

  return {
    provider,
    currency,
    signedText: sanitizeForClaim,
    async make(request, { success_criteria, ...terms }) {
      const asked = NegotiationRequest.fromDict(request);
      const { currency: token } = asked.terms;
      const offered = { ...terms, ...(success_criteria && { success_criteria }), ...(token && { currency: token }) };
      const envelope = (await handler.negotiate({ ...request, terms: offered })).toDict();
      // The buyer compares what it asked with what it is offered. Nothing of the request but the task is signed.
      return { ...envelope, request: asked.toDict(), request_hash: asked.computeHash() };
    },

    refuse(request, refusal, reason) {
      const response = new NegotiationResponse({ accepted: false, reasonCode: reasonCodes[refusal], reason });
      const responseHash = `0x${response.computeHash().replace(/^0x/, '')}`;
      return new NegotiationResult({ request, requestHash: '', response: response.toDict(), responseHash }).toDict();
    },

    read: createOfferReader({ provider, chainId, commerce }),
  };
}

/** keccak256 of a manifest's canonical JSON, by the library that buyers check it with. */
export const hashManifest = (manifest: Record<string, unknown>): Hex =>
  DeliverableManifest.fromDict(manifest).manifestHash();
