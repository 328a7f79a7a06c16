import { erc20Abi, soundDecimals } from '@bowline/chain/erc20-abi';
import { type LoanMarket as Market, readLoan as readLoanIn, readMarkets } from '@bowline/chain/lending/loan';
import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import type { Address } from 'viem';
import { assetAt, type Lending, type Settings } from '../api/settings.ts';
import { type ChainClient, inOneCall } from './client.ts';

/** A market, with what the page shows and needs about its token. */
export interface LoanMarket extends Market {
  readonly symbol: string;
  readonly decimals: number;
  readonly walletBalance: bigint;
  readonly allowance: bigint;
}

export interface Loan extends GuardedLoan {
  readonly protocol: Lending;
  readonly borrower: Address;
  readonly markets: readonly LoanMarket[];
}

/**
 * Reads a borrower's account in a lending protocol the way a guard does.
 * @throws if any part of its health and its markets cannot be read, or if its values are not US dollars.
 */
export async function readLoan(
  client: ChainClient,
  settings: Settings,
  protocol: Lending,
  borrower: Address,
): Promise<Loan> {
  const markets = await readMarkets(client, protocol, borrower);
  const [loan, shown] = await Promise.all([
    readLoanIn(client, protocol, borrower, markets, settings.contracts.priceSource),
    Promise.all(markets.map((market) => withToken(client, settings, market, borrower))),
  ]);
  return { ...loan, protocol, borrower, markets: shown };
}

/** @param payer whose tokens repay. */
export async function withToken(
  client: ChainClient,
  settings: Settings,
  market: Market,
  payer: Address,
): Promise<LoanMarket> {
  const erc20 = { abi: erc20Abi, address: market.token } as const;
  const [symbol, decimals, walletBalance, allowance] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      { ...erc20, functionName: 'symbol' },
      { ...erc20, functionName: 'decimals' },
      { ...erc20, functionName: 'balanceOf', args: [payer] },
      { ...erc20, functionName: 'allowance', args: [payer, settings.contracts.loanGuard] },
    ],
  });
  return {
    ...{ ...market, symbol: assetAt(settings, market.token)?.symbol ?? symbol, decimals: soundDecimals(decimals) },
    ...{ walletBalance, allowance },
  };
}
