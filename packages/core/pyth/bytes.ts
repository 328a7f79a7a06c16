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
