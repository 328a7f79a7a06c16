import { existsSync, readFileSync } from 'node:fs';
import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { type AddressBook, addressBookOf } from '@bowline/core/registry/address-book';
import { type Address, isAddress, zeroAddress } from 'viem';
import { addressOption } from '../address-option.ts';

const root = new URL('../../', import.meta.url);

/** As named on the command line, or as the node says; where neither helps, BNB Chain. */
export function chainIdOf(name: string, found: number | undefined): number {
  if (name === 'local' || (name === '' && found === localChainId)) return localChainId;
  if (name === 'bsc-testnet' || (name === '' && found === bscTestnetChainId)) return bscTestnetChainId;
  if (name === 'bsc' || name === '') return bscChainId;
  throw new Error('--chain must be bsc, bsc-testnet or local.');
}

/** The path of a chain's deployment record, as a person names it. */
export const recordPath = (chainId: number, folder: string): string => `${folder.replace(/\/+$/, '')}/${chainId}.json`;

/**
 * The addresses of a chain, with the deployment recorded in a folder. Without a record, our own addresses are zero: a chain
 * without our contracts can be checked, too.
 * @param folder relative to the project.
 * @throws one line, if there is a record and it is malformed.
 */
export function bookOf(chainId: number, folder: string): AddressBook {
  const path = recordPath(chainId, folder);
  const file = new URL(path, root);
  const content = existsSync(file) ? parsed(path, file) : { chainId, ...nothing };
  return addressBookOf(chainId, { name: path, content }, isAddress);
}

const nothing = Object.fromEntries(
  [
    'revocations',
    'venusMarket',
    'loanGuard',
    'venusPriceSource',
    'chainlinkPriceSource',
    'planRegistry',
    'swapExecutor',
  ].map((name) => [name, zeroAddress]),
);

function parsed(path: string, file: URL): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause });
  }
}

/** @throws one line if the list is not one of addresses. */
export function addressesIn(list: string): Address[] {
  return list
    .split(',')
    .filter((each) => each !== '')
    .map((each) => addressOption('--payers', each));
}
