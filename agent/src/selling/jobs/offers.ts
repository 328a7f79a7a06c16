import {
  DeliverableManifest,
  NegotiationHandler,
  NegotiationRequest,
  NegotiationResponse,
  NegotiationResult,
  parseJobDescription,
  ReasonCode,
  sanitizeForClaim,
  verifyQuoteSignature,
} from '@bnbagent/sdk/erc8183';
import type { Offers, Refusal } from '@bowline/core/domain/jobs';
import type { Clock } from '@bowline/core/domain/time';
import type { Address, Hex } from '@bowline/core/domain/units';
import { createPublicClient, custom, getAddress, isAddress, type LocalAccount, numberToHex } from 'viem';
import { clientOf } from './catalogue.ts';

/** A price in base units of a token with at most 18 decimals. Smaller digits are dropped. */
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
    signedText: sanitizeForClaim,
    async make(request, { success_criteria, ...terms }) {
      const asked = NegotiationRequest.fromDict(request);
      const { currency: token } = asked.terms;
      const offered = { ...terms, ...(success_criteria && { success_criteria }), ...(token && { currency: token }) };
      const envelope = (await handler.negotiate({ ...request, terms: offered })).toDict();
      // The buyer compares its request with the offer. Of the request, only the task is signed.
      return { ...envelope, request: asked.toDict(), request_hash: asked.computeHash() };
    },

    refuse(request, refusal, reason) {
      const response = new NegotiationResponse({ accepted: false, reasonCode: reasonCodes[refusal], reason });
      const responseHash = `0x${response.computeHash().replace(/^0x/, '')}`;
      return new NegotiationResult({ request, requestHash: '', response: response.toDict(), responseHash }).toDict();
    },

    read: createOfferReader(provider, { chainId, commerce }),
  };
}

/** Reads offers of one provider out of jobs' descriptions. Needs no key. */
export function createOfferReader(
  provider: Address,
  { chainId, commerce }: Pick<OfferOptions, 'chainId' | 'commerce'>,
): Offers['read'] {
  // The library would reject an offer that has expired since. Whether it had expired at funding is checked elsewhere.
  const timeless = createPublicClient({
    transport: custom({
      async request({ method }: { readonly method: string }) {
        if (method === 'eth_chainId') return numberToHex(chainId);
        return method === 'eth_getBlockByNumber' ? { timestamp: '0x0' } : '0x';
      },
    }),
  });

  return async (description) => {
    try {
      const parsed = parseJobDescription(description);
      const envelope = JSON.parse(description) as Record<string, unknown>;
      // The library would verify the answer in `response`, but read the fields next to it, which are then unsigned.
      if (parsed === null || 'response' in envelope) return undefined;
      const { task, price: priceText, currency: token, negotiatedAt, quoteExpiresAt, negotiationHash } = parsed;
      const verdict = await verifyQuoteSignature({
        envelope,
        provider,
        publicClient: timeless,
        expectedVerifyingContract: commerce,
      });
      if (!verdict.valid || !/^\d{1,78}$/.test(priceText) || !isAddress(token) || quoteExpiresAt === null)
        return undefined;
      const { success_criteria: criteria } = (envelope.terms ?? {}) as { readonly success_criteria?: unknown };
      const client = clientOf(criteria);
      return {
        hash: negotiationHash as Hex,
        task,
        price: BigInt(priceText),
        currency: token,
        madeAt: BigInt(negotiatedAt),
        expiresAt: BigInt(quoteExpiresAt),
        ...(client && { client }),
      };
    } catch {
      // Anybody may write a job description.
      return undefined;
    }
  };
}

/** keccak256 of a manifest's canonical JSON, by the library that buyers check it with. */
export const hashManifest = (manifest: Record<string, unknown>): Hex =>
  DeliverableManifest.fromDict(manifest).manifestHash();
