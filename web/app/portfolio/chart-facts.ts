import { isWhole } from '@bowline/chain/find-own';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { BPS } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import type { Ruling } from '../../wire.ts';
import { isSale } from '../api/settings.ts';
import { skipsOf } from '../chain/read-activity.ts';
import type { Overview } from '../chain/use-overview.ts';
import { usd } from '../words/amounts.ts';
import { portfolioWords } from '../words/en/portfolio.ts';

/** Prices in US dollars with 18 decimals. */
export interface Band {
  readonly fromWad: bigint;
  readonly toWad: bigint;
}

/**
 * The prices at which neither a buyer nor a seller pays more in total than a verdict accepts without caution. Undefined
 * without a price or that check.
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

/** The fair band, or which part of it is missing. @param ruling of the current verdict; undefined if there is none. */
export function bandWords(ruling: Pick<Ruling, 'findings'> | undefined, usdWad: bigint | undefined): string {
  if (ruling === undefined) return portfolioWords.noBand;
  if (usdWad === undefined) return portfolioWords.bandUnpriced;
  const band = fairBand(ruling, usdWad);
  return band ? portfolioWords.band(usd(band.fromWad), usd(band.toWad)) : portfolioWords.bandUnstated;
}

/** How many of the marks are buys and skips, if the marks are complete. */
export function marksWords({ marks, areAll }: OwnMarks): string {
  if (!areAll) return portfolioWords.someMarks;
  const buys = marks.filter(({ kind }) => kind === 'run').length;
  return portfolioWords.marks(buys, marks.length - buys);
}

export interface OwnMarks {
  /** Unix seconds. */
  readonly marks: readonly { readonly kind: 'run' | 'skip'; readonly time: number }[];
  /** Whether the marks are complete: only each plan's newest records are read. */
  readonly areAll: boolean;
}

/**
 * An account's trades and skipped trades of an asset since a time. A trade deferred several times is skipped once.
 * @param from unix seconds. @param now the chain's time, unix seconds.
 */
export function ownMarks(
  { activity, plans }: Pick<Overview, 'activity' | 'plans'>,
  asset: Address,
  from: number,
  now: bigint,
  settings: Parameters<typeof isSale>[0],
): OwnMarks {
  const isOf = (plan: Plan) => sameAddress(isSale(settings, plan) ? plan.tokenIn : plan.tokenOut, asset);
  const marks = (plans.data?.plans ?? []).filter(isOf).flatMap((plan) => {
    const all = activity[`plan-${plan.id}`]?.items ?? [];
    const skips = new Map(skipsOf(plan, all, now).map((skip) => [skip.slotStart, skip]));
    return [...all.filter(({ kind }) => kind === 'run'), ...skips.values()]
      .filter(({ time }) => time > from)
      .map(({ kind, time }) => ({ kind: kind === 'run' ? kind : 'skip', time: Number(time) }) as const);
  });
  const isRead = ({ id, records }: Plan): boolean => {
    const read = activity[`plan-${id}`];
    if (read === undefined || read.count < records) return records === 0;
    return read.items.length === read.count || read.items.some(({ time }) => time <= from);
  };
  const known = plans.data;
  const areAll = known !== undefined && isWhole(known) && known.plans.filter(isOf).every(isRead);
  return { marks, areAll };
}
