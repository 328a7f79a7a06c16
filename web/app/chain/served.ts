import { isTermBelowFee } from '@bowline/core/domain/deferrals';
import { sameAddress } from '@bowline/core/domain/same-address';
import { zeroAddress } from 'viem';
import { areTraded, assetAt, poolFee, type Settings } from '../api/settings.ts';
import type { Plan } from './read-plans.ts';
import { type Buyer, type Refused, whyRefused } from './serving.ts';

/** Why the agent of this page never runs a plan, whatever the price is; `termBelowFee`: at no fair price. */
export type Unserved = 'executor' | 'signer' | 'priceSource' | 'token' | 'route' | 'termBelowFee' | Refused;

type Terms = Pick<Plan, 'terms' | 'tokenIn' | 'tokenOut' | 'periodSeconds' | 'amountPerRun'>;

/**
 * From the plan's terms on the chain, what the build pins, and what the agent says that its operator has set; undefined if
 * the agent may run it.
 */
export function whyUnserved(plan: Terms, settings: Settings, buyer: Buyer): Unserved | undefined {
  const { terms, tokenIn, tokenOut } = plan;
  const { contracts, verdictSigners } = settings;
  const { verdictSigner } = terms;
  if (!sameAddress(terms.executor, contracts.swapExecutor)) return 'executor';
  if (![zeroAddress, ...verdictSigners].some((own) => sameAddress(own, verdictSigner))) return 'signer';
  if (![zeroAddress, contracts.priceSource].some((own) => sameAddress(own, terms.priceSource))) return 'priceSource';
  const pay = assetAt(settings, tokenIn);
  if (pay === undefined || assetAt(settings, tokenOut) === undefined) return 'token';
  if (!areTraded(settings, tokenIn, tokenOut)) return 'route';
  if (isTermBelowFee(terms, poolFee(settings, tokenIn, tokenOut))) return 'termBelowFee';
  return typeof buyer === 'object' ? whyRefused({ ...plan, verdictSigner }, pay.decimals, buyer) : undefined;
}

/** Who gets what is bought, if that is not the plan's owner. */
export const otherRecipient = ({ terms }: Pick<Plan, 'terms'>) =>
  sameAddress(terms.recipient, terms.owner) ? undefined : terms.recipient;
