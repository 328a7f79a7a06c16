/**
 * The payment of a payment's file. Before Permit2 it named neither method nor token: the token is the second part of its key.
 * @param kept as in the file; what is no payment stays as it is.
 */
export function withToken(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null || !('key' in kept) || typeof kept.key !== 'string') return kept;
  return { method: 'eip3009', asset: kept.key.split('/')[1], ...kept };
}
