import type { Deployment } from '@bowline/chain/drafts/deployment';
import { addressBookOf } from '@bowline/core/registry/address-book';
import { isAddress } from 'viem';
import recordsOfChains from './records.json' with { type: 'json' };

const records: Readonly<Record<string, unknown>> = recordsOfChains;

/**
 * The deployment on a chain.
 * @param record of a deployment that this package does not know: the JSON that its deployer has published. An agent
 *   states its own, see `findAgent` and `Agent.deployment`.
 * @throws Error with one line that says what is missing or malformed.
 */
export function deploymentOf(chainId: number, record: unknown = records[chainId]): Deployment {
  if (record === undefined) {
    throw new Error(
      `This package knows no deployment on chain ${chainId}: pass your own record, or get it from an agent (findAgent).`,
    );
  }
  const name = `The deployment record of chain ${chainId}`;
  const book = addressBookOf(chainId, { name, content: record }, isAddress);
  const { own, assets, lending, pancake, verdictSigners, escrow } = book;
  return { chainId, contracts: own, assets, lending, pancake, verdictSigners, ...(escrow && { escrow }) };
}

/** The package's own deployment on that chain, if it has one. */
export const knownOn = (chainId: number): Deployment | undefined =>
  records[chainId] === undefined ? undefined : deploymentOf(chainId);

/** Whether an agent's statement matches the known deployment: it names no other contract or signer. */
export function isThe(known: Deployment, { contracts, verdictSigners }: Deployment): boolean {
  const expected: Readonly<Record<string, string | undefined>> = known.contracts;
  return (
    Object.entries(contracts).every(([name, address]) => expected[name] === address) &&
    verdictSigners.every((signer) => known.verdictSigners.includes(signer))
  );
}
