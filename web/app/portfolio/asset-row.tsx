import { useState } from 'react';
import { parseUnits } from 'viem';
import type { QuotedAsset } from '../../wire.ts';
import type { Asset } from '../api/settings.ts';
import { AssetMark } from '../parts/asset-mark.tsx';
import { Findings } from '../parts/findings.tsx';
import { LargestGo } from '../parts/largest-go.tsx';
import { PriceChart } from '../parts/price-chart.tsx';
import { trendOf } from '../parts/price-scale.ts';
import { OldVerdict, VerdictBadge } from '../parts/verdict-badge.tsx';
import { shortAmount, usd, valueUsdWad } from '../words/amounts.ts';
import { inWords } from '../words/core-words.ts';
import { verdictWords } from '../words/en/parts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { AssetChart } from './asset-chart.tsx';

interface Props {
  readonly asset: Asset;
  readonly quoted: QuotedAsset | undefined;
  /** Absent if no account is connected, or while it is unknown. */
  readonly balance: bigint | undefined;
  /** Time of price and verdict, by the reader's clock. */
  readonly asOf: string;
  readonly isPriceOld: boolean;
  readonly isBalanceOld: boolean;
  readonly isVerdictOld: boolean;
}

export function AssetRow({ asset, quoted, balance, asOf, isPriceOld, isBalanceOld, isVerdictOld }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isChartOpen, setChartOpen] = useState(false);
  const history = quoted?.history ?? [];
  const hasHistory = history.length > 1;
  const price = quoted?.price_usd ?? undefined;
  const missing = quoted?.unavailable.at(-1);
  const ruling = quoted?.judged ?? undefined;
  return (
    <li className="asset">
      <div className="row">
        <AssetMark symbol={asset.symbol} />
        <div>
          <h2>{asset.symbol}</h2>
          <p className="faint">{asset.name}</p>
        </div>
      </div>
      <div className="asset-price">
        <p className={isPriceOld ? 'number old' : 'number'}>{price === undefined ? '—' : usd(parseUnits(price, 18))}</p>
        {isPriceOld ? (
          <p className="faint">{verdictWords.asOf(asOf)}</p>
        ) : (
          <Change percent={quoted?.change_24h_percent ?? undefined} />
        )}
      </div>
      <div className="asset-chart">
        {hasHistory ? (
          <button
            type="button"
            aria-expanded={isChartOpen}
            aria-label={portfolioWords.chartOf(asset.symbol)}
            onClick={() => setChartOpen(!isChartOpen)}
          >
            <PriceChart
              history={history}
              label={portfolioWords.lastDay(asset.symbol)}
              trend={trendOf(quoted?.change_24h_percent ?? undefined)}
            />
          </button>
        ) : (
          <span className="faint">{portfolioWords.noHistoryShort}</span>
        )}
      </div>
      <div className="asset-held">
        {balance !== undefined && (
          <>
            <p className={isBalanceOld ? 'number old' : 'number'}>{shortAmount(balance, asset.decimals)}</p>
            <p className={isBalanceOld || isPriceOld ? 'faint number old' : 'faint number'}>
              {price === undefined ? portfolioWords.noPrice : usd(valueUsdWad(balance, asset.decimals, price))}
            </p>
          </>
        )}
      </div>
      <div className="asset-verdict">
        {ruling && isVerdictOld && <OldVerdict asOf={asOf} />}
        {ruling && !isVerdictOld && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={portfolioWords.verdictOn(asset.symbol, `${verdictWords[ruling.verdict]} ${ruling.verdict}`)}
            onClick={() => setOpen(!isOpen)}
          >
            <VerdictBadge verdict={ruling.verdict} />
          </button>
        )}
        {!ruling && (
          <span className="faint">
            {missing ? portfolioWords.noVerdictFor(inWords(missing)) : portfolioWords.noVerdict}
          </span>
        )}
      </div>
      {isChartOpen && (
        <AssetChart asset={asset} history={history} price={price} ruling={isVerdictOld ? undefined : ruling} />
      )}
      {ruling && isOpen && !isVerdictOld && (
        <div className="asset-findings stack">
          <p>
            {ruling.reason === null
              ? portfolioWords.passes(asset.symbol)
              : portfolioWords.fails(asset.symbol, inWords(ruling.reason))}
          </p>
          <LargestGo ruling={ruling} />
          <Findings ruling={ruling} />
        </div>
      )}
    </li>
  );
}

/** The change over 24 hours; the arrow carries the meaning, and the colour repeats it. */
function Change({ percent }: { readonly percent: string | undefined }) {
  if (percent === undefined) return <p className="faint">{portfolioWords.changeUnknown}</p>;
  const isDown = percent.startsWith('-');
  const [whole = '0', fraction = ''] = percent.replace('-', '').split('.');
  return (
    <p className={`change ${trendOf(percent)}`}>
      <span aria-hidden="true">{isDown ? '▾' : '▴'}</span>
      <span className="unseen">{isDown ? portfolioWords.down : portfolioWords.up}</span> {whole}.
      {fraction.slice(0, 2).padEnd(2, '0')} %<span className="faint">{portfolioWords.lastHours}</span>
    </p>
  );
}
