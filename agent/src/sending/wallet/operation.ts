import type { Address, Hex } from '@bowline/core/domain/units';
import type { UserOperation } from 'viem/account-abstraction';

// An ERC-4337 operation of ours, in the form that is signed. Nobody else pays for it: it has no paymaster.

export interface Operation extends UserOperation<'0.8'> {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly callData: Hex;
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly signature: Hex;
}

// Computed, as the gas of calls is, and not estimated by a bundler: it would be asked to say what it may charge.

/** One signature is recovered, in some 30,000. */
const VERIFICATION_GAS = 100_000n;
/** The account itself is made, too, in some 200,000. */
const CREATION_GAS = 400_000n;
/** What the account does around its one call, and the sixty-fourth that a call leaves behind. */
const accountGas = (callGas: bigint): bigint => 20_000n + callGas / 60n;
/** What a carrier pays outside of what the EntryPoint measures: its transaction, the event, and what the account is told. */
const preVerificationGas = (callDataBytes: number): bigint => 80_000n + 16n * BigInt(callDataBytes);

/** @param callDataBytes of what the account is told. */
export const gasOf = (callGas: bigint, callDataBytes: number, isCreated: boolean) => ({
  callGasLimit: callGas + accountGas(callGas),
  verificationGasLimit: isCreated ? VERIFICATION_GAS : CREATION_GAS,
  preVerificationGas: preVerificationGas(callDataBytes),
});

/** The most of each that is signed for a call of so much gas. */
export const maxGasOf = (callGas: bigint, callDataBytes: number) => gasOf(callGas, callDataBytes, false);

type Gas = Pick<Operation, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>;

const totalGas = ({ callGasLimit, verificationGasLimit, preVerificationGas }: Gas): bigint =>
  callGasLimit + verificationGasLimit + preVerificationGas;

/** What the account can be charged, in wei. */
export const maxWei = (operation: Operation): bigint => totalGas(operation) * operation.maxFeePerGas;

/** The gas limit of a transaction that carries it to the EntryPoint, whose own work takes some 50,000 more. */
export const carrierGas = (gas: Gas): bigint => totalGas(gas) + totalGas(gas) / 60n + 100_000n;
