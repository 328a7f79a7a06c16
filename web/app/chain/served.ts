import { isTermBelowFee } from '@bowline/core/domain/deferrals';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { zeroAddress } from 'viem';
import { assetAt, poolFee, type Settings, tradedOf } from '../api/settings.ts';
import { type Buyer, type Refused, whyRefused } from './serving.ts';

/** Why the agent of this page never runs a plan, whatever the price is; `termBelowFee`: at no fair price. */
export type Unserved = 'executor' | 'signer' | 'priceSource' | 'token' | 'route' | 'termBelowFee' | Refused;

type Terms = Parameters<typeof isTermBelowFee>[0] &
  Pick<Plan, 'executor' | 'verdictSigner' | 'priceSource' | 'tokenIn' | 'tokenOut' | 'periodSeconds' | 'amountPerRun'>;

/**
 * From the plan's terms on the chain, what the build pins, and what the agent says that its operator has set; undefined if
 * the agent may run it.
 */
export function whyUnserved(plan: Terms, settings: Settings, buyer: Buyer): Unserved | undefined {
  const { tokenIn, tokenOut, verdictSigner } = plan;
  const { contracts, verdictSigners } = settings;
  if (!sameAddress(plan.executor, contracts.swapExecutor)) return 'executor';
  if (![zeroAddress, ...verdictSigners].some((own) => sameAddress(own, verdictSigner))) return 'signer';
  if (![zeroAddress, contracts.priceSource].some((own) => sameAddress(own, plan.priceSource))) return 'priceSource';
  const pay = assetAt(settings, tokenIn);
  if (pay === undefined || assetAt(settings, tokenOut) === undefined) return 'token';
  if (tradedOf(settings, tokenIn, tokenOut) === undefined) return 'route';
  if (isTermBelowFee(plan, poolFee(settings, tokenIn, tokenOut))) return 'termBelowFee';
  return typeof buyer === 'object' ? whyRefused(plan, pay.decimals, buyer) : undefined;
}

/** Who gets what is bought, if that is not the plan's owner. */
export const otherRecipient = ({ owner, recipient }: Pick<Plan, 'owner' | 'recipient'>) =>
  sameAddress(recipient, owner) ? undefined : recipient;
