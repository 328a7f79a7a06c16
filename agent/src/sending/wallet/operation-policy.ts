import { sameAddress } from '@bowline/core/domain/same-address';
import type { Call } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';
import { decodeFunctionData, size } from 'viem';
import { brokenCancellationRule, brokenRule, type SigningPolicy, type SigningRule } from '../signing-policy.ts';
import { accountAbi, maxGasOf, maxWei, type Operation } from './account.ts';

/** What the owner's key may sign for its account. */
export interface OperationPolicy {
  readonly account: Address;
  readonly creation: { readonly factory: Address; readonly factoryData: Hex };
  /** Policy of the operation's inner call. */
  readonly calls: SigningPolicy;
}

export type OperationRule = SigningRule | 'sender' | 'paymaster' | 'factory' | 'account_call' | 'verification_gas';

/**
 * The rule that forbids signing this operation; undefined if none does. It decodes the bytes to be signed and judges
 * the call inside.
 * @param spentTodayWei what the account paid for gas since midnight UTC, and what everything open may still cost.
 * @param spentOnKindWei the same for inner calls of this `kindOf` alone.
 */
export function brokenOperationRule(
  policy: OperationPolicy,
  chainId: number,
  operation: Operation,
  callGas: bigint,
  spentTodayWei: bigint,
  spentOnKindWei: bigint,
  limits?: Pick<Call, 'maxGasPriceWei' | 'isDoubtful'>,
): OperationRule | undefined {
  const { sender, paymaster, factory, factoryData, callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  if (!sameAddress(sender, policy.account)) return 'sender';
  if (paymaster !== undefined) return 'paymaster';
  if (factory !== undefined) {
    if (!sameAddress(factory, policy.creation.factory) || factoryData !== policy.creation.factoryData) return 'factory';
  }
  const call = callOf(operation.callData);
  if (call === undefined) return 'account_call';
  const { maxFeePerGas: gasPrice, maxPriorityFeePerGas } = operation;
  if (maxPriorityFeePerGas > gasPrice) return 'gas_price';
  const maxGas = maxGasOf(callGas, size(operation.callData));
  if (verificationGasLimit > maxGas.verificationGasLimit || preVerificationGas > maxGas.preVerificationGas) {
    return 'verification_gas';
  }
  if (callGasLimit > maxGas.callGasLimit) return 'gas';
  if (doesNothing(policy, call)) {
    return brokenCancellationRule(policy.calls, { chainId, gasPrice, maxWei: maxWei(operation) }, spentTodayWei);
  }
  const transaction = { type: 'legacy', chainId, nonce: 0, ...call, gas: callGas, gasPrice } as const;
  // The policy counts the call's own maximum; add the rest of the operation.
  const restWei = maxWei(operation) - callGas * gasPrice;
  return brokenRule(policy.calls, transaction, spentTodayWei + restWei, spentOnKindWei + restWei, limits);
}

function callOf(callData: Hex): { to: Address; value: bigint; data: Hex } | undefined {
  try {
    const { args } = decodeFunctionData({ abi: accountAbi, data: callData });
    const [to, value, data] = args;
    return { to, value, data };
  } catch {
    return undefined;
  }
}

/** An empty call of the account to itself, which only uses up a nonce. */
const doesNothing = ({ account }: OperationPolicy, { to, value, data }: { to: Address; value: bigint; data: Hex }) =>
  sameAddress(to, account) && value === 0n && size(data) === 0;
