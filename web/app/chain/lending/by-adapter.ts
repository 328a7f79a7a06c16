import { shortAddress } from '@bowline/core/domain/readable';
import { lendingMarketAbi } from '../../../../abis/index.ts';
import { assetAt, type Settings } from '../../api/settings.ts';
import { erc20Abi } from '../abis.ts';
import { type ChainClient, inOneCall } from '../client.ts';
import type { Guard } from '../read-guards.ts';
import type { Loan } from '../read-loan.ts';
import { accountOf } from './account.ts';

/**
 * A guard's loan through the guard's own adapter alone, for a protocol that the page has no reader of: its health, and
 * the debt in the guard's market. What only the protocol tells, such as a pause, stays unknown, so no such guard is called
 * guarded. Values are in the adapter's numéraire: not to be printed as dollars, but their ratios hold.
 * @throws if the adapter cannot be read.
 */
export async function readByAdapter(
  client: ChainClient,
  settings: Settings,
  { adapter, borrower, funder, market, repayToken }: Guard,
): Promise<Loan> {
  const lending = { address: adapter, abi: lendingMarketAbi } as const;
  const erc20 = { address: repayToken, abi: erc20Abi } as const;
  const [[symbol, decimals, walletBalance, allowance], { result }] = await Promise.all([
    client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        { ...erc20, functionName: 'symbol' },
        { ...erc20, functionName: 'decimals' },
        { ...erc20, functionName: 'balanceOf', args: [funder] },
        { ...erc20, functionName: 'allowance', args: [funder, settings.contracts.loanGuard] },
      ],
    }),
    client.simulateContract({ ...lending, functionName: 'accrueAndRead', args: [borrower, market] }),
  ]);
  const { debtValue, weightedCollateralValue, marketDebt: debt, repayTokenPriceWad } = result;
  const name = assetAt(settings, repayToken)?.symbol ?? symbol;
  return {
    ...accountOf(debtValue, weightedCollateralValue),
    protocol: { name: shortAddress(adapter), scope: shortAddress(adapter), url: '', adapter, core: adapter },
    borrower,
    markets: [{ market, token: repayToken, symbol: name, decimals, debt, supplied: 0n, walletBalance, allowance }],
    chainlinkHealthWad: undefined,
    forcedMarkets: undefined,
    prices: { [market.toLowerCase()]: repayTokenPriceWad },
    parts: undefined,
  };
}
