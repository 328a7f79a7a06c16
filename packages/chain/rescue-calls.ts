// The calls that rescue loans, by whichever contract holds the guard.

import { contractOf, type GuardContracts } from '@bowline/core/domain/guard-key';
import type { Guard } from '@bowline/core/domain/permissions';
import type { Hex } from '@bowline/core/domain/units';
import { decodeFunctionResult, encodeFunctionData, padHex, slice, toFunctionSelector } from 'viem';
import { collateralGuardAbi, loanGuardAbi } from '../../abis/index.ts';
import { contractErrorName } from './contract-error.ts';
import { noRoute } from './guard.ts';
import type { Call } from './try-as.ts';

type Called = Pick<Guard, 'id' | 'sale'>;

/** @param guard with the route that the caller has chosen, where its terms name none. */
export const rescueCall = (own: GuardContracts, guard: Called): Call => ({
  to: contractOf(own, guard),
  data:
    guard.sale === undefined
      ? encodeFunctionData({ abi: loanGuardAbi, functionName: 'rescue', args: [guard.id] })
      : encodeFunctionData({
          abi: collateralGuardAbi,
          functionName: 'rescue',
          args: [guard.id, guard.sale.route ?? noRoute],
        }),
});

/** @param guards of one contract. */
export function rescueManyCall(own: GuardContracts, guards: readonly Called[], gasPerRescue: bigint): Call {
  const [first] = guards;
  if (first === undefined) throw new Error('A rescue needs at least one guard.');
  const ids = guards.map(({ id }) => id);
  const data =
    first.sale === undefined
      ? encodeFunctionData({ abi: loanGuardAbi, functionName: 'rescueMany', args: [ids, gasPerRescue] })
      : encodeFunctionData({
          abi: collateralGuardAbi,
          functionName: 'rescueMany',
          args: [ids, guards.map(({ sale }) => sale?.route ?? noRoute), gasPerRescue],
        });
  return { to: contractOf(own, first), data };
}

const lists: ReadonlySet<Hex> = new Set([loanGuardAbi, collateralGuardAbi].flatMap((abi) => selectorsOf(abi)));

function selectorsOf(abi: readonly { readonly type: string }[]): Hex[] {
  return abi.flatMap((item) =>
    item.type === 'function' && (item as { readonly name?: string }).name === 'rescueMany'
      ? [toFunctionSelector(item as never)]
      : [],
  );
}

/** Whether the call is of `rescueMany`, rather than of `rescue`. */
export const isList = (data: Hex): boolean => lists.has(slice(data, 0, 4));

/** Base units of the repay token, in the answer to `rescueCall`. Both contracts answer alike. */
export const repaidIn = (data: Hex): bigint =>
  decodeFunctionResult({ abi: loanGuardAbi, functionName: 'rescue', data });

/** The same of each guard of a list, in order. */
export const resultsIn = (data: Hex) => decodeFunctionResult({ abi: loanGuardAbi, functionName: 'rescueMany', data });

/** The name of the error that a list keeps, cut short, of a rescue or a run that failed: the arguments are not needed. */
export const listFailure = (failure: Hex): string =>
  failure === '0x' ? 'out_of_gas' : contractErrorName(padHex(failure, { dir: 'right', size: 1_024 }));
