import { erc20Abi } from '@bowline/chain/erc20-abi';
import {
  type LoanMarket as Market,
  readByAdapter,
  readLoan as readLoanIn,
  readMarkets,
} from '@bowline/chain/lending/loan';
import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { protocolAt } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import type { Address } from 'viem';
import { assetAt, type Lending, type Settings } from '../api/settings.ts';
import { type ChainClient, inOneCall } from './client.ts';
import type { Guard } from './read-guards.ts';

/** A market with what the page shows and asks of its token. */
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
 * Reads a borrower's account in a lending protocol as a guard does.
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

/**
 * The loan of a guard's borrower. Through the guard's own adapter alone where the page has no reader of its protocol: what
 * only the protocol tells, such as a pause, stays unknown, so no such guard is called guarded.
 * @throws if it cannot be read.
 */
export async function readLoanOf(client: ChainClient, settings: Settings, guard: Guard): Promise<Loan> {
  const { adapter, borrower, funder, repayToken: token } = guard;
  const protocol = protocolAt(settings.lending, adapter);
  if (protocol !== undefined) return readLoan(client, settings, protocol, borrower);
  const [loan, of] = await Promise.all([
    readByAdapter(client, guard),
    withToken(client, settings, { market: guard.market, token, debt: 0n, supplied: 0n }, funder),
  ]);
  const name = shortAddress(adapter);
  return {
    ...loan,
    ...{ protocol: { name, scope: name, url: '', adapter, core: adapter }, borrower },
    markets: loan.markets.map((market) => ({ ...of, ...market })),
  };
}

/** @param payer whose tokens repay. */
async function withToken(client: ChainClient, settings: Settings, market: Market, payer: Address): Promise<LoanMarket> {
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
  return { ...market, symbol: assetAt(settings, market.token)?.symbol ?? symbol, decimals, walletBalance, allowance };
}
