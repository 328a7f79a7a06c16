import { readAddress } from '@bowline/core/domain/address';
import { addressInputBy } from '@bowline/core/schemas';
import { keccak256 } from './keccak.ts';

/** An address that a caller gives, in any input of this agent. */
export const addressInput = addressInputBy(keccak256);

/** Anything that is meant as an address: a transaction's or a document's hash is longer, a record's 19 bytes are 38 digits. */
const meant = /(?<![0-9a-z])0x(?![0-9a-f]{38}(?![0-9a-z]))[0-9a-z]{30,50}(?![0-9a-z])/gi;

/** What is wrong with the first address in a text that is none: a sentence. Undefined if all of them are right. */
export function wrongAddressIn(text: string): string | undefined {
  for (const [written] of text.matchAll(meant)) {
    const read = readAddress(written, keccak256);
    if (!read.ok) return `The address ${read.message}.`;
  }
  return undefined;
}
