import { wordOfError } from '@bowline/core/texts/words';
import { type AbiItem, BaseError, decodeErrorResult, type Hex, isHex, RpcRequestError } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import * as abis from '../../../abis/index.ts';

const errors = [...Object.values<readonly AbiItem[]>(abis), entryPoint08Abi]
  .flat()
  .filter((item) => item.type === 'error');

/** PancakeSwap's router reverts with this when a swap would yield less than `amountOutMinimum`. */
const tooLittle = 'Too little received';

/**
 * The error name in revert data in lower_snake, for errors of this project's contracts and of the EntryPoint:
 * `HealthNotBelowTrigger` becomes `health_not_below_trigger`. A failed price source yields its own error if known. The
 * router enforces the floor, so its error for a lower output is `floor_not_met`, too. Everything else is
 * `unknown_error`: third-party texts are never repeated.
 */
export function contractErrorName(data: Hex | undefined): string {
  const { errorName, args } = decode(data);
  if (errorName === undefined) return 'unknown_error';
  if (errorName === 'PriceSourceFailed') {
    const inner = contractErrorName(args?.[1] as Hex);
    if (inner !== 'unknown_error') return inner;
  }
  // EntryPoint reasons start with a code: AA25 is a used nonce.
  if (errorName === 'FailedOp') return `failed_op_${String(args?.[1]).slice(0, 4).toLowerCase()}`;
  return wordOfError(errorName);
}

function decode(data: Hex | undefined): { errorName?: string; args?: readonly unknown[] } {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data: data ?? '0x' });
    if (errorName === 'Error') return args?.[0] === tooLittle ? { errorName: 'FloorNotMet' } : {};
    return { errorName, args: args ?? [] };
  } catch {
    return {};
  }
}

/** The node's JSON-RPC error inside a viem error; undefined if the node returned none. */
export function nodeAnswer(error: unknown): RpcRequestError | undefined {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined;
  return answer instanceof RpcRequestError ? answer : undefined;
}

/**
 * Revert data of a contract that refused an eth_call; undefined if anything else failed. Nodes mark a revert with code
 * 3 and the contract's data; a revert without data is recognised by its standard text.
 */
export function refusalOf(error: unknown): { readonly data: Hex | undefined } | undefined {
  const answer = nodeAnswer(error);
  if (answer === undefined) return undefined;
  const data = isHex(answer.data) ? answer.data : undefined;
  const refused = answer.code === 3 || data !== undefined || answer.details.startsWith('execution reverted');
  return refused ? { data } : undefined;
}
