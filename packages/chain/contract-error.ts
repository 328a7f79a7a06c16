import { wordOfError } from '@bowline/core/texts/words';
import type { AbiItem, Hex } from 'viem';
import { entryPoint09Abi } from 'viem/account-abstraction';
import * as abis from '../../abis/index.ts';
import { errorIn, refusalOf } from './errors.ts';

const errors = [...Object.values<readonly AbiItem[]>(abis), entryPoint09Abi]
  .flat()
  .filter((item) => item.type === 'error');

/**
 * The error name in revert data in lower_snake, for errors of this project's contracts and of the EntryPoint:
 * `HealthNotBelowTrigger` becomes `health_not_below_trigger`. A failed price source yields its own error if known.
 * Everything else is `unknown_error`: third-party texts are never repeated.
 */
export function contractErrorName(data: Hex | undefined): string {
  const { errorName, args } = errorIn(errors, data) ?? {};
  // Error carries arbitrary text.
  if (errorName === undefined || errorName === 'Error') return 'unknown_error';
  if (errorName === 'PriceSourceFailed') {
    const inner = contractErrorName(args?.[1] as Hex);
    if (inner !== 'unknown_error') return inner;
  }
  // EntryPoint reasons start with a code: AA25 is a used nonce.
  if (errorName === 'FailedOp') return `failed_op_${String(args?.[1]).slice(0, 4).toLowerCase()}`;
  return wordOfError(errorName);
}

/** The same for a failed call. Undefined if no contract refused it. */
export function refusalName(error: unknown): string | undefined {
  const refusal = refusalOf(error);
  return refusal && contractErrorName(refusal.data);
}
