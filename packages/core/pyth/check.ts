import type { Reference } from '../domain/facts.ts';
import { sameAddress } from '../domain/same-address.ts';
import { type Address, type Hex, mulDivUp } from '../domain/units.ts';
import {
  HASH_BYTES,
  hexOf,
  joined,
  onlyPriceOf,
  type ProvenPrice,
  parseUpdate,
  type SignedPrice,
  UpdateRefused,
  type WormholeMessage,
} from './update.ts';

/** Hash functions: parameters, because Node and browsers use different libraries. */
export interface SignatureHashing {
  readonly keccak256: (bytes: Uint8Array) => Uint8Array;
  /**
   * The address whose key signed a digest; rejects if the signature is invalid.
   * @param signature 65 bytes: r, s, recovery id (0 or 1).
   */
  readonly recover: (digest: Uint8Array, signature: Uint8Array) => Promise<Address>;
}

/** One guardian set that may sign Pyth's prices. */
export interface PythSigners {
  /** In words, for people. */
  readonly name: string;
  readonly emitterChain: number;
  readonly emitterAddress: Hex;
  readonly guardianSet: number;
  /** In the order of their numbers in a message. */
  readonly guardians: readonly Address[];
}

/** A price with its proof. */
export interface CheckedPrice {
  readonly price: SignedPrice;
  /** The update with this price alone. */
  readonly signed: Hex;
  readonly guardianSet: number;
  /** Who signed it; absent if the guardians of its set are not known, in which case its signatures are not checked. */
  readonly by?: PythSigners;
}

/**
 * Checks an update and finds the price of a feed in it: signatures of more than two thirds of the guardian set, Pyth as
 * emitter, the price's place in the signed tree.
 * @param trusted the guardian sets that may sign.
 * @throws UpdateRefused with the reason.
 */
export async function checkUpdate(
  update: string,
  feed: Hex,
  trusted: readonly PythSigners[],
  hashing: SignatureHashing,
): Promise<CheckedPrice> {
  const signed = onlyPriceOf(update, feed);
  const { message, root, prices } = parseUpdate(signed);
  const [price] = prices;
  if (price === undefined) throw new UpdateRefused('other_feed');
  if (hexOf(rootAbove(price, hashing)) !== hexOf(root)) throw new UpdateRefused('not_in_tree');
  const by = signersOf(message, trusted);
  if (by !== undefined) await checkSignatures(message, by, hashing);
  return { price, signed, guardianSet: message.guardianSet, ...(by && { by }) };
}

/** Undefined if the guardian set is newer than all named ones. An older set is refused: it cannot sign anything new. */
function signersOf(message: WormholeMessage, trusted: readonly PythSigners[]): PythSigners | undefined {
  const ofPyth = trusted.filter(
    ({ emitterChain, emitterAddress }) =>
      message.emitterChain === emitterChain && message.emitterAddress === emitterAddress.toLowerCase(),
  );
  if (ofPyth.length === 0) throw new UpdateRefused('other_emitter');
  const by = ofPyth.find(({ guardianSet }) => guardianSet === message.guardianSet);
  const isNewer = ofPyth.every(({ guardianSet }) => guardianSet < message.guardianSet);
  if (by === undefined && !isNewer) throw new UpdateRefused('old_guardians');
  return by;
}

async function checkSignatures(
  { signatures, body }: WormholeMessage,
  { guardians }: PythSigners,
  { keccak256, recover }: SignatureHashing,
): Promise<void> {
  const isAscending = signatures.every(({ guardian }, at) => guardian > (signatures[at - 1]?.guardian ?? -1));
  // With ascending numbers, no guardian counts twice.
  if (!isAscending) throw new UpdateRefused('not_a_guardian');
  if (3 * signatures.length <= 2 * guardians.length) throw new UpdateRefused('too_few_signatures');
  const digest = keccak256(keccak256(body));
  for (const { guardian, signature } of signatures) {
    const signer = await recover(digest, signature).catch(() => undefined);
    if (signer === undefined || !sameAddress(signer, guardians[guardian])) {
      throw new UpdateRefused('not_a_guardian');
    }
  }
}

const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

/** The root of the tree that this price and its siblings lead to. */
function rootAbove({ leaf, siblings }: ProvenPrice, { keccak256 }: SignatureHashing): Uint8Array {
  const hash = (...parts: readonly Uint8Array[]) => keccak256(joined(...parts)).subarray(0, HASH_BYTES);
  return siblings.reduce(
    // The smaller of two hashes comes first.
    (below, sibling) => (hexOf(below) < hexOf(sibling) ? hash(NODE, below, sibling) : hash(NODE, sibling, below)),
    hash(LEAF, leaf),
  );
}

/** Prices have 5 to 10 decimals. An unbounded exponent could exhaust memory. */
const isPlausible = (expo: number): boolean => expo >= -30 && expo <= 0;

/**
 * The price in US dollars, rounded down, with its confidence interval, rounded up.
 * @throws UpdateRefused `no_price`.
 */
export function referenceOf({ price, conf, expo, publishTime }: SignedPrice): Reference {
  if (!isPlausible(expo)) throw new UpdateRefused('no_price');
  const [unit, scale] = [10n ** 18n, 10n ** BigInt(-expo)];
  const usdWad = (price * unit) / scale;
  if (usdWad <= 0n || publishTime < 0n) throw new UpdateRefused('no_price');
  return { source: 'pyth', usdWad, updatedAt: publishTime, confidenceWad: mulDivUp(conf, unit, scale) };
}
