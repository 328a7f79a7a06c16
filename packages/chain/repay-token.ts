import type { Address, Hex } from '@bowline/core/domain/units';
import { lendingMarketAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { refusalOf } from './errors.ts';

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
        if (refusalOf(error) === undefined) throw error;
        return undefined;
      }
    });
