import type { Reference } from '@bowline/core/domain/facts';
import type { Log } from '@bowline/core/domain/log';
import type { Hex } from '@bowline/core/domain/units';
import { UpdateRefused } from '@bowline/core/pyth/bytes';
import { checkUpdate, type PythSigners, referenceOf, type SignatureHashing } from '@bowline/core/pyth/check';
import type { SignedPrice } from '@bowline/core/pyth/update';
import { z } from 'zod';

const whole = z.string().regex(/^-?\d{1,20}$/);

/** A price as Hermes states it beside the signed bytes. */
export const stated = z.object({
  id: z.string(),
  price: z.object({ price: whole, conf: whole, expo: z.int(), publish_time: z.int() }),
});

/** Turns Pyth's signed updates into references. */
export interface SignedPrices {
  /**
   * The price of a feed in an update, with the bytes that prove it.
   * @throws UpdateRefused if the update does not prove it, or `beside` says something else.
   */
  referenceOf(feed: Hex, update: string, beside: z.output<typeof stated>): Promise<Reference>;
}

/** Checks each update once: the same bytes again get the same answer. */
export function createSignedPrices(
  signers: readonly PythSigners[],
  hashing: SignatureHashing,
  log: Pick<Log, 'error' | 'warn'> | undefined,
): SignedPrices {
  const newest = new Map<
    Hex,
    { readonly update: string; readonly reference: Reference; readonly price: SignedPrice }
  >();
  /** Guardian sets whose members nobody names, and which the log names once. */
  const unknown = new Set<number>();
  /** Why the newest update of a feed was refused, so that the log says it once while it lasts. */
  const forged = new Map<Hex, string>();

  async function checked(feed: Hex, update: string) {
    const known = newest.get(feed);
    if (known?.update === update) return known;
    const { price, signed, guardianSet, by } = await checkUpdate(update, feed, signers, hashing);
    if (by === undefined && !unknown.has(guardianSet)) {
      unknown.add(guardianSet);
      const cause = `The registry does not name the guardians of set ${guardianSet}: signatures of Pyth's prices are not checked.`;
      const remedy = 'Add the set to packages/core/registry/pyth.json, or set PYTH_URL to off.';
      log?.warn('pyth.unchecked', { guardianSet, cause, remedy });
    }
    const found = { update, price, reference: { ...referenceOf(price), signed } };
    newest.set(feed, found);
    return found;
  }

  return {
    async referenceOf(feed, update, beside) {
      try {
        const { price, reference } = await checked(feed, update);
        if (!isSame(price, beside)) throw new UpdateRefused('other_price');
        forged.delete(feed);
        return reference;
      } catch (error) {
        if (error instanceof UpdateRefused && forged.get(feed) !== error.reason) {
          forged.set(feed, error.reason);
          log?.error('pyth.forged', { feed, reason: error.reason, cause: error.message });
        }
        throw error;
      }
    },
  };
}

/** Hermes returns the requested ID without 0x. */
const isSame = ({ feed, price, conf, expo, publishTime }: SignedPrice, { id, price: said }: z.output<typeof stated>) =>
  feed === `0x${id}`.toLowerCase() &&
  price === BigInt(said.price) &&
  conf === BigInt(said.conf) &&
  expo === said.expo &&
  publishTime === BigInt(said.publish_time);
