import { words } from '../words/words.ts';
import type { OwnMarks } from './own-marks.ts';

const said = words.portfolio;

/** Why a chart has nothing to draw. @param year the reading of daily closes; undefined for a chart of hourly ones. */
export function whyEmpty(year: { readonly isPending: boolean; readonly isError: boolean } | undefined): string {
  if (year?.isPending) return said.loadingChart;
  return year?.isError ? said.historyUnread : said.noHistory;
}

/** How many of the marks are buys, if they are all that there are. */
export function marksWords({ marks, areAll }: OwnMarks): string {
  if (!areAll) return said.someMarks;
  const buys = marks.filter(({ kind }) => kind === 'run').length;
  return said.marks(buys, marks.length - buys);
}
