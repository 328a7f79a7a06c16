import { isWhole } from '@bowline/chain/find-own';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { isSale } from '../api/settings.ts';
import { skipsOf } from '../chain/read-deeds.ts';
import type { Overview } from '../chain/read-overview.ts';

export interface OwnMarks {
  /** Unix seconds. */
  readonly marks: readonly { readonly kind: 'run' | 'skip'; readonly time: number }[];
  /** Whether these are all: of each plan only its newest records are read. */
  readonly areAll: boolean;
}

/**
 * An account's trades and skipped trades of an asset after a time. One that was deferred several times is skipped once.
 * @param from unix seconds. @param now the chain's time, unix seconds.
 */
export function ownMarks(
  { deeds, plans }: Pick<Overview, 'deeds' | 'plans'>,
  asset: Address,
  from: number,
  now: bigint,
  settings: Parameters<typeof isSale>[0],
): OwnMarks {
  const isOf = (plan: Plan) => sameAddress(isSale(settings, plan) ? plan.tokenIn : plan.tokenOut, asset);
  const marks = (plans.data?.plans ?? []).filter(isOf).flatMap((plan) => {
    const all = deeds[`plan-${plan.id}`]?.deeds ?? [];
    const skips = new Map(skipsOf(plan, all, now).map((skip) => [skip.slotStart, skip]));
    return [...all.filter(({ kind }) => kind === 'run'), ...skips.values()]
      .filter(({ time }) => time > from)
      .map(({ kind, time }) => ({ kind: kind === 'run' ? kind : 'skip', time: Number(time) }) as const);
  });
  const isRead = ({ id, records }: Plan): boolean => {
    const read = deeds[`plan-${id}`];
    if (read === undefined || read.count < records) return records === 0;
    return read.deeds.length === read.count || read.deeds.some(({ time }) => time <= from);
  };
  const known = plans.data;
  const areAll = known !== undefined && isWhole(known) && known.plans.filter(isOf).every(isRead);
  return { marks, areAll };
}
