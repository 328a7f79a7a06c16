import { parseJobDescription, verifyQuoteSignature } from '@bnbagent/sdk/erc8183';
import type { Offers } from '@bowline/core/domain/jobs';
import type { Address, Hex } from '@bowline/core/domain/units';
import { createPublicClient, custom, isAddress, numberToHex } from 'viem';
import { clientOf } from './catalogue.ts';

export interface OfferSource {
  readonly provider: Address;
  readonly chainId: number;
  readonly commerce: Address;
}

/** Reads offers of one provider out of jobs' descriptions. Needs no key. */
export function createOfferReader({ provider, chainId, commerce }: OfferSource): Offers['read'] {
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
      // The library verifies an answer inside, and reads what stands beside it, which is not signed then.
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
