import { formatUnits } from 'viem';

const WAD = 10n ** 18n;

/** Two decimals, cut: a health is never shown better than it is. */
export function health(wad: bigint): string {
  if (wad >= 1_000n * WAD) return 'over 1,000';
  const [whole = '0', fraction = ''] = formatUnits(wad, 18).split('.');
  return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}

/** Where a health stands on a bar from `from` to `to`, in thousandths of its length, kept on the bar. */
export function barPlace(wad: bigint, from: bigint, to: bigint): number {
  if (wad <= from) return 0;
  if (wad >= to) return 1_000;
  return Number(((wad - from) * 1_000n) / (to - from));
}

/** The bar begins below where a loan is liquidated, and ends beyond all that is marked on it. */
export function barEnds(marks: readonly bigint[]): { readonly from: bigint; readonly to: bigint } {
  const most = marks.reduce((top, mark) => (mark > top ? mark : top), (3n * WAD) / 2n);
  const capped = most > 3n * WAD ? 3n * WAD : most;
  return { from: (9n * WAD) / 10n, to: capped + WAD / 10n };
}

/** What a rescue repays, in base units: the debt falls so far that the collateral stands at the target. Rounded up, as the contract does. */
export function repaymentUp(loan: {
  readonly debtUsdWad: bigint;
  readonly weightedUsdWad: bigint;
  readonly priceWad: bigint;
  readonly targetWad: bigint;
}): bigint {
  const { debtUsdWad, weightedUsdWad, priceWad, targetWad } = loan;
  const keeps = (weightedUsdWad * WAD) / targetWad;
  if (keeps >= debtUsdWad || priceWad === 0n) return 0n;
  return ((debtUsdWad - keeps) * WAD + priceWad - 1n) / priceWad;
}

/** The same when health has just fallen to the trigger: collateral is then worth trigger × debt. */
export const repaymentAtTriggerUp = (loan: {
  readonly debtUsdWad: bigint;
  readonly priceWad: bigint;
  readonly triggerWad: bigint;
  readonly targetWad: bigint;
}): bigint => repaymentUp({ ...loan, weightedUsdWad: (loan.debtUsdWad * loan.triggerWad) / WAD });
