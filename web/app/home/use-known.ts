import { isWhole } from '@bowline/chain/find-own';
import type { Moment } from '../api/age.ts';
import { isReadingOld } from '../api/freshness.ts';
import { useCovered } from '../chain/coverage/use-covered.ts';
import { areWhole } from '../chain/read-guards.ts';
import type { Overview } from '../chain/use-overview.ts';
import { useBuyer } from '../chain/use-serving.ts';
import type { Known } from './known.ts';
import { areFundsKnown, isActivityKnown, type Sure } from './state.ts';

/** A reading's data, and which of it is reliable now; `known` is undefined while nothing is. */
export function useKnown(
  overview: Overview | undefined,
  now: bigint | undefined,
  moment: Moment,
): { readonly known: Known | undefined; readonly sure: Sure } {
  const covered = useCovered(overview, now, moment);
  const buyer = useBuyer(moment);
  if (overview === undefined || now === undefined) {
    return { known: undefined, sure: { loans: false, guards: false, plans: false, activity: false } };
  }
  const { loans, guards, plans, activity } = overview;
  const isAll = (data: NonNullable<(Overview['plans'] | Overview['guards'])['data']>) =>
    'guards' in data ? areWhole(data) : isWhole(data);
  const isFresh = (part: Overview['plans'] | Overview['guards']) =>
    part.error === undefined && part.data !== undefined && !isReadingOld(part.data, moment) && isAll(part.data);
  const known: Known = {
    loans: loans.flatMap(({ data }) => data ?? []),
    covered: [...(covered?.own ?? []), ...(covered?.funded ?? [])],
    hasUnknownGuards: guards.data === undefined || !areWhole(guards.data),
    plans: plans.data,
    activity,
    now,
    buyer,
  };
  return {
    known,
    sure: {
      loans: loans.every(({ data, error }) => error === undefined && !isReadingOld(data, moment)),
      guards: isFresh(guards),
      plans: isFresh(plans) && areFundsKnown(plans.data),
      activity: isActivityKnown(known),
    },
  };
}
