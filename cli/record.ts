import { existsSync, readFileSync } from 'node:fs';
import { type AddressBook, addressBookOf, ownContracts } from '@bowline/core/registry/address-book';
import { type Address, isAddress, zeroAddress } from 'viem';
import { placeOf } from './home.ts';

/** A deployment record, as script/Deploy.s.sol writes it. */
export interface Deployment extends Readonly<AddressBook['own']> {
  readonly chainId: number;
  readonly verdictSigners?: readonly Address[];
  readonly escrow?: NonNullable<AddressBook['escrow']>;
  /** Agent registry of our own, on a chain without a public one. */
  readonly identity?: Address;
}

export type Name = keyof AddressBook['own'];

/** The path of a chain's deployment record, as shown to people. */
export const recordPath = (chainId: number, folder: string): string => `${folder.replace(/\/+$/, '')}/${chainId}.json`;

/**
 * A deployment record's content, unchecked; undefined if there is none.
 * @param path relative to the project.
 * @throws a sentence, if it is not JSON.
 */
export function readRecord(path: string): Deployment | undefined {
  const file = placeOf(path);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause });
  }
}

/**
 * Like `readRecord`, but throws if there is no record.
 * @param option that names another.
 */
export function recordAt(path: string, option = '--deployment'): Deployment {
  const record = readRecord(path);
  if (record === undefined) throw new Error(`No deployment record at ${path}. Name one with ${option}.`);
  return record;
}

/**
 * A chain's addresses, including the deployment recorded in a folder. Without a record our own addresses are zero: a
 * chain without our contracts can be checked, too.
 * @param folder relative to the project.
 * @throws one line, if there is a record and it is malformed.
 */
export function bookOf(chainId: number, folder: string): AddressBook {
  const name = recordPath(chainId, folder);
  const nothing = { chainId, ...Object.fromEntries(ownContracts.map((each) => [each, zeroAddress])) };
  return addressBookOf(chainId, { name, content: readRecord(name) ?? nothing }, isAddress);
}
