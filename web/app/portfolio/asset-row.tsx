import { deviationBpsUp, worthUsdWadDown } from '@bowline/core/domain/units';
import { percent } from '@bowline/core/texts/amounts';
import { useState } from 'react';
import { parseUnits } from 'viem';
import type { QuotedAsset } from '../../wire.ts';
import type { Asset } from '../api/settings.ts';
import { AssetMark } from '../parts/asset-mark.tsx';
import { Findings, LargestGo } from '../parts/findings.tsx';
import { PriceChart, trendOf } from '../parts/price-chart.tsx';
import { OldVerdict, VerdictBadge } from '../parts/verdict-badge.tsx';
import { shortAmount, usd } from '../words/amounts.ts';
import { inWords } from '../words/core-words.ts';
import { verdictWords } from '../words/en/parts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { AssetChart } from './asset-chart.tsx';

/** The server has Chainlink's price too, asked for seconds before or after. */
const DIFFERS_BPS = 10n;

interface Props {
  readonly asset: Asset;
  /** Absent: the asset's own. */
  readonly name?: string | undefined;
  readonly quoted: QuotedAsset | undefined;
  /** Chainlink's price; undefined if there is none of now. */
  readonly usdWad: bigint | undefined;
  /** Absent if no account is connected, or while it is unknown. */
  readonly balance: bigint | undefined;
  /** Time of the server's answer, by the reader's clock. */
  readonly asOf: string;
  readonly isQuoteOld: boolean;
  readonly isPriceOld: boolean;
  readonly isBalanceOld: boolean;
  readonly isVerdictOld: boolean;
}

interface Pressed {
  readonly isOpen: boolean;
  readonly press: () => void;
}

export function AssetRow(props: Props) {
  const { asset, name = asset.symbol, quoted, usdWad, balance, isPriceOld, isBalanceOld, isVerdictOld } = props;
  const [isOpen, setOpen] = useState(false);
  const [isChartOpen, setChartOpen] = useState(false);
  const ruling = isVerdictOld ? undefined : (quoted?.judged ?? undefined);
  const worth = balance !== undefined ? worthUsdWadDown(balance, usdWad, asset.decimals) : undefined;
  return (
    <li className="asset">
      <div className="row">
        <AssetMark symbol={asset.symbol} />
        <div>
          <h2>{name}</h2>
          <p className="faint">{name === asset.symbol ? asset.name : portfolioWords.native}</p>
        </div>
      </div>
      <PriceCell {...props} />
      <div className="asset-chart">
        {quoted && quoted.history.length > 1 && (
          <button
            type="button"
            aria-expanded={isChartOpen}
            aria-label={portfolioWords.chartOf(name)}
            onClick={() => setChartOpen(!isChartOpen)}
          >
            <PriceChart
              history={quoted.history}
              label={portfolioWords.lastDay(name)}
              trend={trendOf(quoted.change_24h_percent ?? undefined)}
            />
          </button>
        )}
      </div>
      <div className="asset-held">
        {balance !== undefined && (
          <>
            <p className={isBalanceOld ? 'number old' : 'number'}>{shortAmount(balance, asset.decimals)}</p>
            <p className={isBalanceOld || isPriceOld ? 'faint number old' : 'faint number'}>
              {worth === undefined ? portfolioWords.noPrice : usd(worth)}
            </p>
          </>
        )}
      </div>
      <VerdictCell {...props} {...{ isOpen }} press={() => setOpen(!isOpen)} />
      {isChartOpen && <AssetChart {...{ asset, usdWad, ruling }} history={quoted?.history ?? []} />}
      {ruling && isOpen && (
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

/** Chainlink's price. The server's stands beside it only where it is another one. */
function PriceCell({ quoted, usdWad, asOf, isQuoteOld, isPriceOld }: Props) {
  const told = quoted?.price_usd && !isQuoteOld && !isPriceOld ? parseUnits(quoted.price_usd, 18) : undefined;
  const apartBps = usdWad !== undefined && told !== undefined ? deviationBpsUp(told, usdWad) : undefined;
  return (
    <div className="asset-price">
      <p className={isPriceOld ? 'number old' : 'number'}>{usdWad === undefined ? '—' : usd(usdWad)}</p>
      {told !== undefined && (apartBps === undefined || apartBps >= DIFFERS_BPS) && (
        <p className="tone caution">
          {portfolioWords.told(usd(told), apartBps === undefined ? undefined : percent(apartBps))}
        </p>
      )}
      {isQuoteOld ? (
        <p className="faint">{verdictWords.asOf(asOf)}</p>
      ) : (
        <Change percent={quoted?.change_24h_percent ?? undefined} />
      )}
    </div>
  );
}

/** The verdict, why there is none, or nothing where none was asked for. */
function VerdictCell({ asset, quoted, asOf, isVerdictOld, isOpen, press }: Props & Pressed) {
  const { judged, unavailable = [] } = quoted ?? {};
  const missing = unavailable.at(-1);
  return (
    <div className="asset-verdict">
      {judged && isVerdictOld && <OldVerdict asOf={asOf} />}
      {judged && !isVerdictOld && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={portfolioWords.verdictOn(asset.symbol, `${verdictWords[judged.verdict]} ${judged.verdict}`)}
          onClick={press}
        >
          <VerdictBadge verdict={judged.verdict} />
        </button>
      )}
      {!judged && missing && <span className="faint">{portfolioWords.noVerdictFor(inWords(missing))}</span>}
    </div>
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
