/** Readings of records whose number has not changed: the last is of blocks that BNB Chain has made final. */
const READINGS = 2;
const EVERY_MS = 30_000;

/** How soon records are read again that were read for the first time: their newest block may be replaced by another. */
export const untilFinal = ({ state }: { readonly state: { readonly dataUpdateCount: number } }): number | false =>
  state.dataUpdateCount < READINGS && EVERY_MS;
