import { mulDivDown, mulDivUp, WAD, worthUsdWadDown } from '@bowline/core/domain/units';
import { type Asset, assetAt, type Settings } from '../api/settings.ts';
import { BNB, wrappedOf } from '../chain/bnb.ts';
import type { Loan } from '../chain/read-loan.ts';
import { usd } from '../words/amounts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import type { Worth } from './read-worth.ts';

/** What an account holds, supplies or owes of one token. US dollars with 18 decimals, rounded against the account. */
interface Item {
  readonly symbol: string;
  readonly side: 'held' | 'supplied' | 'owed';
  /** Undefined if it has no price, or could not be read. */
  readonly usdWad: bigint | undefined;
  /** The protocol's own name. */
  readonly protocol?: string;
}

export interface NetWorth {
  /** Undefined if the part left out may be a debt, or is everything. */
  readonly usdWad: bigint | undefined;
  /** Undefined if it was never read, or if nothing in it has a price. */
  readonly walletUsdWad: bigint | undefined;
  /** Each protocol in which the account has anything, without tokens that have no price. */
  readonly protocols: readonly {
    readonly name: string;
    readonly suppliedUsdWad: bigint;
    readonly owedUsdWad: bigint;
  }[];
  /** Symbols of tokens without a price, and names of parts that could not be read. */
  readonly leftOut: readonly string[];
}

type Read = Pick<Worth, 'prices' | 'wallet' | 'loans'> & {
  /** BNB itself, in wei; undefined if it is not known. */
  readonly native: bigint | undefined;
};

/** What an account is worth: its wallet including BNB, plus what it has supplied, minus what it owes. */
export function netWorth(read: Read, settings: Settings): NetWorth {
  const priceOf = (asset: Asset | undefined) => asset && read.prices.data?.of[asset.symbol];
  const isWalletRead = read.wallet?.data !== undefined;
  const held = isWalletRead ? heldItems(read, settings, priceOf) : [];
  const lent = read.loans.flatMap(({ data }) => (data === undefined ? [] : loanItems(data, settings, priceOf)));
  const unread = settings.lending.filter((_, at) => read.loans[at]?.data === undefined);
  const missing = [...held, ...lent].filter(({ usdWad }) => usdWad === undefined);
  const isNothingPriced = held.length > 0 && held.every(({ usdWad }) => usdWad === undefined);
  const walletUsdWad = !isWalletRead || isNothingPriced ? undefined : sumOf(held, 'held');
  const mayOweMore = unread.length > 0 || missing.some(({ side }) => side === 'owed');
  const names = [
    ...(isWalletRead ? [] : [portfolioWords.wallet]),
    ...missing.map(({ symbol }) => symbol),
    ...unread.map(({ name }) => name),
  ];
  const lentUsdWad = sumOf(lent, 'supplied') - sumOf(lent, 'owed');
  return {
    usdWad: walletUsdWad === undefined || mayOweMore ? undefined : walletUsdWad + lentUsdWad,
    walletUsdWad,
    protocols: [...Map.groupBy(lent, ({ protocol = '' }) => protocol)].map(([name, items]) => {
      return { name, suppliedUsdWad: sumOf(items, 'supplied'), owedUsdWad: sumOf(items, 'owed') };
    }),
    leftOut: [...new Set(names)],
  };
}

/** In words: "at least" if something is left out, which cannot be a debt but has value too. */
export function netWords(net: NetWorth | undefined): string {
  if (net?.usdWad === undefined) return '—';
  return net.leftOut.length > 0 ? portfolioWords.atLeast(usd(net.usdWad)) : usd(net.usdWad);
}

type PriceOf = (asset: Asset | undefined) => bigint | undefined;

const sumOf = (items: readonly Item[], side: Item['side']): bigint =>
  items.reduce((sum, each) => (each.side === side ? sum + (each.usdWad ?? 0n) : sum), 0n);

function heldItems({ wallet, native }: Read, { assets }: Settings, priceOf: PriceOf): readonly Item[] {
  const item = (symbol: string, balance: bigint | undefined, asset: Asset | undefined): readonly Item[] => {
    if (balance === 0n) return [];
    const usdWad = balance && worthUsdWadDown(balance, priceOf(asset), asset?.decimals ?? 18);
    return [{ symbol, side: 'held', usdWad }];
  };
  const of = wallet?.data?.of ?? {};
  return [
    ...item(BNB.symbol, native, wrappedOf(assets)),
    ...assets.flatMap((each) => item(each.symbol, of[each.symbol], each)),
  ];
}

/** A token that no listed feed prices counts at the protocol's own price. */
function loanItems({ protocol, markets, parts }: Loan, settings: Settings, priceOf: PriceOf): readonly Item[] {
  return markets.flatMap(({ market, token, symbol, decimals, supplied, debt }) => {
    const part = parts?.find((each) => each.market === market);
    const price = priceOf(assetAt(settings, token));
    const own = part && part.priceWad > 0n ? mulDivDown(supplied, part.priceWad, WAD) : undefined;
    const owed = price && mulDivUp(debt, price, 10n ** BigInt(decimals));
    const of = { symbol, protocol: protocol.family ?? protocol.name };
    const items: readonly Item[] = [
      { ...of, side: 'supplied', usdWad: worthUsdWadDown(supplied, price, decimals) ?? own },
      // A debt is never worth zero: a zero means that its price is unknown.
      { ...of, side: 'owed', usdWad: owed ?? (part?.debtAt(part.priceWad) || undefined) },
    ];
    return items.filter(({ side }) => (side === 'owed' ? debt : supplied) > 0n);
  });
}
