import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { loanValues } from '@bowline/core/domain/loan-health';
import type { Reads } from '../reads.ts';
import { type Account, readForced, readPosition } from './loan.ts';

/**
 * A loan through an adapter alone, also of a protocol that nobody here knows: its health, and the debt in one market.
 * Values are in the adapter's numéraire: not to be printed as dollars, but their ratios hold.
 * @throws viem's error if the adapter cannot read the account.
 */
export async function readByAdapter(client: Reads, account: Account): Promise<GuardedLoan> {
  const { adapter, market } = account;
  const [position, forcedMarkets] = await Promise.all([readPosition(client, account), readForced(client, account)]);
  return {
    ...loanValues(position.debtValue, position.weightedCollateralValue),
    protocol: { adapter },
    markets: [{ market, debt: position.marketDebt }],
    chainlinkHealthWad: undefined,
    forcedMarkets,
    prices: { [market.toLowerCase()]: position.repayTokenPriceWad },
    parts: undefined,
  };
}
