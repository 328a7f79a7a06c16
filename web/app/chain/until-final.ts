/** Readings of records whose count has not changed; by the last one, BNB Chain has made their blocks final. */
const READINGS = 2;
const EVERY_MS = 30_000;

/** Refetch interval for records just read for the first time, because a reorg may replace their newest block. */
export const untilFinal = ({ state }: { readonly state: { readonly dataUpdateCount: number } }): number | false =>
  state.dataUpdateCount < READINGS && EVERY_MS;
