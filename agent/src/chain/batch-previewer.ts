import type { BatchPreviewer } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import { decodeFunctionResult } from 'viem';
import { swapExecutorAbi } from '../../../abis/index.ts';
import { asking, type ChainClient, nodeAnswer } from './chain-client.ts';

/** Simulates the operator's batch in the node against the current state. */
export function createBatchPreviewer(client: ChainClient, operator: Address): BatchPreviewer {
  return {
    wouldRun: ({ to, data, gas }) =>
      asking(async () => {
        try {
          const answer = await client.call({ account: operator, to, data, gas });
          const results = decodeFunctionResult({
            abi: swapExecutorAbi,
            functionName: 'executeBatch',
            data: answer.data ?? '0x',
          });
          return results.map(({ isExecuted }) => isExecuted);
        } catch (error) {
          // Any answer of the node, including its own gas limit, is about this batch.
          if (nodeAnswer(error) === undefined) throw error;
          return [];
        }
      }),
  };
}
