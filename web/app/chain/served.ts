import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type PlanLeftOut, whyPlanLeftOut } from '@bowline/core/domain/served';
import { worthUsdWadDown } from '@bowline/core/domain/units';
import { assetAt, pooled, type Settings } from '../api/settings.ts';
import { servedWords } from '../words/en/served.ts';
import type { Buyer, Buys, NotServing } from './serving.ts';

type Terms = Parameters<typeof whyPlanLeftOut>[0] & Pick<Plan, 'amountPerRun'>;

/**
 * Why the agent of this page never runs a plan, whatever the price is: from the plan's terms on the chain, what the build pins,
 * and what the agent says that its operator has set; undefined if the agent may run it.
 */
export function whyUnserved(plan: Terms, settings: Settings, buyer: Buyer): PlanLeftOut | undefined {
  const said = typeof buyer === 'object' ? buyer : undefined;
  const price = said?.usdWad[plan.tokenIn.toLowerCase()];
  const worth = worthUsdWadDown(plan.amountPerRun, price, assetAt(settings, plan.tokenIn)?.decimals ?? 18);
  return whyPlanLeftOut(plan, servedBy(settings, said), pooled(settings), worth);
}

/** What the agent says takes away from what the build pins, and adds nothing. */
function servedBy({ assets, contracts, verdictSigners }: Settings, said: Buys | undefined) {
  const signs = (signer: string) => said === undefined || said.verdictSigners.some((each) => sameAddress(each, signer));
  return {
    executor: contracts.swapExecutor,
    tokens: said?.tokens ?? assets.map(({ address }) => address),
    verdictSigners: verdictSigners.filter(signs),
    priceSources: [contracts.priceSource, contracts.venusPriceSource],
    minimumPeriodSeconds: BigInt(said?.minPeriodSeconds ?? 0),
    minimumRunUsdWad: BigInt(said?.minRunUsdWad ?? 0),
  };
}

/** Who gets what is bought, if that is not the plan's owner. */
export const otherRecipient = ({ owner, recipient }: Pick<Plan, 'owner' | 'recipient'>) =>
  sameAddress(recipient, owner) ? undefined : recipient;

/** Why no buy may come, of an agent that does not count as serving plans. */
export const noBuyWords = (why: NotServing): string =>
  why === 'unseen' ? servedWords.unseen : servedWords.noBuy(servedWords.why[why]);
