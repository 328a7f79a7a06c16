import { zeroAddress } from 'viem';
import { assetAt, type Settings } from '../api/settings.ts';
import type { Plan } from './read-plans.ts';

/** Why the agent of this page never runs a plan, whatever the price is. */
export type Unserved = 'executor' | 'signer' | 'priceSource' | 'token';

type Terms = Pick<Plan, 'terms' | 'tokenIn' | 'tokenOut'>;

/** From the plan's terms on the chain and what the build pins; undefined if the agent may run it. */
export function whyUnserved({ terms, tokenIn, tokenOut }: Terms, settings: Settings): Unserved | undefined {
  const { contracts, verdictSigners } = settings;
  if (!same(terms.executor, contracts.swapExecutor)) return 'executor';
  if (![zeroAddress, ...verdictSigners].some((own) => same(own, terms.verdictSigner))) return 'signer';
  if (![zeroAddress, contracts.priceSource].some((own) => same(own, terms.priceSource))) return 'priceSource';
  return assetAt(settings, tokenIn) === undefined || assetAt(settings, tokenOut) === undefined ? 'token' : undefined;
}

/** Who gets what is bought, if that is not the plan's owner. */
export const otherRecipient = ({ terms }: Pick<Plan, 'terms'>) =>
  same(terms.recipient, terms.owner) ? undefined : terms.recipient;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
