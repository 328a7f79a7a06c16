import { formatUnits } from 'viem';
import type { QuoteAnswer } from '../../../wire.ts';
import type { ListedAsset } from '../config.tsx';
import { amount, usd } from '../format.ts';
import { Sparkline } from '../parts/Sparkline.tsx';
import { Badge, Findings } from '../parts/Verdict.tsx';
import { inWords } from '../words.ts';

interface AssetRowProps {
  readonly asset: ListedAsset;
  readonly quote: QuoteAnswer['assets'][number] | undefined;
  readonly held: bigint | undefined;
  readonly worthUsdWad: bigint | undefined;
}

/** One asset; opened, it shows every check of its verdict. */
export function AssetRow({ asset: { symbol, name, decimals }, quote, held, worthUsdWad }: AssetRowProps) {
  const change = quote?.change_24h_percent ?? null;
  const judged = quote?.judged ?? null;
  return (
    <li>
      <details>
        <summary className="asset">
          <span className="asset-name">
            <strong>{symbol}</strong>
            <span className="muted">{name}</span>
          </span>
          <span className="asset-chart">
            <Sparkline history={quote?.history ?? []} label={`${symbol} over the last 24 hours`} />
          </span>
          <span className="asset-price num">
            {quote?.price_usd == null ? <span className="muted">no price</span> : usd(quote.price_usd)}
            {change !== null && (
              <span className={change.startsWith('-') ? 'down' : 'up'}>
                {change.startsWith('-') ? '' : '+'}
                {change} %
              </span>
            )}
          </span>
          <span className="asset-held num">
            {held === undefined ? (
              <span className="muted">–</span>
            ) : (
              <>
                {worthUsdWad === undefined ? '' : usd(formatUnits(worthUsdWad, 18))}
                <span className="muted">
                  {amount(held, decimals)} {symbol}
                </span>
              </>
            )}
          </span>
          <span className="asset-verdict">
            {judged === null ? <span className="badge no_data">No verdict</span> : <Badge verdict={judged.verdict} />}
          </span>
        </summary>
        <div className="asset-more">
          {judged === null ? (
            <p>{(quote?.unavailable ?? []).map(inWords).join(' ') || 'There is no verdict just now.'}</p>
          ) : (
            <>
              <p className="muted">Judged for buying $100 of it now.</p>
              <Findings findings={judged.findings} />
            </>
          )}
        </div>
      </details>
    </li>
  );
}
