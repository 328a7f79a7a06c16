import { isTermBelowFee } from '@bowline/core/domain/deferrals';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { poolFeeOf } from '@bowline/core/domain/route';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type PlanNotServed, type PlansServed, type PlanTerms, whyPlanNotServed } from '@bowline/core/domain/served';
import { isWorthIt, worthUsdWadDown } from '@bowline/core/domain/units';
import { assetAt, pooled, type Settings } from '../api/settings.ts';
import type { Buyer, Buys } from './serving.ts';

/** Why the agent of this page never runs a plan, whatever the price is; `term_below_fee`: at no fair price. */
export type Unserved = PlanNotServed | 'term_below_fee' | 'not_served_run_value';

type Terms = PlanTerms & Parameters<typeof isTermBelowFee>[0] & Pick<Plan, 'amountPerRun'>;

/**
 * From the plan's terms on the chain, what the build pins, and what the agent says that its operator has set; undefined if
 * the agent may run it.
 */
export function whyUnserved(plan: Terms, settings: Settings, buyer: Buyer): Unserved | undefined {
  const said = typeof buyer === 'object' ? buyer : undefined;
  const assets = pooled(settings);
  const why = whyPlanNotServed(plan, servedBy(settings, said), assets);
  if (why !== undefined) return why;
  if (isTermBelowFee(plan, poolFeeOf(assets, plan.tokenIn, plan.tokenOut))) return 'term_below_fee';
  const price = said?.usdWad[plan.tokenIn.toLowerCase()];
  const worth = worthUsdWadDown(plan.amountPerRun, price, assetAt(settings, plan.tokenIn)?.decimals ?? 18);
  return isWorthIt(worth, BigInt(said?.minRunUsdWad ?? 0)) ? undefined : 'not_served_run_value';
}

/** What the agent says takes away from what the build pins, and adds nothing. */
function servedBy({ assets, contracts, verdictSigners }: Settings, said: Buys | undefined): PlansServed {
  const signs = (signer: string) => said === undefined || said.verdictSigners.some((each) => sameAddress(each, signer));
  return {
    executor: contracts.swapExecutor,
    tokens: said?.tokens ?? assets.map(({ address }) => address),
    verdictSigners: verdictSigners.filter(signs),
    priceSources: [contracts.priceSource, contracts.venusPriceSource],
    minimumPeriodSeconds: BigInt(said?.minPeriodSeconds ?? 0),
  };
}

/** Who gets what is bought, if that is not the plan's owner. */
export const otherRecipient = ({ owner, recipient }: Pick<Plan, 'owner' | 'recipient'>) =>
  sameAddress(recipient, owner) ? undefined : recipient;
