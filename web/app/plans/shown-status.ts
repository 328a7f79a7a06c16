import type { Funded } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { isOver, nextSlot } from '@bowline/core/domain/slots';
import type { Settings } from '../api/settings.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { type Buyer, isNotKnown, whyUnserved } from '../chain/serving.ts';

/**
 * The status for a plan's badge. `unknown` if an active or paused plan could not be read recently: it may have been
 * cancelled or used up since. A final status stays.
 * @param now the chain's time, unix seconds.
 * @param isOld whether nothing was read recently.
 */
export function shownStatus(
  plan: Plan,
  { unread }: Pick<OwnedPlans, 'unread'>,
  now: bigint | undefined,
  isOld: boolean,
) {
  const { status } = plan;
  if (status !== 'active' && status !== 'paused') return status;
  if (isOver(plan, now)) return 'over';
  return isOld || unread.includes(plan.id) ? 'unknown' : status;
}

/** What keeps an active plan from its next buy: its badge says so, and is not green. */
export type Hindrance = 'unserved' | 'unfunded' | 'fundsUnknown' | 'unseen';

interface Circumstances {
  /** The runs that are paid for, given all plans; undefined if not known. */
  readonly funded: Funded | undefined;
  readonly buyer: Buyer;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
}

/** The worst hindrance; undefined if there is none or no buy is to come. */
export function hindranceOf(
  plan: Plan,
  settings: Settings,
  { funded, buyer, now }: Circumstances,
): Hindrance | undefined {
  if (nextSlot(plan, now) === undefined) return undefined;
  if (whyUnserved(plan, settings, buyer) !== undefined) return 'unserved';
  if (funded === undefined) return 'fundsUnknown';
  if (funded.runs === 0) return 'unfunded';
  if (typeof buyer !== 'string') return undefined;
  return isNotKnown(buyer) ? 'unseen' : 'unserved';
}
