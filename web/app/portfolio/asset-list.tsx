import { deviationBpsUp, worthUsdWadDown } from '@bowline/core/domain/units';
import { percent } from '@bowline/core/texts/amounts';
import { useState } from 'react';
import { parseUnits } from 'viem';
import type { QuotedAsset } from '../../wire.ts';
import type { Moment } from '../api/age.ts';
import { isAnswerOld, isReadingOld, isVerdictOld } from '../api/freshness.ts';
import type { useQuote } from '../api/quote.ts';
import { type Asset, buyable } from '../api/settings.ts';
import { BNB, wrappedOf } from '../chain/bnb.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { AssetMark } from '../parts/asset-mark.tsx';
import { Findings, LargestGo } from '../parts/findings.tsx';
import { Folded } from '../parts/folded.tsx';
import { PriceChart, trendOf } from '../parts/price-chart.tsx';
import { OldVerdict, VerdictBadge } from '../parts/verdict-badge.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount, usd } from '../words/amounts.ts';
import { inWords } from '../words/core-words.ts';
import { verdictWords } from '../words/en/parts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { asOfTime } from '../words/times.ts';
import { AssetChart } from './asset-chart.tsx';
import type { Worth } from './read-worth.ts';

interface Props {
  readonly worth: Worth;
  readonly native: bigint | undefined;
  readonly quote: ReturnType<typeof useQuote>['data'];
  readonly now: Moment;
}

/** Every listed asset; those that the account does not hold are folded away. */
export function AssetList({ worth: { prices, wallet }, native, quote, now }: Props) {
  const { assets } = useSettings();
  const chainTime = useChainTime();
  const wrapped = wrappedOf(assets);
  const row = (asset: Asset, balance: bigint | undefined, name?: string) => {
    const quoted = quote?.assets.find(({ symbol }) => symbol === asset.symbol);
    // BNB itself gets no verdict, and neither does a stablecoin bought with another.
    const isJudged = name === undefined && buyable(assets).includes(asset);
    const element = (
      <AssetRow
        key={name ?? asset.symbol}
        {...{ asset, balance, name }}
        quoted={quoted && (isJudged ? quoted : { ...quoted, judged: null, unavailable: [] })}
        usdWad={prices.data?.of[asset.symbol]}
        asOf={quote ? asOfTime(quote.asOf.wall) : ''}
        isQuoteOld={quote !== undefined && isAnswerOld(quote, now)}
        isPriceOld={isReadingOld(prices.data, now)}
        isBalanceOld={isReadingOld(wallet?.data, now)}
        isVerdictOld={quote && quoted?.judged ? isVerdictOld(quoted.judged, quote, now, chainTime) : false}
      />
    );
    return { balance, element };
  };
  const rows = [
    ...(wrapped && native !== undefined ? [row(wrapped, native, BNB.symbol)] : []),
    ...assets.map((asset) => row(asset, wallet?.data?.of[asset.symbol])),
  ];
  const unheld = rows.filter(({ balance }) => balance === 0n);
  const list = (of: typeof rows) =>
    of.length > 0 && (
      <ul className="assets" aria-label={portfolioWords.assets}>
        {of.map(({ element }) => element)}
      </ul>
    );
  return (
    <>
      {list(rows.filter((each) => !unheld.includes(each)))}
      {unheld.length > 0 && <Folded summary={portfolioWords.unheld(unheld.length)}>{list(unheld)}</Folded>}
    </>
  );
}

/** Tolerated difference: the server reads the same Chainlink price seconds earlier or later. */
const DIFFERS_BPS = 10n;

interface RowProps {
  readonly asset: Asset;
  /** Absent: the asset's own name. */
  readonly name?: string | undefined;
  readonly quoted: QuotedAsset | undefined;
  /** Chainlink's price; undefined if there is no current one. */
  readonly usdWad: bigint | undefined;
  /** Absent if no account is connected, or while it is unknown. */
  readonly balance: bigint | undefined;
  /** Time of the server's answer, by the user's clock. */
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

function AssetRow(props: RowProps) {
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

/** Chainlink's price. The server's is shown next to it only if it differs. */
function PriceCell({ quoted, usdWad, asOf, isQuoteOld, isPriceOld }: RowProps) {
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

/** The verdict, or why there is none; nothing if none was requested. */
function VerdictCell({ asset, quoted, asOf, isVerdictOld, isOpen, press }: RowProps & Pressed) {
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
