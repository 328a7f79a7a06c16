import { formatUnits, parseUnits } from 'viem';
import { useAccount } from 'wagmi';
import { useConfig } from '../config.tsx';
import { usd } from '../format.ts';
import { Failed, Skeleton } from '../parts/States.tsx';
import { useBalances } from '../useBalances.ts';
import { useQuotes } from '../useQuotes.ts';
import { AssetRow } from './AssetRow.tsx';

export function Portfolio() {
  const { assets } = useConfig();
  const { address } = useAccount();
  const quotes = useQuotes();
  const balances = useBalances(address);
  const quoteOf = (symbol: string) => quotes.data?.assets.find((quote) => quote.symbol === symbol);

  /** US dollars with 18 decimals. */
  const worth = (symbol: string, decimals: number): bigint | undefined => {
    const [held, price] = [balances.data?.[symbol], quoteOf(symbol)?.price_usd];
    if (held === undefined || price === undefined || price === null) return undefined;
    return (held * parseUnits(price, 18)) / 10n ** BigInt(decimals);
  };
  const worths = assets.map(({ symbol, decimals }) => worth(symbol, decimals));
  const total = worths.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n);

  return (
    <section aria-labelledby="portfolio-title">
      <div className="section-head">
        <div>
          <h1 id="portfolio-title">Portfolio</h1>
          <p className="lead">What you hold, what it is worth, and whether its price is fair right now.</p>
        </div>
        {address !== undefined && balances.data !== undefined && quotes.data !== undefined && (
          <p className="total num">
            <span className="muted">In all</span> {usd(formatUnits(total, 18))}
          </p>
        )}
      </div>
      {address === undefined && (
        <p className="notice">Connect a wallet to see your balances. Prices and verdicts are everybody’s.</p>
      )}
      {quotes.isPending && <Skeleton rows={assets.length} />}
      {quotes.isError && <Failed what="The prices" again={quotes.refetch} />}
      {quotes.data !== undefined && (
        <ul className="assets card">
          {assets.map((asset, at) => (
            <AssetRow
              key={asset.symbol}
              asset={asset}
              quote={quoteOf(asset.symbol)}
              held={balances.data?.[asset.symbol]}
              worthUsdWad={worths[at]}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
