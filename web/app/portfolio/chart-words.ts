import { portfolioWords } from '../words/en/portfolio.ts';
import type { OwnMarks } from './own-marks.ts';

/** Why a chart has nothing to draw. @param year the reading of daily closes; undefined for a chart of hourly ones. */
export function whyEmpty(year: { readonly isPending: boolean; readonly isError: boolean } | undefined): string {
  if (year?.isPending) return portfolioWords.loadingChart;
  return year?.isError ? portfolioWords.historyUnread : portfolioWords.noHistory;
}

/** How many of the marks are buys, if they are all that there are. */
export function marksWords({ marks, areAll }: OwnMarks): string {
  if (!areAll) return portfolioWords.someMarks;
  const buys = marks.filter(({ kind }) => kind === 'run').length;
  return portfolioWords.marks(buys, marks.length - buys);
}
