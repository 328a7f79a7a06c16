import { type Address, isAddressEqual } from 'viem';
import { isWhole } from '../chain/find-own.ts';
import { inOrder } from '../chain/read-deeds.ts';
import type { Overview } from '../chain/read-overview.ts';
import type { Plan } from '../chain/read-plans.ts';

export interface OwnMarks {
  /** Unix seconds. */
  readonly marks: readonly { readonly kind: 'run' | 'skip'; readonly time: number }[];
  /** Whether these are all: of each plan only its newest records are read. */
  readonly areAll: boolean;
}

/** An account's buys and skipped buys of an asset after a time. @param from unix seconds. */
export function ownMarks({ deeds, plans }: Pick<Overview, 'deeds' | 'plans'>, asset: Address, from: number): OwnMarks {
  const isOf = ({ tokenOut }: Plan) => isAddressEqual(tokenOut, asset);
  const marks = inOrder(deeds).flatMap((deed) =>
    deed.kind !== 'rescue' && isOf(deed.plan) && deed.time > from ? [{ kind: deed.kind, time: Number(deed.time) }] : [],
  );
  const isRead = ({ id, records }: Plan): boolean => {
    const read = deeds[`plan-${id}`];
    if (read === undefined || read.count < records) return records === 0;
    return read.deeds.length === read.count || read.deeds.some(({ time }) => time <= from);
  };
  const known = plans.data;
  const areAll = known !== undefined && isWhole(known) && known.plans.filter(isOf).every(isRead);
  return { marks, areAll };
}
