import type { Hex } from '../domain/units.ts';

// Bytes without Node's Buffer, which browsers do not have.

/** Why an update of Pyth was refused. */
export const refusalReasons = {
  malformed: 'the bytes are not a Pyth update',
  other_emitter: 'the message is not from the emitter that the registry names for Pyth',
  old_guardians: 'it is signed by a guardian set older than those that the registry names',
  too_few_signatures: 'it has too few signatures for its guardian set',
  not_a_guardian: 'a signature is not from the guardian that it names',
  not_in_tree: 'the price is not in the tree whose root was signed',
  other_feed: 'it has no price for this feed',
  no_price: 'the signed price is zero, negative or of an implausible scale',
} as const;
export type RefusalReason = keyof typeof refusalReasons;

export class UpdateRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(refusalReasons[reason]);
    this.reason = reason;
  }
}

/** Reads big-endian fields in order. Throws `malformed` beyond the end. */
export interface ByteReader {
  readonly at: () => number;
  take(count: number): Uint8Array;
  /** Unsigned; at most 8 bytes. */
  unsigned(bytes: number): bigint;
  /** Two's complement. */
  signed(bytes: number): bigint;
  /** For counts, lengths and indices. */
  small(bytes: 1 | 2 | 4): number;
  /** Throws unless everything was read. */
  end(): void;
}

export function readBytes(bytes: Uint8Array): ByteReader {
  let at = 0;
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) throw new UpdateRefused('malformed');
    at += count;
    return bytes.subarray(at - count, at);
  };
  const unsigned = (count: number) => take(count).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return {
    at: () => at,
    take,
    unsigned,
    signed: (count) => BigInt.asIntN(8 * count, unsigned(count)),
    small: (count) => Number(unsigned(count)),
    end() {
      if (at !== bytes.length) throw new UpdateRefused('malformed');
    },
  };
}

/** Throws `malformed` unless it is hex text of whole bytes, with or without 0x. */
export function bytesOf(hex: string): Uint8Array {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) throw new UpdateRefused('malformed');
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
}

export const hexOf = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const isText = (bytes: Uint8Array, text: string): boolean => String.fromCharCode(...bytes) === text;

// The format in which Pyth's Hermes gives signed prices, an accumulator update: a Wormhole message whose payload is the
// root of a Merkle tree, and some of the tree's prices, each with the path to that root. Based on the contracts and
// documentation of Pyth (pyth-crosschain, PythAccumulator.sol) and Wormhole (VAA, version 1).

export interface Update {
  readonly message: WormholeMessage;
  /** Root of the tree of prices, as signed: keccak160. */
  readonly root: Uint8Array;
  readonly prices: readonly ProvenPrice[];
}

/** A message with the signatures of guardians (a VAA). */
export interface WormholeMessage {
  readonly guardianSet: number;
  readonly signatures: readonly GuardianSignature[];
  readonly emitterChain: number;
  readonly emitterAddress: Hex;
  /** What the guardians signed: its keccak256, hashed again. */
  readonly body: Uint8Array;
}

export interface GuardianSignature {
  /** Position of the signer in its guardian set. */
  readonly guardian: number;
  /** 65 bytes: r, s, recovery id (0 or 1). */
  readonly signature: Uint8Array;
}

/** One price as the tree stores it, and the path from its leaf to the root. */
export interface ProvenPrice extends SignedPrice {
  readonly leaf: Uint8Array;
  readonly siblings: readonly Uint8Array[];
  /** Leaf and path as encoded in the update. */
  readonly encoded: Uint8Array;
}

/** What Pyth's publishers say, scaled by `10 ** expo`. */
export interface SignedPrice {
  readonly feed: Hex;
  readonly price: bigint;
  readonly conf: bigint;
  readonly expo: number;
  /** Unix seconds. */
  readonly publishTime: bigint;
}

/** Length of a hash in the tree of prices. */
export const HASH_BYTES = 20;
const SIGNATURE_BYTES = 65;
/** The only kinds that are read: a Wormhole message over a Merkle root, and in the tree a price. */
const [MERKLE_ROOT, PRICE] = [0, 0];

/** Parses an update. Throws UpdateRefused `malformed`. */
export function parseUpdate(hex: string): Update {
  const read = readBytes(bytesOf(hex));
  readHeader(read);
  const message = messageIn(read.take(read.small(2)));
  const prices = Array.from({ length: read.small(1) }, () => priceIn(read));
  read.end();
  return { message: message.message, root: rootIn(message.payload), prices };
}

/**
 * The same update with the price of one feed only: all that is needed to prove it. Throws UpdateRefused `malformed`, or
 * `other_feed` if it has no such price.
 */
export function onlyPriceOf(hex: string, feed: Hex): Hex {
  const bytes = bytesOf(hex);
  const read = readBytes(bytes);
  readHeader(read);
  read.take(read.small(2));
  const signed = bytes.subarray(0, read.at());
  const prices = Array.from({ length: read.small(1) }, () => priceIn(read));
  read.end();
  const found = prices.find((price) => price.feed === feed.toLowerCase());
  if (found === undefined) throw new UpdateRefused('other_feed');
  return hexOf(joined(signed, Uint8Array.of(1), found.encoded));
}

type Reading = ReturnType<typeof readBytes>;

/** Later minor versions and additional header bytes change nothing that is read here. */
function readHeader(read: Reading): void {
  const [magic, major] = [read.take(4), read.small(1)];
  read.small(1);
  read.take(read.small(1));
  if (!isText(magic, 'PNAU') || major !== 1 || read.small(1) !== MERKLE_ROOT) throw new UpdateRefused('malformed');
}

function messageIn(bytes: Uint8Array): { readonly message: WormholeMessage; readonly payload: Uint8Array } {
  const read = readBytes(bytes);
  if (read.small(1) !== 1) throw new UpdateRefused('malformed');
  const guardianSet = read.small(4);
  const signatures = Array.from({ length: read.small(1) }, () => ({
    guardian: read.small(1),
    signature: read.take(SIGNATURE_BYTES),
  }));
  const body = bytes.subarray(read.at());
  // Time and nonce.
  read.take(8);
  const [emitterChain, emitterAddress] = [read.small(2), hexOf(read.take(32))];
  // Sequence and consistency level.
  read.take(9);
  const payload = bytes.subarray(read.at());
  return { message: { guardianSet, signatures, emitterChain, emitterAddress, body }, payload };
}

function rootIn(payload: Uint8Array): Uint8Array {
  const read = readBytes(payload);
  if (!isText(read.take(4), 'AUWV') || read.small(1) !== MERKLE_ROOT) throw new UpdateRefused('malformed');
  // Slot and size of the ring that keeps the roots.
  read.take(12);
  const root = read.take(HASH_BYTES);
  read.end();
  return root;
}

function priceIn(read: Reading): ProvenPrice {
  const size = read.small(2);
  const leaf = read.take(size);
  const count = read.small(1);
  const siblings = Array.from({ length: count }, () => read.take(HASH_BYTES));
  const length = Uint8Array.of(size >> 8, size & 0xff);
  return { ...signedPriceIn(leaf), leaf, siblings, encoded: joined(length, leaf, Uint8Array.of(count), ...siblings) };
}

function signedPriceIn(leaf: Uint8Array): SignedPrice {
  const read = readBytes(leaf);
  if (read.small(1) !== PRICE) throw new UpdateRefused('malformed');
  const feed = hexOf(read.take(32));
  const [price, conf, expo, publishTime] = [read.signed(8), read.unsigned(8), Number(read.signed(4)), read.signed(8)];
  // Previous time, and the moving averages of price and confidence. Fields after them change nothing here.
  read.take(24);
  return { feed, price, conf, expo, publishTime };
}
