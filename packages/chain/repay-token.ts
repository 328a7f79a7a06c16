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
    unlessRefused(async () => {
      const call = { address, abi: depositAbi, functionName: 'accrueAndReadCollateral' } as const;
      return (await client.simulateContract({ ...call, args: [account, market] })).result;
    });

/** The token that repays a market's debt; undefined if the protocol has no such market. Throws `chain_unavailable`. */
export type RepayTokenOf = (adapter: Address, market: Hex) => Promise<Address | undefined>;

export const createRepayTokenReader =
  (client: ChainClient): RepayTokenOf =>
  (address, market) =>
    unlessRefused(() =>
      client.readContract({ address, abi: lendingMarketAbi, functionName: 'repayToken', args: [market] }),
    );

const unlessRefused = <Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> =>
  asking(read).catch((error) => {
    if (refusalOf(error) === undefined) throw error;
    return undefined;
  });
