import type { QuotedAsset } from '../../wire.ts';
import type { Asset } from '../api/settings.ts';
import type { Balances } from '../chain/read-balances.ts';
import { valueUsdWad } from '../words/amounts.ts';

/** Total value of the holdings that have a price, rounded down; holdings without a price are named. */
export function totalUsdWad(assets: readonly Asset[], balances: Balances, quoted: readonly QuotedAsset[]) {
  let usdWad = 0n;
  const unpriced: string[] = [];
  for (const { symbol, decimals } of assets) {
    const balance = balances.of[symbol] ?? 0n;
    const price = quoted.find((each) => each.symbol === symbol)?.price_usd ?? undefined;
    if (balance === 0n) continue;
    if (price === undefined) unpriced.push(symbol);
    else usdWad += valueUsdWad(balance, decimals, price);
  }
  return { usdWad, unpriced };
}
