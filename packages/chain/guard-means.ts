import type { FundedGuard, Means } from '@bowline/core/domain/guarded-loan';
import { protocolAt } from '@bowline/core/domain/lending';
import type { Address } from '@bowline/core/domain/units';
import { lendingMarketAbi } from '../../abis/index.ts';
import { erc20Abi } from './erc20-abi.ts';
import type { Protocol } from './lending/reader.ts';
import { readerOf } from './lending/readers.ts';
import { inOneCall, type Reads } from './reads.ts';

/** Where a guard's money is spent. */
export interface Places {
  readonly loanGuard: Address;
  readonly lending: readonly Protocol[];
}

/**
 * What a rescue by this guard would find now. Whether the market takes repayments only a listed protocol's reader tells.
 * @throws viem's error if something cannot be read: an unknown value never counts as enough.
 */
export async function readMeans(
  client: Reads,
  { loanGuard, lending }: Places,
  { funder, adapter, market, repayToken }: Pick<FundedGuard, 'funder' | 'adapter' | 'market' | 'repayToken'>,
): Promise<Means> {
  const protocol = protocolAt(lending, { adapter, market });
  const token = { address: repayToken, abi: erc20Abi } as const;
  const [[allowance, balance, marketToken], isRepayPaused] = await Promise.all([
    client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        { ...token, functionName: 'allowance', args: [funder, loanGuard] },
        { ...token, functionName: 'balanceOf', args: [funder] },
        { address: adapter, abi: lendingMarketAbi, functionName: 'repayToken', args: [market] },
      ],
    }),
    protocol && readerOf(protocol)?.isRepayPaused(client, protocol, market),
  ]);
  return { allowance, balance, marketToken, isRepayPaused };
}
