import type { Reference } from '@bowline/core/domain/facts';
import type { Log } from '@bowline/core/domain/log';
import type { Hex } from '@bowline/core/domain/units';
import { UpdateRefused } from '@bowline/core/pyth/bytes';
import { checkUpdate, type PythSigners, referenceOf, type SignatureHashing } from '@bowline/core/pyth/check';

/**
 * The price of a feed in one of Pyth's signed updates, with the bytes that prove it.
 * @throws UpdateRefused if the update does not prove it.
 */
export type SignedPrices = (feed: Hex, update: string) => Promise<Reference>;

/** Checks each update once: the same bytes again get the same answer. */
export function createSignedPrices(
  signers: readonly PythSigners[],
  hashing: SignatureHashing,
  log: Pick<Log, 'error' | 'warn'> | undefined,
): SignedPrices {
  const newest = new Map<Hex, { readonly update: string; readonly reference: Reference }>();
  /** Guardian sets with unknown members, each logged once. */
  const unknown = new Set<number>();
  /** Why the newest update of a feed was refused, so that the log says it once while it lasts. */
  const forged = new Map<Hex, string>();

  async function checked(feed: Hex, update: string): Promise<Reference> {
    const known = newest.get(feed);
    if (known?.update === update) return known.reference;
    const { price, signed, guardianSet, by } = await checkUpdate(update, feed, signers, hashing);
    if (by === undefined && !unknown.has(guardianSet)) {
      unknown.add(guardianSet);
      const cause = `The registry does not name the guardians of set ${guardianSet}: signatures of Pyth's prices are not checked.`;
      const remedy = 'Add the set to packages/core/registry/pyth.json, or set PYTH_URL to off.';
      log?.warn('pyth.unchecked', { guardianSet, cause, remedy });
    }
    const reference = { ...referenceOf(price), signed };
    newest.set(feed, { update, reference });
    return reference;
  }

  return async (feed, update) => {
    try {
      const reference = await checked(feed, update);
      forged.delete(feed);
      return reference;
    } catch (error) {
      if (error instanceof UpdateRefused && forged.get(feed) !== error.reason) {
        forged.set(feed, error.reason);
        log?.error('pyth.forged', { feed, reason: error.reason, cause: error.message });
      }
      throw error;
    }
  };
}
