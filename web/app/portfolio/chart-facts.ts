import { BPS } from '@bowline/core/domain/units';
import type { Ruling } from '../../wire.ts';
import { usd } from '../words/amounts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import type { OwnMarks } from './own-marks.ts';

/** Prices in US dollars with 18 decimals. */
export interface Band {
  readonly fromWad: bigint;
  readonly toWad: bigint;
}

/**
 * The prices at which neither a buyer nor a seller pays more in all than a verdict accepts without caution. Undefined without
 * a price or that check.
 */
export function fairBand({ findings }: Pick<Ruling, 'findings'>, priceWad: bigint | undefined): Band | undefined {
  const found = findings.find(({ check, unit }) => check === 'all_in_cost' && unit === 'bps');
  if (priceWad === undefined || found === undefined) return undefined;
  const cost = BigInt(found.caution_limit ?? found.limit);
  return { fromWad: (priceWad * (BPS - cost)) / BPS, toWad: (priceWad * (BPS + cost)) / BPS };
}

/** Why a chart has nothing to draw. @param year the reading of daily closes; undefined for a chart of hourly ones. */
export function whyEmpty(year: { readonly isPending: boolean; readonly isError: boolean } | undefined): string {
  if (year?.isPending) return portfolioWords.loadingChart;
  return year?.isError ? portfolioWords.historyUnread : portfolioWords.noHistory;
}

/** The fair band, or which of its parts is missing. @param ruling of the current verdict; undefined if there is none. */
export function bandWords(ruling: Pick<Ruling, 'findings'> | undefined, usdWad: bigint | undefined): string {
  if (ruling === undefined) return portfolioWords.noBand;
  if (usdWad === undefined) return portfolioWords.bandUnpriced;
  const band = fairBand(ruling, usdWad);
  return band ? portfolioWords.band(usd(band.fromWad), usd(band.toWad)) : portfolioWords.bandUnstated;
}

/** How many of the marks are buys, if they are all that there are. */
export function marksWords({ marks, areAll }: OwnMarks): string {
  if (!areAll) return portfolioWords.someMarks;
  const buys = marks.filter(({ kind }) => kind === 'run').length;
  return portfolioWords.marks(buys, marks.length - buys);
}
