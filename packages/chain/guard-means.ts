import type { FundedGuard, Means } from '@bowline/core/domain/guarded-loan';
import { protocolAt } from '@bowline/core/domain/lending';
import type { Address } from '@bowline/core/domain/units';
import { lendingMarketAbi } from '../../abis/index.ts';
import { readDeposit } from './deposit-means.ts';
import { erc20Abi } from './erc20-abi.ts';
import type { Protocol } from './lending/reader.ts';
import { readerOf } from './lending/readers.ts';
import { inOneCall, type Reads } from './reads.ts';

/** Where a guard's money is spent. */
export interface Places {
  readonly loanGuard: Address;
  /** Absent where it is not deployed. */
  readonly collateralGuard?: Address;
  readonly lending: readonly Protocol[];
}

export type Paying = Pick<FundedGuard, 'funder' | 'adapter' | 'market' | 'repayToken' | 'sale' | 'targetHealthWad'> & {
  readonly borrower: Address;
  readonly priceSource?: Address;
};

/**
 * What a rescue by this guard would find now. Whether the market takes repayments only a listed protocol's reader tells.
 * @throws viem's error if something cannot be read: an unknown value never counts as enough.
 */
export async function readMeans(client: Reads, places: Places, guard: Paying): Promise<Means> {
  const { adapter, market, sale } = guard;
  const protocol = protocolAt(places.lending, { adapter, market });
  const [money, isRepayPaused] = await Promise.all([
    sale ? readDeposit(client, places, protocol, guard, sale) : readWallet(client, places, guard),
    protocol && readerOf(protocol)?.isRepayPaused(client, protocol, market),
  ]);
  return { ...money, isRepayPaused };
}

export type Money = Omit<Means, 'isRepayPaused'>;

async function readWallet(
  client: Reads,
  { loanGuard }: Places,
  { funder, adapter, market, repayToken }: Paying,
): Promise<Money> {
  const token = { address: repayToken, abi: erc20Abi } as const;
  const [allowance, balance, marketToken] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      { ...token, functionName: 'allowance', args: [funder, loanGuard] },
      { ...token, functionName: 'balanceOf', args: [funder] },
      { address: adapter, abi: lendingMarketAbi, functionName: 'repayToken', args: [market] },
    ],
  });
  return { allowance, balance, marketToken };
}
