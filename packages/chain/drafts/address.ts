import { addressPattern, readAddress } from '@bowline/core/domain/address';
import { BowlineError } from '@bowline/core/domain/result';
import { type Address, type Hex, keccak256, stringToBytes } from 'viem';

/** By viem's hash function. */
export const hashText = (text: string): Hex => keccak256(stringToBytes(text));

/**
 * Reads an address option: all letters in lower case, all in upper case, or mixed with a valid checksum.
 * @throws BowlineError `invalid_address` with one line that names the option.
 */
export function addressOf(name: string, text: string): Address {
  const read = readAddress(text, hashText);
  if (read.ok) return read.value;
  throw new BowlineError(read.code, `${name} ${read.message}.`);
}

/** Whether a text that may be an address or a name is written as an address. */
export const isWrittenAsAddress = (text: string): boolean => addressPattern.test(text.trim());
