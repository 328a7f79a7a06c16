import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { healthWadOf, loanValues } from '@bowline/core/domain/loan-health';
import type { Position } from '@bowline/core/domain/loan-part';
import type { Address, Hex } from '@bowline/core/domain/units';
import { zeroAddress, zeroHash } from 'viem';
import { lendingMarketAbi } from '../../../abis/index.ts';
import { inOneCall, type Reads, readOrUndefined } from '../reads.ts';
import type { Held, Protocol } from './reader.ts';
import { readerOf } from './readers.ts';

/** A borrower's account as an adapter reads it, by one of the protocol's markets. */
export interface Account {
  readonly adapter: Address;
  readonly borrower: Address;
  /** As the adapter names it. Interest accrues in this market before the account is read. */
  readonly market: Hex;
}

/** A market in which an account has collateral or debt. */
export interface LoanMarket {
  readonly market: Hex;
  readonly token: Address;
  /** Base units of the token, as the protocol last stored them. */
  readonly debt: bigint;
  readonly supplied: bigint;
}

/** LoanGuard's own read before a rescue, simulated instead of mined. */
export const positionCall = ({ adapter: address, borrower, market }: Account) =>
  ({ address, abi: lendingMarketAbi, functionName: 'accrueAndRead', args: [borrower, market] }) as const;

export const readPosition = async (client: Reads, account: Account) =>
  (await client.simulateContract(positionCall(account))).result;

/** Undefined if it cannot be read: the loan's health does not depend on it. */
export const readForced = (client: Reads, { adapter: address, borrower }: Pick<Account, 'adapter' | 'borrower'>) =>
  readOrUndefined(
    client.readContract({ address, abi: lendingMarketAbi, functionName: 'forcedMarkets', args: [borrower] }),
  );

/** The collateral at a source's prices. */
export const weightedCall = ({ adapter: address, borrower, market }: Account, source: Address) =>
  ({ address, abi: lendingMarketAbi, functionName: 'weightedCollateralBy', args: [source, borrower, market] }) as const;

/** Undefined if it cannot be read. */
export const readWeightedBy = (client: Reads, account: Account, source: Address) =>
  readOrUndefined(client.readContract(weightedCall(account, source)));

/** Whether an adapter's values are US dollars: only those are printed. */
export const countsInDollars = (numeraire: Address): boolean => numeraire === zeroAddress;

/**
 * The markets of a borrower's account, by the protocol's reader.
 * @throws if they cannot be read, if there is no reader, or if their values are not US dollars.
 */
export async function readMarkets(
  client: Reads,
  protocol: Protocol,
  borrower: Address,
): Promise<readonly LoanMarket[]> {
  const reader = readerOf(protocol);
  if (reader === undefined) throw new Error(`${protocol.name} has no reader.`);
  const held = await reader.held(client, protocol, borrower);
  return Promise.all(held.map((each) => readMarket(client, protocol, borrower, each)));
}

async function readMarket(
  client: Reads,
  protocol: Protocol,
  borrower: Address,
  { market, supplied, collateral }: Held,
): Promise<LoanMarket> {
  if (collateral !== undefined) return { market, token: collateral, debt: 0n, supplied };
  const adapter = { address: protocol.adapter, abi: lendingMarketAbi } as const;
  const [token, debt, numeraire] = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: [
      { ...adapter, functionName: 'repayToken', args: [market] },
      { ...adapter, functionName: 'storedDebt', args: [borrower, market] },
      { ...adapter, functionName: 'numeraire', args: [market] },
    ],
  });
  if (!countsInDollars(numeraire)) throw new Error(`${protocol.name} does not value loans in US dollars.`);
  return { market, token, debt, supplied };
}

/**
 * The entries through which to read a borrower's loans, without isolated markets in which the account has nothing.
 * Takes one call per protocol of isolated markets, however many it lists.
 */
export async function usedEntries<Entry extends Protocol>(
  client: Reads,
  protocols: readonly Entry[],
  borrower: Address,
): Promise<readonly Entry[]> {
  const groups = [...Map.groupBy(protocols, (each) => readerOf(each)).entries()];
  const used = await Promise.all(
    groups.map(async ([reader, entries]) => {
      const areUsed = await reader?.used?.(client, entries, borrower);
      return areUsed === undefined ? entries : entries.filter((_, at) => areUsed[at]);
    }),
  );
  return used.flat();
}

/** What makes up collateral and debt; undefined if it cannot be read. */
const readParts = (client: Reads, protocol: Protocol, borrower: Address, markets: readonly LoanMarket[]) =>
  readOrUndefined(Promise.resolve(readerOf(protocol)?.parts(client, protocol, borrower, markets)));

/**
 * What a borrower's account in these markets is worth, as a guard reads it: through each market with debt, to get
 * each one's price. Values in US dollars.
 * @param priceSource Chainlink's: its prices value the collateral a second time.
 * @throws viem's error if the adapter cannot read the account.
 */
export async function readLoan(
  client: Reads,
  protocol: Protocol,
  borrower: Address,
  markets: readonly LoanMarket[],
  priceSource: Address,
): Promise<GuardedLoan> {
  const { adapter } = protocol;
  const owed = markets.filter(({ debt }) => debt > 0n);
  const asked = (owed.length > 0 ? owed : markets.slice(0, 1)).map(({ market }) => market);
  const [{ debts: _, ...withoutDebts }, parts] = await Promise.all([
    readIn(client, { adapter, borrower, market: asked[0] ?? zeroHash }, asked, priceSource),
    readParts(client, protocol, borrower, markets),
  ]);
  return { ...withoutDebts, protocol, markets, parts };
}

/**
 * A loan read only through an adapter, even of an unknown protocol: its health, and the debt in one market.
 * Values are in the adapter's numéraire: not to be printed as dollars, but their ratios hold.
 * @param chainlink a price source whose prices value the collateral a second time.
 * @throws viem's error if the adapter cannot read the account.
 */
export async function readByAdapter(client: Reads, account: Account, chainlink?: Address): Promise<GuardedLoan> {
  const { adapter, market } = account;
  const { debts, ...loan } = await readIn(client, account, [market], chainlink);
  return { ...loan, protocol: { adapter }, markets: [{ market, debt: debts[0] ?? 0n }], parts: undefined };
}

/** Reads an account through each of these markets. */
async function readIn(client: Reads, account: Account, markets: readonly Hex[], source: Address | undefined) {
  const [positions, forcedMarkets, weightedBySource] = await Promise.all([
    Promise.all(markets.map((market) => readPosition(client, { ...account, market }))),
    readForced(client, account),
    source && readWeightedBy(client, account, source),
  ]);
  const values = loanValues(positions[0]?.debtValue ?? 0n, positions[0]?.weightedCollateralValue ?? 0n);
  const byMarket = (of: (position: (typeof positions)[number]) => bigint) =>
    Object.fromEntries(positions.map((position, at) => [markets[at]?.toLowerCase(), of(position)]));
  return {
    ...values,
    debts: positions.map(({ marketDebt }) => marketDebt),
    chainlinkHealthWad: weightedBySource === undefined ? undefined : healthWadOf(weightedBySource, values.debtUsdWad),
    forcedMarkets,
    prices: byMarket(({ repayTokenPriceWad }) => repayTokenPriceWad),
    minDebts: byMarket(({ minDebt }) => minDebt),
  };
}

/** A loan by asset, or undefined if that cannot be read. Never throws: a loan's health does not depend on it. */
export async function readAssets(
  client: Reads,
  protocol: Protocol,
  borrower: Address,
): Promise<readonly Position[] | undefined> {
  const markets = await readOrUndefined(readMarkets(client, protocol, borrower));
  const parts = markets && (await readParts(client, protocol, borrower, markets));
  return parts?.map((part) => {
    const { market, priceWad, debtAt, weightedAt } = part;
    const { token, supplied = 0n, debt = 0n } = markets?.find((each) => each.market === market) ?? {};
    // Without a price from the protocol, the part counts at a fixed price that no token's moves change.
    const named = token !== undefined && priceWad > 0n && { token };
    return { ...part, debtWad: debtAt(priceWad), weightedWad: weightedAt(priceWad), supplied, debt, ...named };
  });
}
