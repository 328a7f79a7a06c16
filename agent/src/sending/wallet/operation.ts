import { size } from 'viem';
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

/** One that makes the account perform a call. @param creation deploys the account first; absent where it is deployed. */
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
