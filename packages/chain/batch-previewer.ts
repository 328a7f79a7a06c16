import type { Call } from '@bowline/core/domain/sending';
import type { Address } from '@bowline/core/domain/units';
import { decodeFunctionResult, type Hex } from 'viem';
import { swapExecutorAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { isAnswer, refusalOf } from './errors.ts';
import type { BatchPreviewer, JudgedRescue } from './readers.ts';
import { isList, listFailure, repaidIn, resultsIn } from './rescue-calls.ts';

/** Simulates the operator's batches and lists in the node against the current state. */
export function createBatchPreviewer(client: ChainClient, operator: Address): BatchPreviewer {
  const simulate = <Outcome>(
    { to, data, gas }: Call,
    outcomes: (answer: Hex) => Outcome[],
    refused: (error: unknown) => Outcome[],
  ) =>
    asking(async () => {
      try {
        const answer = await client.call({ account: operator, to, data, gas });
        return outcomes(answer.data ?? '0x');
      } catch (error) {
        // Any other answer of the node, its own gas limit included, is about this batch.
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
