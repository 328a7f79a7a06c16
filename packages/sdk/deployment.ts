import { assetNamed } from '@bowline/core/domain/asset-named';
import { type AddressBook, addressBookOf } from '@bowline/core/registry/address-book';
import { type Address, isAddress } from 'viem';
import { addressOf, isWrittenAsAddress } from './address.ts';
import recordsOfChains from './records.json' with { type: 'json' };

/** One of Bowline's deployments: its contracts, the assets and lending protocols that it knows, and whose verdicts are its own. */
export interface Deployment {
  readonly chainId: number;
  readonly contracts: AddressBook['own'];
  readonly assets: AddressBook['assets'];
  readonly lending: AddressBook['lending'];
  /** Keys that sign its tickets. Empty: the record names none, and no ticket is its own. */
  readonly verdictSigners: readonly Address[];
  /** The escrow in which its jobs are bought (ERC-8183), and its token. Absent on a chain without one. */
  readonly escrow?: AddressBook['escrow'] & {};
}

const records: Readonly<Record<string, unknown>> = recordsOfChains;

/**
 * The deployment on a chain.
 * @param record of a deployment that this package does not know: the JSON that its deployer has published. An agent states its own,
 *   see `findAgent` and `Agent.deployment`.
 * @throws Error with one line that says what is missing or malformed.
 */
export function deploymentOf(chainId: number, record: unknown = records[chainId]): Deployment {
  if (record === undefined) {
    throw new Error(
      `This package knows no deployment on chain ${chainId}: give the record of yours, or have an agent state it (findAgent).`,
    );
  }
  const name = `The deployment record of chain ${chainId}`;
  const book = addressBookOf(chainId, { name, content: record }, isAddress);
  const { own, assets, lending, verdictSigners, escrow } = book;
  return { chainId, contracts: own, assets, lending, verdictSigners, ...(escrow && { escrow }) };
}

/** The package's own, if it knows one there. */
export const knownOn = (chainId: number): Deployment | undefined =>
  records[chainId] === undefined ? undefined : deploymentOf(chainId);

/** Whether what an agent states is what is known: no other contract or signer, where it names one. */
export function isThe(known: Deployment, { contracts, verdictSigners }: Deployment): boolean {
  const expected: Readonly<Record<string, string | undefined>> = known.contracts;
  return (
    Object.entries(contracts).every(([name, address]) => expected[name] === address) &&
    verdictSigners.every((signer) => known.verdictSigners.includes(signer))
  );
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
