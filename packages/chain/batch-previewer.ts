import type { Call } from '@bowline/core/domain/sending';
import type { Address } from '@bowline/core/domain/units';
import { decodeFunctionData, decodeFunctionResult, type Hex, padHex } from 'viem';
import { loanGuardAbi, swapExecutorAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { isAnswer, refusalOf } from './errors.ts';
import { repaidIn } from './lending/rescue-preview.ts';
import type { BatchPreviewer, JudgedRescue } from './readers.ts';

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
      const { functionName } = decodeFunctionData({ abi: loanGuardAbi, data: call.data });
      if (functionName === 'rescueMany') return simulate(call, judgedList, () => []);
      return simulate(call, judgedAlone, (error) => [{ error: contractErrorName(refusalOf(error)?.data) }]);
    },
  };
}

const judgedAlone = (data: Hex): JudgedRescue[] => [{ repay: repaidIn(data) }];

const judgedList = (data: Hex): JudgedRescue[] =>
  decodeFunctionResult({ abi: loanGuardAbi, functionName: 'rescueMany', data }).map(({ isRescued, repaid, failure }) =>
    isRescued ? { repay: repaid } : { error: rescueFailure(failure) },
  );

/** The name of the error that `rescueMany` keeps, cut short, of a rescue that failed. */
const rescueFailure = (failure: Hex): string =>
  failure === '0x' ? 'out_of_gas' : contractErrorName(padHex(failure, { dir: 'right', size: 1_024 }));
