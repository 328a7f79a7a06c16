import type { Address, Hex } from '@bowline/core/domain/units';
import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem';
import { lendingMarketAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';

/** The token that repays a market's debt; undefined if the protocol has no such market. Throws `chain_unavailable`. */
export type RepayTokenOf = (adapter: Address, market: Hex) => Promise<Address | undefined>;

export const createRepayTokenReader =
  (client: ChainClient): RepayTokenOf =>
  (adapter, market) =>
    asking(async () => {
      const call = { address: adapter, abi: lendingMarketAbi, functionName: 'repayToken', args: [market] } as const;
      try {
        return await client.readContract(call);
      } catch (error) {
        if (!(error instanceof BaseError) || !error.walk(isRefusal)) throw error;
        return undefined;
      }
    });

const isRefusal = (cause: unknown): boolean =>
  cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError;
