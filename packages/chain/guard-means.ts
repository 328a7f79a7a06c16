import type { Means } from '@bowline/core/domain/guarded-loan';
import { protocolAt } from '@bowline/core/domain/lending';
import { lendingMarketAbi } from '../../abis/index.ts';
import { type Money, type Paying, type Places, readDeposit } from './deposit-means.ts';
import { erc20Abi } from './erc20-abi.ts';
import { readerOf } from './lending/readers.ts';
import { inOneCall, type Reads } from './reads.ts';

/**
 * What a rescue by this guard would find now. Only a listed protocol's reader knows whether the market accepts repayments.
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
