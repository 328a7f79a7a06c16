import { addressPattern, readAddress } from '@bowline/core/domain/address';
import { type Address, keccak256, stringToBytes } from 'viem';
import { words } from '../words/en/frame.ts';

/** The address in a text that a person typed or a link has; undefined if it is none. */
export function addressIn(text: string): Address | undefined {
  const read = readAddress(text, (digits) => keccak256(stringToBytes(digits)));
  return read.ok ? read.value : undefined;
}

/** What is wrong with a text that is no address. */
export const whyNoAddress = (text: string): string =>
  addressPattern.test(text.trim()) ? words.wallet.wrongChecksum : words.wallet.notAnAddress;
