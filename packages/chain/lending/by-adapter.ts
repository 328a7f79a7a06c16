import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { healthWadOf, loanValues } from '@bowline/core/domain/loan-health';
import type { Address } from '@bowline/core/domain/units';
import type { Reads } from '../reads.ts';
import { type Account, readForced, readPosition, readWeightedBy } from './loan.ts';

/**
 * A loan read only through an adapter, even of an unknown protocol: its health, and the debt in one market.
 * Values are in the adapter's numéraire: not to be printed as dollars, but their ratios hold.
 * @param chainlink a price source whose prices value the collateral a second time.
 * @throws viem's error if the adapter cannot read the account.
 */
export async function readByAdapter(client: Reads, account: Account, chainlink?: Address): Promise<GuardedLoan> {
  const { adapter, market } = account;
  const [position, forcedMarkets, weightedBySource] = await Promise.all([
    readPosition(client, account),
    readForced(client, account),
    chainlink && readWeightedBy(client, account, chainlink),
  ]);
  return {
    ...loanValues(position.debtValue, position.weightedCollateralValue),
    protocol: { adapter },
    markets: [{ market, debt: position.marketDebt }],
    chainlinkHealthWad: weightedBySource === undefined ? undefined : healthWadOf(weightedBySource, position.debtValue),
    forcedMarkets,
    prices: { [market.toLowerCase()]: position.repayTokenPriceWad },
    minDebts: { [market.toLowerCase()]: position.minDebt },
    parts: undefined,
  };
}
