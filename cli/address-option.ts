import { readAddress } from '@bowline/core/domain/address';
import type { Address } from 'viem';
import { hashing } from './hashing.ts';

/**
 * The address that an option of a command gives.
 * @throws one line that begins with `invalid_address`.
 */
export function addressOption(option: string, text: string): Address {
  const read = readAddress(text, hashing.hash);
  if (read.ok) return read.value;
  throw new Error(`${read.code}: ${option} ${read.message}.`);
}
