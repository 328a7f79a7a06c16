import { createECDH, createHash, hkdfSync } from 'node:crypto';
import { type AgentCard, type AgentCardSignatureGenerator, generateAgentCardSignature } from '@a2a-js/sdk';

/** A public key as JWK, as clients read it from `/.well-known/jwks.json`. */
interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

export interface CardSigner {
  readonly sign: AgentCardSignatureGenerator;
  readonly keys: readonly PublicJwk[];
}

/**
 * Signs the card as a JWS (ES256), with a key that follows from the seller's: no key is left to keep, and a restart signs
 * as before. It is not the seller's own, whose curve the SDK's clients do not verify, and which signs money.
 * @param secret the seller's private key, 32 bytes.
 * @param jku where clients find the public key.
 */
export function createCardSigner(secret: Uint8Array, jku: string): CardSigner {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', 'bowline agent card ES256', 32)));
  const point = pair.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const key = { kty: 'EC', crv: 'P-256', x, y } as const;
  // RFC 7638: the members in this order.
  const thumbprint = JSON.stringify({ crv: key.crv, kty: key.kty, x, y });
  const kid = createHash('sha256').update(thumbprint).digest('base64url');
  const secretKey = { ...key, d: pair.getPrivateKey('base64url') };
  const sign = generateAgentCardSignature(secretKey, { alg: 'ES256', kid, typ: 'JOSE', jku });
  /** Each signature is another one, and would change what caches hold. */
  const signed = new WeakMap<AgentCard, Promise<AgentCard>>();
  return {
    sign(card) {
      const known = signed.get(card) ?? sign(card);
      signed.set(card, known);
      return known;
    },
    keys: [{ ...key, kid, alg: 'ES256', use: 'sig' }],
  };
}
