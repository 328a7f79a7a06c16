import { createECDH, createHash, hkdfSync } from 'node:crypto';

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

/**
 * The key that signs the agent's card. It is derived from the seller's key: nothing to store, and it survives restarts.
 * The seller's own key is unsuitable: A2A clients do not verify its curve, and it signs for money.
 * @param secret the seller's private key, 32 bytes.
 */
export function cardKeyOf(secret: Uint8Array): { readonly key: PublicJwk; readonly d: string } {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', 'bowline agent card ES256', 32)));
  const point = pair.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  // RFC 7638: the members in this order.
  const thumbprint = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  const kid = createHash('sha256').update(thumbprint).digest('base64url');
  const d = pair.getPrivateKey('base64url');
  return { key: { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' }, d };
}
