import { wordOfError } from '@bowline/core/texts/words';
import { type AbiItem, BaseError, decodeErrorResult, type Hex, isHex, RpcRequestError } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import * as abis from '../../../abis/index.ts';

const errors = [...Object.values<readonly AbiItem[]>(abis), entryPoint08Abi]
  .flat()
  .filter((item) => item.type === 'error');

/** PancakeSwap's router, when a swap would bring less than `amountOutMinimum`. */
const tooLittle = 'Too little received';

/**
 * The name of the error in revert data of this project's contracts, in lower_snake: `HealthNotBelowTrigger` is
 * `health_not_below_trigger`; of the EntryPoint's, too. Of a price source that failed, its own error where that is known. The
 * router is asked for the floor, so that its word for less is `floor_not_met`, too. `unknown_error` for everything else, since
 * others' texts are not ours to repeat.
 */
export function contractErrorName(data: Hex | undefined): string {
  const { errorName, args } = decode(data);
  if (errorName === undefined) return 'unknown_error';
  if (errorName === 'PriceSourceFailed') {
    const inner = contractErrorName(args?.[1] as Hex);
    if (inner !== 'unknown_error') return inner;
  }
  // The EntryPoint's reasons begin with a code of its own: AA25 is a nonce that is used.
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

/** The node's own answer in an error of viem's, which is that something failed; undefined when it gave none. */
export function nodeAnswer(error: unknown): RpcRequestError | undefined {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined;
  return answer instanceof RpcRequestError ? answer : undefined;
}

/**
 * What a contract said when it refused an eth_call; undefined when anything else failed. Nodes mark a refusal with code 3
 * and the contract's data; one without data they tell of in words that are the same everywhere.
 */
export function refusalOf(error: unknown): { readonly data: Hex | undefined } | undefined {
  const answer = nodeAnswer(error);
  if (answer === undefined) return undefined;
  const data = isHex(answer.data) ? answer.data : undefined;
  const refused = answer.code === 3 || data !== undefined || answer.details.startsWith('execution reverted');
  return refused ? { data } : undefined;
}
