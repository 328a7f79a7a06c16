import { assetNamed } from '@bowline/core/domain/assets';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { Address } from 'viem';
import { addressOf, isWrittenAsAddress } from './address.ts';

/** One of Bowline's deployments: its contracts, listed assets and lending protocols, and its verdict signers. */
export interface Deployment {
  readonly chainId: number;
  readonly contracts: AddressBook['own'];
  readonly assets: AddressBook['assets'];
  readonly lending: AddressBook['lending'];
  /** Where deposits are sold. */
  readonly pancake: AddressBook['pancake'];
  /** Keys that sign its tickets. Empty: the record names none, and no ticket is its own. */
  readonly verdictSigners: readonly Address[];
  /** The escrow in which its jobs are bought (ERC-8183), and its token. Absent on a chain without one. */
  readonly escrow?: AddressBook['escrow'] & {};
}

/**
 * The registry's asset of that symbol, name or address, in any case.
 * @throws Error if the deployment does not know it, and BowlineError `invalid_address`.
 */
export function assetOf({ assets, chainId }: Deployment, symbolOrAddress: string): Deployment['assets'][number] {
  const named = isWrittenAsAddress(symbolOrAddress) ? addressOf('asset', symbolOrAddress) : symbolOrAddress;
  const found = assetNamed(assets, named);
  if (found === undefined) throw new Error(`Bowline lists no asset ${symbolOrAddress} on chain ${chainId}.`);
  return found;
}
