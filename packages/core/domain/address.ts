import { failure, type Result, success } from './result.ts';
import type { Address, Hex } from './units.ts';

/** keccak256 of a text's UTF-8 bytes. A parameter, because Node and browsers use different libraries. */
export type HashText = (text: string) => Hex;

/** Format of an address, with letters in any case. */
export const addressPattern = /^0[xX][0-9a-fA-F]{40}$/;

/**
 * Reads an address whose letters are all lower case, all upper case, or mixed as EIP-55 says. Any other mix fails the
 * checksum, which exists to find typing errors.
 * @returns the address with its checksum, or `invalid_address` with a message to put after the name of the input.
 */
export function readAddress(text: string, hash: HashText): Result<Address> {
  const written = text.trim();
  if (!addressPattern.test(written)) {
    return failure('invalid_address', 'must be an address: 0x and 40 hexadecimal digits');
  }
  const digits = written.slice(2);
  const address = checksummed(digits.toLowerCase(), hash);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (isOneCase || address.slice(2) === digits) return success(address);
  return failure('invalid_address', `has a wrong checksum (${written}): a letter may be mistyped`);
}

/** EIP-55: a letter is upper case if the hash digit at its position is 8 or more. */
function checksummed(digits: string, hash: HashText): Address {
  const places = hash(digits).slice(2);
  const spelt = [...digits].map((digit, at) =>
    Number.parseInt(places[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${spelt.join('')}`;
}
