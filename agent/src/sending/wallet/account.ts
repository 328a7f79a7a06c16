import type { Address, Hex } from '@bowline/core/domain/units';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { encodeFunctionData, type PrivateKeyAccount, parseAbi } from 'viem';
import type { ChainClient } from '../../chain/chain-client.ts';
import type { Operation } from './operation.ts';

/** Where ERC-4337 v0.8 stands. */
export interface AccountContracts {
  readonly entryPoint: Address;
  readonly accountFactory: Address;
}

/** A contract that acts for whoever shows the EntryPoint an operation signed by its owner's key. */
export interface Account {
  readonly address: Address;
  readonly owner: Address;
  /** Makes the account exist, in an operation that comes before it does. */
  readonly creation: { readonly factory: Address; readonly factoryData: Hex };
  /** What the account must be told so that it makes one call. */
  encode(call: { readonly to: Address; readonly data: Hex }): Hex;
  sign(operation: Operation, chainId: number): Promise<Hex>;
}

const factoryAbi = parseAbi(['function createAccount(address owner, uint256 salt)']);
export const accountAbi = parseAbi(['function execute(address target, uint256 value, bytes data)']);

/** Of what the account is told, when what it is to call with has so many: a selector, four words, and zeros up to a whole one. */
export const maxToldBytes = (callBytes: number): number => callBytes + 4 + 4 * 32 + 31;

/** The first account of `owner`; its address is settled before it exists. Asks the node for it, and throws viem's errors. */
export async function openAccount(
  client: ChainClient,
  owner: PrivateKeyAccount,
  { entryPoint, accountFactory }: AccountContracts,
): Promise<Account> {
  const account = await toSimpleSmartAccount({
    client,
    owner,
    entryPoint: { address: entryPoint, version: '0.8' },
    factoryAddress: accountFactory,
    index: 0n,
  });
  return {
    address: account.address,
    owner: owner.address,
    creation: {
      factory: accountFactory,
      factoryData: encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args: [owner.address, 0n] }),
    },
    encode: ({ to, data }) => encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [to, 0n, data] }),
    sign: (operation, chainId) => account.signUserOperation({ ...operation, chainId }),
  };
}
