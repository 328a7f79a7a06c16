import type { QuotedAsset } from '../../wire.ts';
import type { Asset } from '../api/settings.ts';
import type { Balances } from '../chain/read-balances.ts';
import { usd, valueUsdWad } from '../words/amounts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';

type Total = ReturnType<typeof totalUsdWad>;

/** In words: what has no price is worth something as well. */
export function totalWords(total: Total | undefined): string {
  if (total?.usdWad === undefined) return '—';
  return total.unpriced.length > 0 ? portfolioWords.atLeast(usd(total.usdWad)) : usd(total.usdWad);
}

/**
 * Total value of the holdings that have a price, rounded down; holdings without a price are named. Without any price the
 * value is undefined: it is not zero.
 */
export function totalUsdWad(assets: readonly Asset[], balances: Balances, quoted: readonly QuotedAsset[]) {
  let usdWad: bigint | undefined;
  const unpriced: string[] = [];
  for (const { symbol, decimals } of assets) {
    const balance = balances.of[symbol] ?? 0n;
    const price = quoted.find((each) => each.symbol === symbol)?.price_usd ?? undefined;
    if (balance === 0n) continue;
    if (price === undefined) unpriced.push(symbol);
    else usdWad = (usdWad ?? 0n) + valueUsdWad(balance, decimals, price);
  }
  // Nothing held is worth nothing, whatever the prices are.
  return { usdWad: unpriced.length === 0 ? (usdWad ?? 0n) : usdWad, unpriced };
}
