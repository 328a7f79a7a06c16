import { smallest } from '@bowline/core/domain/units';
import { Suspense, useState } from 'react';
import { parseUnits } from 'viem';
import type { QuotedAsset, Ruling } from '../../wire.ts';
import { useYear } from '../api/quote.ts';
import type { Asset } from '../api/settings.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useOverview } from '../chain/use-overview.ts';
import { Choice } from '../parts/choice.tsx';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { useSettings } from '../settings.tsx';
import { useOwner } from '../wallet/use-owner.ts';
import { usd } from '../words/amounts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { bandWords, fairBand, marksWords, ownMarks, whyEmpty } from './chart-facts.ts';

/** uPlot is loaded when the first chart is opened. */
const { Part: Plot } = lazyPart(async () => (await import('./plot.tsx')).Plot);

interface Props {
  readonly asset: Asset;
  readonly history: QuotedAsset['history'];
  /** Chainlink's price now. */
  readonly usdWad: bigint | undefined;
  /** The ruling of the current verdict; undefined if there is none. */
  readonly ruling: Ruling | undefined;
}

/** In hours. Ranges of up to a day use hourly closes, longer ones daily closes. */
const ranges = ['6', '24', '720', '8760'] as const;

/** Price, fair band, and the account's own trades and skips over the last hours, month or year. */
export function AssetChart({ asset, history, usdWad, ruling }: Props) {
  const settings = useSettings();
  const { owner } = useOwner();
  const now = useChainTime();
  const [hours, setHours] = useState<(typeof ranges)[number]>('24');
  const overview = useOverview(owner, { every: 60_000 });
  const isDaily = Number(hours) > 24;
  const year = useYear(isDaily ? asset.symbol : undefined);
  const closes = isDaily ? (year.data?.closes ?? []) : history;
  const from = (closes.at(-1)?.[0] ?? 0) - Number(hours) * 3_600;
  const shown = closes.filter(([time]) => time > from);
  const choice = (
    <Choice
      label={portfolioWords.range}
      options={ranges.map((value) => ({ value, name: portfolioWords.lasting(Number(value)) }))}
      value={hours}
      onChange={setHours}
    />
  );
  if (shown.length < 2) {
    return (
      <section className="asset-findings stack" aria-label={portfolioWords.chartOf(asset.symbol)}>
        {choice}
        <p className="faint">{whyEmpty(isDaily ? year : undefined)}</p>
      </section>
    );
  }
  const own =
    overview.data && now !== undefined ? ownMarks(overview.data, asset.address, from, now, settings) : undefined;
  const band = ruling && fairBand(ruling, usdWad);
  const prices = shown.map(([, each]) => parseUnits(each, 18));
  const [low, high] = [smallest(prices), -smallest(prices.map((each) => -each))];
  const summary = portfolioWords.summary(usd(low), usd(high), usd(prices.at(-1) ?? 0n));
  return (
    <section className="asset-findings stack" aria-label={portfolioWords.chartOf(asset.symbol)}>
      {choice}
      <ErrorBoundary what={portfolioWords.chart}>
        <Suspense fallback={<p className="plot faint">{portfolioWords.loadingChart}</p>}>
          <Plot
            history={shown}
            from={from}
            band={band}
            marks={own?.marks ?? []}
            label={`${portfolioWords.chartOf(asset.symbol)}. ${summary}`}
          />
        </Suspense>
      </ErrorBoundary>
      <p className="faint">
        {summary} {bandWords(ruling, usdWad)} {owner !== undefined && own && marksWords(own)}{' '}
        {portfolioWords.source(shown.length, isDaily, new Intl.DateTimeFormat().resolvedOptions().timeZone)}
      </p>
    </section>
  );
}
