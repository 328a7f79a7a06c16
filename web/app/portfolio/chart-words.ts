import type { Ruling } from '../../wire.ts';
import { usd } from '../words/amounts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';
import { fairBand } from './fair-band.ts';
import type { OwnMarks } from './own-marks.ts';

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
