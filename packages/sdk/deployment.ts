import { type AddressBook, addressBookOf } from '@bowline/core/registry/address-book';
import { type Address, isAddress } from 'viem';
import recordsOfChains from './records.json' with { type: 'json' };

/** One of Bowline's deployments: its contracts, the assets and lending protocols that it knows, and whose verdicts are its own. */
export interface Deployment {
  readonly chainId: number;
  readonly contracts: AddressBook['own'];
  readonly assets: AddressBook['assets'];
  readonly lending: AddressBook['lending'];
  /** Keys that sign its tickets. Empty: the record names none, and no ticket is its own. */
  readonly verdictSigners: readonly Address[];
}

const records: Readonly<Record<string, unknown>> = recordsOfChains;

/**
 * The deployment on a chain.
 * @param record of a deployment that this package does not know: the JSON that `npm run deploy` and `npm start` write to
 *   script/deployments.
 * @throws Error with one line that says what is missing or malformed.
 */
export function deploymentOf(chainId: number, record: unknown = records[chainId]): Deployment {
  if (record === undefined) {
    throw new Error(`This package knows no deployment on chain ${chainId}: give the record of yours.`);
  }
  const name = `The deployment record of chain ${chainId}`;
  const { own, assets, lending, verdictSigners } = addressBookOf(chainId, { name, content: record }, isAddress);
  return { chainId, contracts: own, assets, lending, verdictSigners };
}

/**
 * The registry's asset of that symbol or address, in any case.
 * @throws Error if the deployment does not know it.
 */
export function assetOf({ assets, chainId }: Deployment, symbolOrAddress: string): Deployment['assets'][number] {
  const wanted = symbolOrAddress.toLowerCase();
  const found = assets.find(({ symbol, address }) => [symbol, address].some((each) => each.toLowerCase() === wanted));
  if (found === undefined) throw new Error(`Bowline lists no asset ${symbolOrAddress} on chain ${chainId}.`);
  return found;
}
