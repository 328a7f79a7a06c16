import { WAD } from '@bowline/core/domain/units';

export { health } from '@bowline/core/texts/amounts';

/** As Aave's own interface colours it: nothing below 3 is good, guarded or not, and below 1.1 it is bad. */
export function healthTone(wad: bigint): 'good' | 'caution' | 'bad' {
  if (wad >= 3n * WAD) return 'good';
  return wad >= (11n * WAD) / 10n ? 'caution' : 'bad';
}

/** Position of a health on a bar from `from` to `to`, in thousandths of its length, clamped to the bar. */
export function barPlace(wad: bigint, from: bigint, to: bigint): number {
  if (wad <= from) return 0;
  if (wad >= to) return 1_000;
  return Number(((wad - from) * 1_000n) / (to - from));
}

/** The bar starts below the liquidation point and ends beyond the highest mark, but at 3.1: higher marks are drawn at its end. */
export function barEnds(marks: readonly bigint[]): { readonly from: bigint; readonly to: bigint } {
  const most = marks.reduce((top, mark) => (mark > top ? mark : top), (3n * WAD) / 2n);
  const capped = most > 3n * WAD ? 3n * WAD : most;
  return { from: (9n * WAD) / 10n, to: capped + WAD / 10n };
}
