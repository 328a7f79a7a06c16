import type { ChainClient } from '@bowline/chain/chain-client';
import { Refusal } from '@bowline/core/domain/refusal';
import type { Address, Hex } from '@bowline/core/domain/units';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { encodeFunctionData, type LocalAccount, parseAbi, size } from 'viem';
import type { UserOperation } from 'viem/account-abstraction';

// An ERC-4337 operation as it is signed. It pays for itself, without a paymaster.

export type Operation = Readonly<UserOperation<'0.9'>>;

// Computed like the gas of calls rather than estimated by a bundler, which would set its own charge.

/** One signature recovery uses about 30,000. */
const VERIFICATION_GAS = 100_000n;
/** Including deployment of the account, about 200,000. */
const CREATION_GAS = 400_000n;
/** The account's overhead for its one call, plus the sixty-fourth that a call keeps back (EIP-150). */
const accountGas = (callGas: bigint): bigint => 20_000n + callGas / 60n;
/** Carrier's cost outside the EntryPoint's measurement: its transaction, the event and the calldata. */
const preVerificationGas = (callDataBytes: number): bigint => 80_000n + 16n * BigInt(callDataBytes);

/** @param callDataBytes length of the account's calldata. */
export const gasOf = (callGas: bigint, callDataBytes: number, isCreated: boolean) => ({
  callGasLimit: callGas + accountGas(callGas),
  verificationGasLimit: isCreated ? VERIFICATION_GAS : CREATION_GAS,
  preVerificationGas: preVerificationGas(callDataBytes),
});

/** Maximum of each gas field that is signed for a call of this gas. */
export const maxGasOf = (callGas: bigint, callDataBytes: number) => gasOf(callGas, callDataBytes, false);

/** An operation by which the account makes a call. @param creation deploys the account first; absent if deployed. */
export const unsignedOperation = (
  { address: sender }: { readonly address: Operation['sender'] },
  {
    nonce,
    callData,
    callGas,
    gasPrice,
  }: { nonce: bigint; callData: Operation['callData']; callGas: bigint; gasPrice: bigint },
  creation: Pick<Operation, 'factory' | 'factoryData'> | undefined,
): Operation => ({
  ...{ sender, nonce, callData, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice, signature: '0x' },
  ...gasOf(callGas, size(callData), creation === undefined),
  ...creation,
});

type Gas = Pick<Operation, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>;

const totalGas = ({ callGasLimit, verificationGasLimit, preVerificationGas }: Gas): bigint =>
  callGasLimit + verificationGasLimit + preVerificationGas;

/** Maximum charge to the account, in wei. */
export const maxWei = (operation: Operation): bigint => totalGas(operation) * operation.maxFeePerGas;

/** Gas limit of the transaction that submits it to the EntryPoint, whose own work uses about 50,000 more. */
export const carrierGas = (gas: Gas): bigint => totalGas(gas) + totalGas(gas) / 60n + 100_000n;

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
    // The library does not know 0.9. Both versions sign the same typed data, which includes the EntryPoint's address.
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
