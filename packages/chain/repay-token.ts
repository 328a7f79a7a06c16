import type { Address, Hex } from '@bowline/core/domain/units';
import { lendingMarketAbi } from '../../abis/index.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { refusalOf } from './errors.ts';
import { depositAbi } from './guard-abi.ts';

/** A deposit's receipts, and their worth. */
export interface Deposit {
  readonly token: Address;
  readonly receipt: Address;
  /** Base units of `token` for 1e18 of receipts. */
  readonly rateWad: bigint;
}

/** Undefined if the protocol has no such market. Throws `chain_unavailable`. */
export type DepositOf = (adapter: Address, account: Address, market: Hex) => Promise<Deposit | undefined>;

export const createDepositReader =
  (client: ChainClient): DepositOf =>
  (address, account, market) =>
    asking(async () => {
      const call = { address, abi: depositAbi, functionName: 'accrueAndReadCollateral' } as const;
      try {
        return (await client.simulateContract({ ...call, args: [account, market] })).result;
      } catch (error) {
        if (refusalOf(error) === undefined) throw error;
        return undefined;
      }
    });

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
