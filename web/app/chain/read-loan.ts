import { type Address, type Hex, type PublicClient, pad, zeroAddress, zeroHash } from 'viem';
import { venusMarketAbi } from '../../../abis/index.ts';
import { assetAt, type Settings } from '../api/settings.ts';
import { comptrollerAbi, erc20Abi, vTokenAbi } from './abis.ts';
import { inOneCall } from './client.ts';

export interface LoanMarket {
  /** The address of a vToken or of the VAI controller, in 32 bytes. */
  readonly market: Hex;
  readonly token: Address;
  readonly symbol: string;
  readonly decimals: number;
  /** Base units of the token, as Venus last stored them. */
  readonly debt: bigint;
  readonly supplied: bigint;
  readonly walletBalance: bigint;
  readonly allowance: bigint;
}

export interface Loan {
  readonly markets: readonly LoanMarket[];
  /** USD with 18 decimals. */
  readonly debtUsdWad: bigint;
  readonly weightedUsdWad: bigint;
  /** Absent if there is no debt. */
  readonly healthWad: bigint | undefined;
  /** The same with the collateral at Chainlink's prices; undefined without debt, or if it could not be read. */
  readonly chainlinkHealthWad: bigint | undefined;
  /** Markets whose debt the protocol lets anyone liquidate at any health; undefined if that could not be read. */
  readonly forcedMarkets: readonly Hex[] | undefined;
  /** USD price of 1e18 base units, by market in lower case, for the markets with debt. */
  readonly prices: Readonly<Record<string, bigint>>;
}

const WAD = 10n ** 18n;

/**
 * Reads a borrower's Venus account as the guard does, through an eth_call of the guard's own reading.
 * @throws if any part of its health and its markets cannot be read.
 */
export async function readLoan(client: PublicClient, settings: Settings, borrower: Address): Promise<Loan> {
  const { comptroller, venusMarket, loanGuard, priceSource } = settings.contracts;
  const adapter = { address: venusMarket, abi: venusMarketAbi } as const;
  const venus = { address: comptroller, abi: comptrollerAbi } as const;
  const [entered, vaiController] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      { ...venus, functionName: 'getAssetsIn', args: [borrower] },
      { ...venus, functionName: 'vaiController' },
    ],
  });
  const vTokens = entered.map((vToken) => ({ market: pad(vToken), vToken }));
  // Debt in VAI is not in any market that an account can enter.
  const vaiDebt =
    vaiController === zeroAddress
      ? 0n
      : await client.readContract({ ...adapter, functionName: 'storedDebt', args: [borrower, pad(vaiController)] });
  const held = vaiDebt > 0n ? [...vTokens, { market: pad(vaiController), vToken: undefined }] : vTokens;
  const tokens = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: held.map(({ market }) => ({ ...adapter, functionName: 'repayToken', args: [market] }) as const),
  });
  const markets = await Promise.all(
    held.map(async ({ market, vToken }, at): Promise<LoanMarket> => {
      const token = tokens[at] as Address;
      const listed = assetAt(settings, token);
      const erc20 = { abi: erc20Abi, address: token } as const;
      const supplied = vToken === undefined ? 0n : await suppliedTo(client, vToken, borrower);
      const [debt, walletBalance, allowance, symbol, decimals] = await client.multicall({
        ...inOneCall,
        allowFailure: false,
        contracts: [
          { ...adapter, functionName: 'storedDebt', args: [borrower, market] },
          { ...erc20, functionName: 'balanceOf', args: [borrower] },
          { ...erc20, functionName: 'allowance', args: [borrower, loanGuard] },
          { ...erc20, functionName: 'symbol' },
          { ...erc20, functionName: 'decimals' },
        ],
      });
      const name = listed?.symbol ?? symbol;
      return { market, token, symbol: name, decimals, debt, supplied, walletBalance, allowance };
    }),
  );
  const owed = markets.filter(({ debt }) => debt > 0n);
  const asked = owed.length > 0 ? owed : markets.slice(0, 1);
  const [positions, forcedMarkets, chainlinkUsdWad] = await Promise.all([
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
  ]);
  const [first] = positions;
  const debtUsdWad = first?.result.debtValue ?? 0n;
  const weightedUsdWad = first?.result.weightedCollateralValue ?? 0n;
  return {
    markets,
    debtUsdWad,
    weightedUsdWad,
    forcedMarkets,
    healthWad: debtUsdWad === 0n ? undefined : (weightedUsdWad * WAD) / debtUsdWad,
    chainlinkHealthWad:
      debtUsdWad === 0n || chainlinkUsdWad === undefined ? undefined : (chainlinkUsdWad * WAD) / debtUsdWad,
    prices: Object.fromEntries(
      asked.map(({ market }, at) => [market.toLowerCase(), positions[at]?.result.repayTokenPriceWad ?? 0n]),
    ),
  };
}

const readOrUndefined = <Value>(reading: Promise<Value>): Promise<Value | undefined> => reading.catch(() => undefined);

/** Base units of the market's token. */
async function suppliedTo(client: PublicClient, vToken: Address, account: Address): Promise<bigint> {
  const of = { abi: vTokenAbi, address: vToken } as const;
  const [shares, rate] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      { ...of, functionName: 'balanceOf', args: [account] },
      { ...of, functionName: 'exchangeRateStored' },
    ],
  });
  return (shares * rate) / WAD;
}
