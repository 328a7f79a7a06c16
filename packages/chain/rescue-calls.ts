import type { Rescue as RescueOnChain } from '@bowline/core/audit/history';
import { contractOf, type GuardContracts } from '@bowline/core/domain/guard-key';
import { type Guard, NO_DEBT_HEALTH_WAD, type Rescue } from '@bowline/core/domain/permissions';
import type { Call as SentCall } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';
import { decodeFunctionResult, encodeFunctionData, padHex, slice, toFunctionSelector } from 'viem';
import { collateralGuardAbi, loanGuardAbi, swapExecutorAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { isAnswer, refusalOf } from './errors.ts';
import { noRoute } from './guard.ts';
import type { BatchPreviewer, JudgedRescue } from './readers.ts';
import type { Call } from './try-as.ts';

// The calls that rescue loans, on whichever contract holds the guard: their simulated answers, and their records.

type Called = Pick<Guard, 'id' | 'sale'>;

/** @param guard with the route that the caller has chosen, if its terms name none. */
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

/** The same for each guard of a list, in order. */
export const resultsIn = (data: Hex) => decodeFunctionResult({ abi: loanGuardAbi, functionName: 'rescueMany', data });

/** Names the error of a failed rescue or run. A list keeps its data cut short: the arguments are not needed. */
export const listFailure = (failure: Hex): string =>
  failure === '0x' ? 'out_of_gas' : contractErrorName(padHex(failure, { dir: 'right', size: 1_024 }));

/** Simulates the operator's batches and lists in the node against the current state. */
export function createBatchPreviewer(client: ChainClient, operator: Address): BatchPreviewer {
  const simulate = <Outcome>(
    { to, data, gas }: SentCall,
    outcomes: (answer: Hex) => Outcome[],
    refused: (error: unknown) => Outcome[],
  ) =>
    asking(async () => {
      try {
        const answer = await client.call({ account: operator, to, data, gas });
        return outcomes(answer.data ?? '0x');
      } catch (error) {
        // Any other error is the node's answer about this batch, including one about its own gas limit.
        if (!isAnswer(error)) throw error;
        return refused(error);
      }
    });
  return {
    wouldRun: (batch) =>
      simulate(
        batch,
        (data) =>
          decodeFunctionResult({ abi: swapExecutorAbi, functionName: 'executeBatch', data }).map(
            ({ isExecuted }) => isExecuted,
          ),
        () => [],
      ),
    rescues: (call) => {
      if (isList(call.data)) return simulate(call, judgedList, () => []);
      return simulate(call, judgedAlone, (error) => [{ error: contractErrorName(refusalOf(error)?.data) }]);
    },
  };
}

const judgedAlone = (data: Hex): JudgedRescue[] => [{ repay: repaidIn(data) }];

const judgedList = (data: Hex): JudgedRescue[] =>
  resultsIn(data).map(({ isRescued, repaid, failure }) =>
    isRescued ? { repay: repaid } : { error: listFailure(failure) },
  );

/** @param rescue a record of either contract, or the arguments of its event. */
export const toRescue = (
  { repaid, outcome, healthBeforeWad, healthAfterWad, sold, receipts }: Omit<RescueOnChain, 'time'>,
  isCutShort = false,
): Rescue => ({
  repaid,
  outcome: outcome === 1 ? 'full' : 'partial',
  healthBeforeWad,
  ...(healthAfterWad !== NO_DEBT_HEALTH_WAD && { healthAfterWad }),
  ...(sold !== undefined && { sold }),
  ...(receipts !== undefined && { receipts }),
  ...(isCutShort && { isCutShort }),
});
