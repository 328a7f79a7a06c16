import type { ChainClient } from '@bowline/chain/chain-client';
import { Refusal } from '@bowline/core/domain/refusal';
import type { Address, Hex } from '@bowline/core/domain/units';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { encodeFunctionData, type LocalAccount, parseAbi } from 'viem';
import type { Operation } from './operation.ts';

/** Addresses of the ERC-4337 v0.9 contracts. */
export interface AccountContracts {
  readonly entryPoint: Address;
  readonly accountFactory?: Address;
}

/** A contract that acts on operations signed by its owner's key and submitted through the EntryPoint. */
export type Account = Awaited<ReturnType<typeof openAccount>>;

const factoryAbi = parseAbi(['function createAccount(address owner, uint256 salt)']);
export const accountAbi = parseAbi(['function execute(address target, uint256 value, bytes data)']);

/** Upper bound of execute() calldata for an inner call of `callBytes`: selector, four words, padding. */
export const maxExecuteBytes = (callBytes: number): number => callBytes + 4 + 4 * 32 + 31;

/**
 * The first account of `owner`; its address is fixed before it is deployed. Reads the address from the node and throws
 * viem's errors.
 * @throws Refusal if no factory is named.
 */
export async function openAccount(
  client: ChainClient,
  owner: LocalAccount,
  { entryPoint, accountFactory }: AccountContracts,
) {
  if (accountFactory === undefined) {
    throw new Refusal(
      'factory_missing',
      `ACCOUNT_FACTORY is missing: it deploys the ERC-4337 account of ${owner.address}.`,
      "Set ACCOUNT_FACTORY to the factory of the operator's wallet, or set KEEPER_PRIVATE_KEY to the operator's key.",
    );
  }
  const account = await toSimpleSmartAccount({
    client,
    owner,
    // The library knows no 0.9. Both sign the same typed data, in which the EntryPoint's address stands.
    entryPoint: { address: entryPoint, version: '0.8' },
    factoryAddress: accountFactory,
    index: 0n,
  });
  return {
    address: account.address,
    /** Deploys the account as part of its first operation. */
    creation: {
      factory: accountFactory,
      factoryData: encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args: [owner.address, 0n] }),
    },
    /** Calldata that makes the account perform one call. */
    encode: ({ to, data }: { readonly to: Address; readonly data: Hex }) =>
      encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [to, 0n, data] }),
    sign: (operation: Operation, chainId: number) => account.signUserOperation({ ...operation, chainId }),
  };
}
