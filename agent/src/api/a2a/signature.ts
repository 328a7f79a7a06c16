import { type AgentCard, type AgentCardSignatureGenerator, generateAgentCardSignature } from '@a2a-js/sdk';

/** A private key as JWK, with its `kid`. */
type SecretJwk = Parameters<typeof generateAgentCardSignature>[0] & { readonly kid: string };

/**
 * Signs a card as a JWS (ES256), once.
 * @param jku where clients find the public key.
 */
export function createCardSigner(key: SecretJwk, jku: string): AgentCardSignatureGenerator {
  const sign = generateAgentCardSignature(key, { alg: 'ES256', kid: key.kid, typ: 'JOSE', jku });
  /** One signature per card: each new one differs and would change what caches hold. */
  const signed = new WeakMap<AgentCard, Promise<AgentCard>>();
  return (card) => {
    const known = signed.get(card) ?? sign(card);
    signed.set(card, known);
    return known;
  };
}
