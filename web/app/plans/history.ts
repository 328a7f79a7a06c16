import { isRun, type sumsOf } from '@bowline/core/audit/figures';
import { toCsv, toIsoTime } from '@bowline/core/domain/readable';
import { reasonOf } from '@bowline/core/domain/reasons';
import { averagePrice, type Sided, tradedOf } from '@bowline/core/domain/sided';
import { BPS, formatUnits } from '@bowline/core/domain/units';
import type { Run } from './readings.ts';

/** What was received beyond the minimum, in base units of the quote at the average price; rounded down. */
export function surplusOf(
  { paid, received, floor }: Pick<ReturnType<typeof sumsOf>, 'paid' | 'received' | 'floor'>,
  { isSale }: Sided,
): bigint {
  const surplus = received - floor;
  return isSale || received === 0n ? surplus : (surplus * paid) / received;
}

/** Hundredths of a percent by which `price` is above `market`, rounded towards zero. */
export const aboveBps = (price: bigint, market: bigint): bigint => ((price - market) * BPS) / market;

const columns = [
  ...['record', 'time_utc', 'slot_utc', 'outcome', 'paid', 'paid_token', 'received', 'received_token'],
  ...['price', 'minimum', 'reason', 'attested', 'terms_version', 'evidence_prefix', 'transaction'],
];

/**
 * A history as CSV, oldest first: times in UTC, amounts in whole tokens with every digit.
 * @param transactions hashes by record, as far as they are known.
 * @param isDelay whether a deferral's buy happened later, or still can.
 */
export function csvOf(
  runs: readonly Run[],
  sided: Sided,
  transactions: Readonly<Record<number, string>>,
  isDelay: (run: Run) => boolean,
): string {
  const { quote, isSale } = sided;
  const { pay, buy } = tradedOf(sided);
  const time = (unixSeconds: number) => toIsoTime(BigInt(unixSeconds));
  const rows = runs.toReversed().map((run) => {
    const price = isRun(run) ? averagePrice(run.amountIn, run.amountOut, sided) : undefined;
    const traded = isRun(run)
      ? [formatUnits(run.amountIn, pay.decimals), pay.symbol, formatUnits(run.amountOut, buy.decimals), buy.symbol]
      : ['', '', '', ''];
    const what = isRun(run) ? (isSale ? 'sold' : 'bought') : isDelay(run) ? 'delayed' : 'skipped';
    return [
      ...[String(run.record), time(run.time), time(run.slotStart), what, ...traded],
      price === undefined ? '' : formatUnits(price, quote.decimals),
      isRun(run) ? formatUnits(run.floor, buy.decimals) : '',
      isRun(run) ? '' : (reasonOf(run.reason) ?? String(run.reason)),
      ...[run.isAttested ? 'yes' : 'no', String(run.version), run.evidencePrefix, transactions[run.record] ?? ''],
    ];
  });
  return toCsv([columns, ...rows]);
}
