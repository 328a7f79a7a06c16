import { readAddress } from '@bowline/core/domain/address';
import type { Result } from '@bowline/core/domain/result';
import type { Address, Hex } from '@bowline/core/domain/units';
import { addressInputBy, marketInputBy } from '@bowline/core/schemas';
import { keccak } from './private-key.ts';

const hash = (text: string): Hex => `0x${keccak(Buffer.from(text)).toString('hex')}`;

/** `readAddress` with the hash function of agent and page server. */
export const addressOf = (text: string): Result<Address> => readAddress(text, hash);

/** An address that a caller gives, in any input of the agent or the page's server. */
export const addressInput = addressInputBy(hash);

/** A lending market, by its contract's address or its id. */
export const marketInput = marketInputBy(hash);

/** Text meant as an address. Hashes of transactions and documents are longer; a record's 19 bytes are 38 digits. */
const meant = /(?<![0-9a-z])0x(?![0-9a-f]{38}(?![0-9a-z]))[0-9a-z]{30,50}(?![0-9a-z])/gi;

/** A sentence about the first wrong address in a text; undefined if all of them are right. */
export function wrongAddressIn(text: string): string | undefined {
  for (const [written] of text.matchAll(meant)) {
    const read = addressOf(written);
    if (!read.ok) return `The address ${read.message}.`;
  }
  return undefined;
}
