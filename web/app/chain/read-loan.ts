import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { healthWadOf } from '@bowline/core/domain/loan-health';
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem';
import { lendingMarketAbi } from '../../../abis/index.ts';
import { assetAt, type Lending, type Settings } from '../api/settings.ts';
import { erc20Abi } from './abis.ts';
import { type ChainClient, inOneCall } from './client.ts';
import type { Part } from './lending/reader.ts';
import { readerOf } from './lending/readers.ts';

export interface LoanMarket {
  /** As the protocol's adapter names it, in 32 bytes. */
  readonly market: Hex;
  readonly token: Address;
  readonly symbol: string;
  readonly decimals: number;
  /** Base units of the token, as the protocol last stored them. */
  readonly debt: bigint;
  readonly supplied: bigint;
  readonly walletBalance: bigint;
  readonly allowance: bigint;
}

export interface Loan extends GuardedLoan {
  readonly protocol: Lending;
  readonly borrower: Address;
  readonly markets: readonly LoanMarket[];
  /** What makes up collateral and debt; undefined if it could not be read. */
  readonly parts: readonly Part[] | undefined;
}

/**
 * Reads a borrower's account in a lending protocol as a guard does, through an eth_call of the guard's own reading.
 * @throws if any part of its health and its markets cannot be read, or if its values are not US dollars.
 */
export async function readLoan(
  client: ChainClient,
  settings: Settings,
  protocol: Lending,
  borrower: Address,
): Promise<Loan> {
  const { loanGuard, priceSource } = settings.contracts;
  const adapter = { address: protocol.adapter, abi: lendingMarketAbi } as const;
  const held = await readerOf(protocol).held(client, protocol, borrower);
  const tokens = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: held.map(({ market }) => ({ ...adapter, functionName: 'repayToken', args: [market] }) as const),
  });
  const markets = await Promise.all(
    held.map(async ({ market, supplied }, at): Promise<LoanMarket> => {
      const token = tokens[at] as Address;
      const listed = assetAt(settings, token);
      const erc20 = { abi: erc20Abi, address: token } as const;
      const [debt, numeraire, walletBalance, allowance, symbol, decimals] = await client.multicall({
        ...inOneCall,
        allowFailure: false,
        contracts: [
          { ...adapter, functionName: 'storedDebt', args: [borrower, market] },
          { ...adapter, functionName: 'numeraire', args: [market] },
          { ...erc20, functionName: 'balanceOf', args: [borrower] },
          { ...erc20, functionName: 'allowance', args: [borrower, loanGuard] },
          { ...erc20, functionName: 'symbol' },
          { ...erc20, functionName: 'decimals' },
        ],
      });
      // Everything below is printed in dollars.
      if (numeraire !== zeroAddress) throw new Error(`${protocol.name} does not count in US dollars`);
      const name = listed?.symbol ?? symbol;
      return { market, token, symbol: name, decimals, debt, supplied, walletBalance, allowance };
    }),
  );
  const owed = markets.filter(({ debt }) => debt > 0n);
  const asked = owed.length > 0 ? owed : markets.slice(0, 1);
  const [positions, forcedMarkets, chainlinkUsdWad, parts] = await Promise.all([
    Promise.all(
      asked.map(({ market }) =>
        client.simulateContract({
          ...adapter,
          functionName: 'accrueAndRead',
          args: [borrower, market],
          account: borrower,
        }),
      ),
    ),
    readOrUndefined(client.readContract({ ...adapter, functionName: 'forcedMarkets', args: [borrower] })),
    readOrUndefined(
      client.readContract({
        ...adapter,
        functionName: 'weightedCollateralBy',
        args: [priceSource, borrower, asked[0]?.market ?? zeroHash],
      }),
    ),
    readOrUndefined(readerOf(protocol).parts(client, protocol, borrower, markets)),
  ]);
  const [first] = positions;
  const debtUsdWad = first?.result.debtValue ?? 0n;
  const weightedUsdWad = first?.result.weightedCollateralValue ?? 0n;
  return {
    protocol,
    borrower,
    markets,
    debtUsdWad,
    weightedUsdWad,
    forcedMarkets,
    healthWad: healthWadOf(weightedUsdWad, debtUsdWad),
    chainlinkHealthWad: chainlinkUsdWad === undefined ? undefined : healthWadOf(chainlinkUsdWad, debtUsdWad),
    prices: Object.fromEntries(
      asked.map(({ market }, at) => [market.toLowerCase(), positions[at]?.result.repayTokenPriceWad ?? 0n]),
    ),
    parts,
  };
}

const readOrUndefined = <Value>(reading: Promise<Value>): Promise<Value | undefined> => reading.catch(() => undefined);
