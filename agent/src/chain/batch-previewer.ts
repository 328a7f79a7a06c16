import type { BatchPreviewer } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import { decodeFunctionResult } from 'viem';
import { swapExecutorAbi } from '../../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { nodeAnswer } from './contract-error.ts';

/** Has the node do what the operator would send, as things stand. */
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
          // Whatever the node says of it is about this batch: a limit of its own on gas, too.
          if (nodeAnswer(error) === undefined) throw error;
          return [];
        }
      }),
  };
}
