import { existsSync, readFileSync } from 'node:fs';
import { type AddressBook, addressBookOf } from '@bowline/core/registry/address-book';
import { type Address, isAddress, zeroAddress } from 'viem';
import { placeOf } from './home.ts';

/** A deployment record, as script/Deploy.s.sol writes it. */
export interface Deployment
  extends Readonly<Record<(typeof names)[number], Address>>,
    Readonly<Partial<Record<Optional, Address>>> {
  readonly chainId: number;
  readonly verdictSigners?: readonly Address[];
  readonly escrow?: NonNullable<AddressBook['escrow']>;
  /** Registry of agents, of a chain that has none of others. */
  readonly identity?: Address;
  /** These three are deployed on request (COLLATERAL_GUARD). */
  readonly venusCollateral?: Address;
  readonly collateralTerms?: Address;
  readonly collateralGuard?: Address;
}

const names = [
  'revocations',
  'venusMarket',
  'loanGuard',
  'venusPriceSource',
  'chainlinkPriceSource',
  'planRegistry',
  'swapExecutor',
] as const;

/** Not on every chain. */
export const optionalNames = ['quoteDesk', 'moolahMarket'] as const;
type Optional = (typeof optionalNames)[number];

export type Name = (typeof names)[number] | Optional;

/** The path of a chain's deployment record, as a person names it. */
export const recordPath = (chainId: number, folder: string): string => `${folder.replace(/\/+$/, '')}/${chainId}.json`;

/**
 * The content of a deployment record, which nothing has checked; undefined if there is none.
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
 * The same of a record that there has to be.
 * @param option that names another.
 */
export function recordAt(path: string, option = '--deployment'): Deployment {
  const record = readRecord(path);
  if (record === undefined) throw new Error(`No deployment record at ${path}. Name one with ${option}.`);
  return record;
}

/**
 * The addresses of a chain, with the deployment recorded in a folder. Without a record, our own addresses are zero: a chain
 * without our contracts can be checked, too.
 * @param folder relative to the project.
 * @throws one line, if there is a record and it is malformed.
 */
export function bookOf(chainId: number, folder: string): AddressBook {
  const name = recordPath(chainId, folder);
  const nothing = { chainId, ...Object.fromEntries(names.map((each) => [each, zeroAddress])) };
  return addressBookOf(chainId, { name, content: readRecord(name) ?? nothing }, isAddress);
}
