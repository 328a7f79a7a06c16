import { toIsoTime } from '@bowline/core/domain/readable';
import { reasonOf } from '@bowline/core/domain/reasons';
import { formatUnits } from '@bowline/core/domain/units';
import type { Asset } from '../api/settings.ts';
import type { Run } from './use-runs.ts';

const executed = 1;

export const isRun = ({ outcome }: Pick<Run, 'outcome'>): boolean => outcome === executed;

/** What the runs of a history paid and received, in base units, and what they had to deliver at least. */
export function totals(runs: readonly Pick<Run, 'outcome' | 'amountIn' | 'amountOut' | 'floor'>[]) {
  const bought = runs.filter(isRun);
  const sum = (of: (run: (typeof bought)[number]) => bigint) => bought.reduce((all, run) => all + of(run), 0n);
  return {
    runs: bought.length,
    paid: sum(({ amountIn }) => amountIn),
    received: sum(({ amountOut }) => amountOut),
    floor: sum(({ floor }) => floor),
  };
}

/** Base units of the paid token for one whole bought token, on average over all that was bought; rounded up. */
export const averagePrice = (
  paid: bigint,
  received: bigint,
  { decimals }: Pick<Asset, 'decimals'>,
): bigint | undefined => (received === 0n ? undefined : (paid * 10n ** BigInt(decimals) + received - 1n) / received);

/** Hundredths of a percent by which `price` is above `market`, rounded towards zero. */
export const aboveBps = (price: bigint, market: bigint): bigint => ((price - market) * 10_000n) / market;

const columns = [
  ...['record', 'time_utc', 'slot_utc', 'outcome', 'paid', 'paid_token', 'received', 'received_token'],
  ...['price', 'minimum', 'reason', 'attested', 'terms_version', 'evidence_prefix', 'transaction'],
];

/**
 * A history as CSV (RFC 4180), oldest first: times in UTC, amounts in whole tokens with every digit.
 * @param transactions hashes by record, as far as they are known.
 * @param isDelay whether a deferral's buy happened later, or still can.
 */
export function csvOf(
  runs: readonly Run[],
  pay: Pick<Asset, 'symbol' | 'decimals'>,
  buy: Pick<Asset, 'symbol' | 'decimals'>,
  transactions: Readonly<Record<number, string>>,
  isDelay: (run: Run) => boolean,
): string {
  const time = (unixSeconds: number) => toIsoTime(BigInt(unixSeconds));
  const rows = runs.toReversed().map((run) => {
    const price = isRun(run) ? averagePrice(run.amountIn, run.amountOut, buy) : undefined;
    const bought = isRun(run)
      ? [formatUnits(run.amountIn, pay.decimals), pay.symbol, formatUnits(run.amountOut, buy.decimals), buy.symbol]
      : ['', '', '', ''];
    const what = isRun(run) ? 'bought' : isDelay(run) ? 'delayed' : 'skipped';
    return [
      ...[String(run.record), time(run.time), time(run.slotStart), what, ...bought],
      price === undefined ? '' : formatUnits(price, pay.decimals),
      isRun(run) ? formatUnits(run.floor, buy.decimals) : '',
      isRun(run) ? '' : (reasonOf(run.reason) ?? String(run.reason)),
      ...[run.isAttested ? 'yes' : 'no', String(run.version), run.evidencePrefix, transactions[run.record] ?? ''],
    ];
  });
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
