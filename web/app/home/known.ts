import type { Covered } from '../chain/coverage/use-covered.ts';
import type { Activity } from '../chain/read-activity.ts';
import type { Loan } from '../chain/read-loan.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import type { Buyer } from '../chain/serving.ts';

/** One thing that the owner should do or know. */
export interface ActionItem {
  /** Stable identity of the item. */
  readonly key: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
  /** Whether the owner can only wait and check again. */
  readonly isWait?: true;
  /** Whether money is missing. */
  readonly isFunds: boolean;
}

/** What is known about an account. An unknown part gives no action items: the view says that it is unknown. */
export interface Known {
  readonly loans: readonly Loan[];
  readonly covered: readonly Covered[];
  /** Whether the account may have guards missing here: the search is not finished, or some could not be read. */
  readonly hasUnknownGuards?: boolean;
  readonly plans: Pick<OwnedPlans, 'plans' | 'allowances' | 'balances'> | undefined;
  readonly activity: Activity;
  readonly buyer: Buyer;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
}
